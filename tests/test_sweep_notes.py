"""What a sweep notes beside its jobs' results: by which code they were made, what they shared."""

from contextlib import closing
from pathlib import Path

import pytest

from clew.evaluate.summary import Summary
from clew.models.embed_cache import CachedEmbedder
from clew.models.words import WordCounts
from clew.sweeps.version import commit, warn_of_other
from clew.sweeps.work import note_work, work_of


def test_a_run_of_another_commit_is_skipped_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    warn_of_other("old", {"commit": "0123456789abcdef"})
    warn_of_other("new", {"commit": commit()})
    (said,) = caplog.messages
    assert said.startswith("old is done and skipped, though commit 0123456789 made it")


def test_what_jobs_shared_is_counted_and_what_they_saved(tmp_path: Path) -> None:
    spent = {"calls": 2, "prompt_tokens": 30, "completion_tokens": 4}
    tokens = {"build": {**spent, "cached": 1, "cached_tokens": 17}, "query": {**spent}}
    tokens["query"] |= {"cached": 0, "cached_tokens": 0}
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        with closing(CachedEmbedder(WordCounts(16), tmp_path / "vectors.db")) as embedder:
            embedder(["a bee", "a hive", "a bee"])
            note_work(Summary(folder, {"tokens": tokens}), embedder)
    work = work_of([*folders, tmp_path / "never begun"])
    assert (work.texts_embedded, work.texts_found) == (2, 2)
    assert work.embedding_seconds_saved == pytest.approx(work.embedding_seconds, abs=0.002)
    assert (work.llm_calls, work.llm_calls_saved, work.llm_tokens_saved) == (8, 2, 34)
    assert "2 texts embedded" in work.told() and "2 replies found (34 tokens" in work.told()
