"""All methods on all collections: which one to use."""
