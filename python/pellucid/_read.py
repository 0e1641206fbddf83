"""Tables from files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _native
from ._warn import warn_user


def read_table(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    sheet: str | int | None = None,
    ignore: Sequence[str] = (),
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    merge_spellings: Sequence[str] = (),
    missing: Sequence[str] | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
) -> Any:
    """Read a table from a file as a pandas data frame, as the command line does.

    Reads CSV, TSV, .xlsx, .ods, .parquet, WEKA .arff, KEEL .dat and UCI .data files; text files may be
    compressed with gzip or Zstandard. Titles, totals and empty rows around the table are left out. Numbers
    with units or thousands separators become numbers, and dates become dates.

    Parameters
    ----------
    path : str, path or list of them
        The file. A folder, a pattern such as ``"part-*.csv"``, or a list of files is read as one table.
    sheet : str or int, default=None
        The sheet of a spreadsheet, by name or by number from 1. If None, the first one.
    ignore : list of str, default=()
        Columns to leave out.
    nominal : list of str, default=()
        Columns of numbers to read as text.
    numeric : list of str, default=()
        Columns to read as numbers. Other values in them become missing.
    merge_spellings : list of str, default=()
        Columns in which values that differ only in case or spaces become one value.
    missing : list of str, default=None
        Texts that mean a missing value, in addition to an empty cell. If None, the usual ones.
    delimiter, decimal, thousands : str, default=None
        The separators of values, decimals and thousands. If None, they are detected.
    encoding : str, default=None
        The encoding of a text file. If None, it is detected.

    Returns
    -------
    DataFrame
        The table. ``frame.attrs["notes"]`` has the notes of the reader.
    """
    import pandas

    if isinstance(path, (str, os.PathLike)):
        files = [os.fspath(path)]
    else:
        files = [os.fspath(file) for file in path]
    options = {
        "sheet": None if sheet is None else str(sheet),
        "ignore": list(ignore),
        "nominal": list(nominal),
        "numeric": list(numeric),
        "merge_spellings": list(merge_spellings),
        "missing": None if missing is None else list(missing),
        "delimiter": delimiter,
        "decimal": decimal,
        "thousands": thousands,
        "encoding": encoding,
    }
    columns, notes = _native.read_table(files, options)
    arrays = {name: _values(kind, numbers, categories) for name, kind, numbers, categories in columns}
    frame = pandas.DataFrame(arrays)
    frame.attrs["notes"] = notes
    for note in notes:
        if "differ only in case or spaces" in note or "treated" in note and "as missing" in note:
            warn_user(note)
    return frame


def _values(kind: str, numbers: list[float], categories: list[str]) -> np.ndarray:
    """Return the values of a column as an array."""
    array = np.asarray(numbers, dtype=np.float64)
    if kind == "text":
        return np.asarray([*categories, None], dtype=object)[array.astype(np.int64)]
    if kind == "truth":
        known = np.asarray([False, True, None], dtype=object)
        return known[np.where(np.isnan(array), 2, array).astype(np.int64)]
    if kind in ("day", "second"):
        seconds = array * 86400 if kind == "day" else array
        dates = np.where(np.isnan(array), 0, seconds).astype("datetime64[s]")
        dates[np.isnan(array)] = np.datetime64("NaT", "s")
        return dates
    return array
