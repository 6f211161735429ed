"""The models screen: who answers, what finds by meaning, and what reranks."""
