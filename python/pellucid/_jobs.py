"""Numbers of threads, as in scikit-learn."""

from __future__ import annotations


def thread_count(n_jobs: int | None) -> int | None:
    """Return the number of threads. None is 1, or what the context of joblib sets."""
    if n_jobs is not None:
        return n_jobs
    from joblib import effective_n_jobs

    count: int = effective_n_jobs(None)
    return count
