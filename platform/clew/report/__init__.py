"""Reports: tables and explanations made from the files of a run."""
