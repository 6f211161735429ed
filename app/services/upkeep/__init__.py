"""What Loci does by itself: the queue of jobs, when it works, what it may cost."""
