"""What answers a question without a chat model, and what an order means."""
