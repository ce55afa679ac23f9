"""Studies of the methods of termfold on real collections: the four papers, run again.

A package of its own beside ``termfold``, of which it uses the public names only, as any other
user would. ``termfold study`` runs it.
"""
