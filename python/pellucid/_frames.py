"""Tables of any kind on their way into the engine.

NumPy arrays are copied, whatever their number type and order. Frames of Polars, PyArrow, DuckDB and others
come over Arrow's C interface, and their doubles are not copied. Those of pandas are read column by column, so
that PyArrow need not be there. Words become codes here. Masked values are missing values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ._native import Table
from ._warn import warn_user


def is_frame(X: Any) -> bool:
    """Whether something has named columns."""
    return is_pandas(X) or (hasattr(X, "__arrow_c_stream__") and not hasattr(X, "to_frame"))


def is_pandas(X: Any) -> bool:
    # Asked of the class, as the columns' types of a frame are gathered anew whenever they are asked for.
    return all(hasattr(type(X), name) for name in ("iloc", "dtypes", "columns"))


def is_bags(X: Any) -> bool:
    """Whether something is a list of tables, one for each bag."""
    if not isinstance(X, (list, tuple)) or not X:
        return False
    return is_frame(X[0]) or getattr(X[0], "ndim", 0) == 2


def joined(bags: Sequence[Any]) -> tuple[Any, np.ndarray]:
    """The rows of all bags as one table, and the number of each row's bag, from 1."""
    lengths = [bag.shape[0] for bag in bags]
    if min(lengths) == 0:
        raise ValueError(f"bag {lengths.index(0) + 1} has no rows; at least one was expected")
    first = bags[0]
    if is_pandas(first):
        import pandas

        table = pandas.concat(list(bags), ignore_index=True)
    elif type(first).__module__.startswith("polars"):
        import polars

        table = polars.concat(list(bags))
    elif hasattr(first, "__arrow_c_stream__"):
        import pyarrow

        table = pyarrow.concat_tables([pyarrow.table(bag) for bag in bags])
    else:
        table = np.concatenate([as_array(bag) for bag in bags])
    return table, np.repeat(np.arange(1, len(bags) + 1), lengths)


def as_array(values: Any) -> np.ndarray:
    """An array of whatever was given; masked values become missing ones."""
    if not isinstance(values, np.ma.MaskedArray):
        return np.asarray(values)
    mask, shown = np.ma.getmaskarray(values), np.array(values.data)
    if not mask.any():
        return shown
    kind = shown.dtype.kind
    # Whole numbers that a double cannot hold stay what they are, so that there is a warning of them.
    if kind == "f" or (kind in "iu" and (np.abs(shown[~mask].astype(np.float64)) < 2**53).all()):
        shown = shown.astype(np.float64)
        shown[mask] = np.nan
        return shown
    objects: np.ndarray = shown.astype(object)
    objects[mask] = None
    return objects


def column_names(X: Any) -> list[str]:
    """What the columns are called; those of an array ``x1``, ``x2`` and so on, as in a file without names."""
    if is_pandas(X):
        return [str(name) for name in X.columns]
    if hasattr(X, "column_names"):
        return [str(name) for name in X.column_names]
    if hasattr(X, "columns"):
        return [str(name) for name in X.columns]
    return [f"x{number}" for number in range(1, X.shape[1] + 1)]


def fill(table: Table, X: Any, names: list[str] | None = None) -> None:
    """Adds all columns of a frame or an array to a table, by other names than their own if some are given; those of Arrow keep theirs."""
    if is_pandas(X):
        for name, (_, series) in zip(names or column_names(X), X.items()):
            _add_series(table, name, series)
    elif hasattr(X, "__arrow_c_stream__"):
        table.add_arrow(X)
    else:
        X = as_array(X)
        _add_array(table, X, names or column_names(X))
    for name, number in table.rounded:
        warn_user(
            f"column {name!r} has whole numbers that a 64-bit float cannot hold, such as {number}: numbers "
            "that differ only in their last digits become equal. If they are codes, make the column text or a "
            "category"
        )


def _add_array(table: Table, X: np.ndarray, names: list[str]) -> None:
    if X.dtype.kind in "biuf" and X.dtype.itemsize <= 8:
        table.add_matrix(names, _plain(X))
        return
    for place, name in enumerate(names):
        add_values(table, name, X[:, place])


def _plain(values: np.ndarray) -> np.ndarray:
    """Numbers as the native layer reads them: aligned, of native byte order and of a type that Rust has."""
    if values.dtype == np.float16:
        return values.astype(np.float64)
    if not values.dtype.isnative:
        return values.astype(values.dtype.newbyteorder("="))
    return values if values.flags.aligned else values.copy()


def _add_series(table: Table, name: str, series: Any) -> None:
    """A column of pandas."""
    dtype = series.dtype
    if hasattr(dtype, "categories"):
        texts = [_text(category) for category in dtype.categories]
        codes = series.cat.codes.to_numpy(np.int64)
        if len(set(texts)) == len(texts):
            table.add_codes(name, codes, texts, True)
        else:
            words = [None if code < 0 else texts[code] for code in codes.tolist()]
            add_words(table, name, words, declared=True)
    elif dtype.kind == "M":
        if getattr(dtype, "tz", None) is not None:
            series = series.dt.tz_convert("UTC").dt.tz_localize(None)
        add_values(table, name, series.to_numpy())
    elif isinstance(dtype, np.dtype):
        add_values(table, name, series.to_numpy())
    elif dtype.kind in "iu":
        missing = series.isna().to_numpy(dtype=bool)
        table.add_numbers(name, series.to_numpy(dtype=f"{dtype.kind}8", na_value=0), missing)
    elif dtype.kind == "f":
        table.add_numbers(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    else:
        add_values(table, name, series.to_numpy(dtype=object))


def add_values(table: Table, name: str, values: np.ndarray) -> None:
    """Adds an array of one dimension, whatever it holds."""
    kind = values.dtype.kind
    if kind in "biuf" and values.dtype.itemsize <= 8:
        table.add_numbers(name, _plain(values))
    elif kind == "M":
        moments = values.astype("datetime64[us]")
        seconds = moments.astype(np.int64) / 1e6
        seconds[np.isnat(moments)] = np.nan
        table.add_seconds(name, seconds)
    elif kind in "US":
        _add_texts(table, name, values.astype(str).tolist())
    elif kind == "m":
        table.add_numbers(name, values.astype("timedelta64[us]").astype(np.float64) / 1e6)
    elif kind == "c":
        raise ValueError(f"Complex data not supported: column '{name}'")
    else:
        _add_objects(table, name, values.tolist())


def _add_texts(table: Table, name: str, texts: list[str]) -> None:
    """Texts that came as such: numbers if all of them are numbers."""
    try:
        table.add_numbers(name, np.array([float(text) for text in texts]))
    except ValueError:
        add_words(table, name, texts)


def _add_objects(table: Table, name: str, objects: list[Any]) -> None:
    """Objects: numbers if all are, truth values if all are, otherwise words as a file would have them."""
    known = [value for value in objects if not _is_missing(value)]
    if all(isinstance(value, (bool, np.bool_)) for value in known):
        if known:
            table.add_truths(name, [None if _is_missing(value) else bool(value) for value in objects])
        else:
            table.add_numbers(name, np.full(len(objects), np.nan))
    elif all(isinstance(value, (int, float, np.number)) for value in known):
        _add_number_objects(table, name, objects, known)
    else:
        add_words(table, name, [None if _is_missing(value) else _text(value) for value in objects])


def _add_number_objects(table: Table, name: str, objects: list[Any], known: list[Any]) -> None:
    """Numbers that came as objects, in 64 bits if all of them are whole."""
    if all(isinstance(value, (int, np.integer)) for value in known):
        try:
            whole = np.array([0 if _is_missing(value) else int(value) for value in objects], dtype=np.int64)
            table.add_numbers(name, whole, np.array([_is_missing(value) for value in objects]))
            return
        except OverflowError:
            pass
    try:
        numbers = [np.nan if _is_missing(value) else float(value) for value in objects]
    except OverflowError:
        raise ValueError(f"column {name!r} has a number that is too large for a 64-bit float") from None
    table.add_numbers(name, np.array(numbers))
    for value in known:
        if isinstance(value, (int, np.integer)) and int(float(value)) != int(value):
            table.add_rounded(name, str(value))
            return


def add_words(table: Table, name: str, texts: Iterable[str | None], *, declared: bool = False) -> None:
    """Adds a column of words; ``None`` is a missing one. Declared categories are not retyped."""
    index: dict[str, int] = {}
    codes = [-1 if text is None else index.setdefault(text, len(index)) for text in texts]
    table.add_codes(name, np.array(codes, dtype=np.int64), list(index), declared)


def _is_missing(value: Any) -> bool:
    if value is None or value is np.ma.masked:
        return True
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    # pandas.NA and NaT, without asking for pandas.
    return type(value).__name__ in ("NAType", "NaTType")


def _text(value: Any) -> str:
    """A value as a file would have it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (int, float, np.generic)) or hasattr(value, "isoformat"):
        return value.isoformat() if hasattr(value, "isoformat") else str(value)
    if type(value).__name__ in ("Decimal", "UUID", "Interval"):
        return str(value)
    kind = type(value).__name__
    raise TypeError(f"argument must be a string or a number, not {kind!r}")


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """A name that no column has yet."""
    taken = set(taken)
    while wanted in taken:
        wanted += "_"
    return wanted
