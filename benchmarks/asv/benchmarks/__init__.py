"""What is followed over commits, on the built-in data; comparisons with others are elsewhere."""
