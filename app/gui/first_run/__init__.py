"""First run: who answers, that remembering is on, and a recovery code."""
