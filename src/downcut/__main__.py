"""`python -m downcut`: the command line, also where the script is not on the path."""

from downcut.cli import main

if __name__ == "__main__":
    main()
