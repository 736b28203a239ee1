"""`clew llm`: recorded replies, taken out of a cache and put into one."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from clew.errors import DataError
from clew.models.recordings import Recordings, take_lines, write_lines

llm = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

Cache = Annotated[Path, typer.Option("--cache", help="The file that llm.cache names.")]
Lines = Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines, one for each reply.")]
CACHE = Path("runs") / "llm.db"


@llm.callback()
def teach() -> None:
    """Share a language model's replies: `export` them, and `import` those of others.

    A run with `llm=replay llm.path=FILE` answers from them alone, with no key.
    """


@llm.command("export")
def export(
    file: Lines,
    cache: Cache = CACHE,
    prompt: Annotated[list[str] | None, typer.Option(help="Only replies to this prompt.")] = None,
) -> None:
    """Write the replies of a cache to a file; the same replies make the same bytes."""
    if not cache.is_file():
        raise DataError(f"{cache} is not there: set --cache to the file that llm.cache names")
    with closing(Recordings(cache, "--cache")) as recordings:
        n = write_lines(recordings, file, frozenset(prompt or ()))
    typer.echo(f"{n} replies are in {file}")


@llm.command("import")
def take(file: Lines, cache: Cache = CACHE) -> None:
    """Put the replies of a file into a cache; those that it has already stay."""
    with closing(Recordings(cache, "--cache")) as recordings:
        new, n = take_lines(recordings, file)
    typer.echo(f"{new} of {n} replies are new in {cache}")
