"""What the queue calls the kinds of work."""

LEARN, LEARN_MORE = "learn", "learn_more"
INDEX, REINDEX, WORDS, READ = "index", "reindex", "words", "read"
REVIEW, CONSOLIDATE, DREAM = "review", "consolidate", "dream"
COMPACT, BACKUP = "compact", "backup"
SUMMARISE, JUDGE = "summarise", "judge"
BECAME = "became"  # what a job that learnt keeps: what became of what was stated
