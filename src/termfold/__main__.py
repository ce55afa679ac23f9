"""``python -m termfold``: the command line."""

from termfold.cli import main

if __name__ == "__main__":
    main()
