"""Logged: the entries of runs in MLflow, read back as a table."""

import os
from typing import TYPE_CHECKING, Any

from clew.errors import RunError

if TYPE_CHECKING:
    import pandas as pd

_TAGS = ("system", "ablation", "dataset", "commit")


def logged(uri: str, experiment: str = "clew") -> "pd.DataFrame":
    """Return a row for each entry, the first one first: name, status, tags, then its metrics.

    Raises:
        RunError: nothing was ever tracked there.
    """
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    import pandas as pd
    from mlflow.tracking import MlflowClient

    client = MlflowClient(uri)
    known = client.get_experiment_by_name(experiment)
    nothing = RunError(f"MLflow at {uri} has no run in {experiment}: start a run with that uri")
    if known is None:
        raise nothing
    found: list[Any] = []
    page: str | None = ""
    while page is not None:
        some = client.search_runs(
            [known.experiment_id], order_by=["attributes.start_time"], page_token=page or None
        )
        found += some
        page = some.token or None
    if not found:
        raise nothing
    return pd.DataFrame([_row(entry) for entry in found]).set_index("name")


def _row(entry: Any) -> dict[str, Any]:
    tags = {name: entry.data.tags.get(name, "") for name in _TAGS}
    parent = entry.data.tags.get("mlflow.parentRunId", "")
    head = {"name": entry.info.run_name, "status": entry.info.status, "parent": parent}
    return head | tags | dict(sorted(entry.data.metrics.items()))
