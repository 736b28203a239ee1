"""Tracking: runs beside each other, in MLflow or nowhere."""

from clew.tracking.contract import NoTracking, Status, Tracker
from clew.tracking.entry import Mlflow

__all__ = ["Mlflow", "NoTracking", "Status", "Tracker"]
