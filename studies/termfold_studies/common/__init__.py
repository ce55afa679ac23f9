"""What the studies share: rows of results, collections, tests of significance, tables, figures."""
