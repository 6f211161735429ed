"""The lossless context: every word is kept, and the model sees a view that fits."""
