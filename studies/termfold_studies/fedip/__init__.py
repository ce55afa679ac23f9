"""FEDIP: one feature a class, against LSI and LDA/QR."""
