"""The command `clew`, also as `python -m clew`."""

from clew.interrupt import ends_at_once


def main() -> None:
    """Run the command line."""
    with ends_at_once():
        from clew.cli import app
    app()


if __name__ == "__main__":
    main()
