"""BT: the best terms of each document, against the filter of the best terms of the vocabulary."""
