"""Work that several processes need at the same moment is done by one of them."""

import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread
from time import sleep

import numpy as np
import numpy.typing as npt

from clew.models.cache import cached
from clew.models.embed_cache import CachedEmbedder
from clew.models.exclusive import Exclusive
from clew.models.llm import Ask, Reply, Usage
from clew.models.words import WordCounts

KEY = b"12345678"
HOLDER = """
import sys
from pathlib import Path
from clew.models.exclusive import Exclusive
with Exclusive(Path(sys.argv[1]))([sys.argv[2].encode()]):
    print("has it", flush=True)
    sys.stdin.read()
"""


class Slow(WordCounts):
    """Takes its time, and counts the texts that it was given."""

    texts = 0

    def __call__(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        sleep(0.02)
        self.texts += len(texts)
        return super().__call__(texts)


def test_two_jobs_that_need_the_same_texts_at_once_embed_each_once(tmp_path: Path) -> None:
    words = [f"text {n}" for n in range(20)]
    models = [Slow(16), Slow(16)]
    caches = [CachedEmbedder(model, tmp_path / "vectors.db") for model in models]
    met, rows = Barrier(2), dict[int, npt.NDArray[np.float32]]()

    def embed(job: int) -> None:
        met.wait(5)
        for start in range(0, 20, 5):
            part = words[start : start + 5]
            made = caches[job](part if job else part[::-1])  # in each other's way
            rows[100 * job + start] = made if job else made[::-1]

    jobs = [Thread(target=embed, args=(job,)) for job in (0, 1)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join(20)
    assert sum(model.texts for model in models) == 20
    assert sum(cache.misses for cache in caches) == sum(cache.found for cache in caches) == 20
    assert all(np.array_equal(rows[start], rows[100 + start]) for start in range(0, 20, 5))
    assert sum(cache.saved for cache in caches) > 0
    for cache in caches:
        cache.close()


def test_two_jobs_that_ask_the_same_at_once_pay_for_one_reply(tmp_path: Path) -> None:
    class Model:
        name, settings = "m", {"model": "m"}
        asked = 0

        def __call__(self, ask: Ask) -> Reply:
            Model.asked += 1
            sleep(0.05)
            return Reply(f"{Model.asked}", Usage(1, 30, 4))

        def close(self) -> None: ...

    met, replies = Barrier(2), list[Reply]()

    def ask() -> None:
        with closing(cached(Model(), str(tmp_path / "llm.db"))) as model:
            met.wait(5)
            replies.append(model(Ask("p", "", "Say hello.")))

    jobs = [Thread(target=ask) for _ in range(2)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join(20)
    assert Model.asked == 1
    assert [reply.text for reply in replies] == ["1", "1"]
    assert sorted(reply.cached for reply in replies) == [False, True]


def test_a_killed_process_leaves_its_work_to_who_waits(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "some.db"), KEY.decode()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout and holder.stdout.readline() == b"has it\n"
        mine, order = Exclusive(tmp_path / "some.db"), list[str]()

        def wait() -> None:
            with mine([KEY]):
                order.append("had it")

        waiting = Thread(target=wait)
        waiting.start()
        with mine([b"another one"]):  # what nobody works at is free
            order.append("another")
        sleep(0.05)
        order.append("killed")
        holder.kill()
        waiting.join(20)
    assert order == ["another", "killed", "had it"]
    mine.close()
