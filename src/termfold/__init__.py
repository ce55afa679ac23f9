"""termfold: supervised dimension reduction and categorization of text, in one pass."""
