"""English words that the rest still reads by: names, dates, sentences, quantities, pretence."""
