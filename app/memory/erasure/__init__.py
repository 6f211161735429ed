"""What holds or says what is to be erased, and forgetting it."""
