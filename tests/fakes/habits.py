"""Facts about one person that have nothing to do with one another, so that all hold."""

HABITS = (
    "I keep bees",
    "I play the cello",
    "I sail on Sundays",
    "I speak Dutch",
    "I bake bread",
    "I grow tomatoes",
    "I ride a motorbike",
    "I knit jumpers",
    "I study law",
    "I paint",
    "I drink tea",
    "I swim in the lake",
    "I fish for trout",
    "I collect stamps",
)
