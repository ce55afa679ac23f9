"""Term projection: χ² of occurrences, and every term to the class it speaks for."""
