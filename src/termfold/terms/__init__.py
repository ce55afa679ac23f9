"""What a term is, and the vocabulary of a collection."""
