"""Models: the only package that imports llama.cpp and the HTTP client."""
