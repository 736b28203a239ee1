"""Refined: AriadneMem's paths over evidence that Mandol's stages have gone through.

In neither paper. It stands in the place of the path mining (AriadneMem §2.3), where the paper
prunes its evidence graph as well: the question and the stored changes of state are at hand
there, and no path leads through what was left out. So `AriadneMem` stays its Algorithm 1.
"""

from typing import ClassVar

from clew.model import Graph, Query
from clew.stage import stage
from clew.stages.arbitrate import Arbitrate
from clew.stages.paths import Mine
from clew.stages.refine import Denoise


@stage
class Refined:
    """Leave out noise, settle conflicts (Mandol §3.3.2), and mine the paths of what is left."""

    stages: ClassVar = ("denoise", "arbitrate", "mine")

    denoise: Denoise
    arbitrate: Arbitrate
    mine: Mine

    def __call__(self, graph: Graph, query: Query) -> Graph:
        """Return the graph with its paths; it says what was left out, and why."""
        return self.mine(self.arbitrate(query, self.denoise(graph)), query)
