"""The models screen: who answers, and what finds by meaning."""
