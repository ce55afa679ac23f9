"""OCFS: which terms are kept, how well they classify, how long it takes to choose them."""
