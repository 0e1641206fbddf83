"""Conversion of arrays and data frames to native tables.

NumPy arrays are copied, for any number type and memory order. Data frames of Polars, PyArrow, DuckDB and
others use Arrow's C interface, which does not copy columns of 64-bit floats. pandas data frames are read
column by column, so that PyArrow is not required. Text is encoded as categories here. Masked values are
missing values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ._native import Table
from ._warn import warn_user


def is_frame(X: Any) -> bool:
    """Return whether X is a data frame."""
    return is_pandas(X) or (hasattr(X, "__arrow_c_stream__") and not hasattr(X, "to_frame"))


def is_pandas(X: Any) -> bool:
    """Return whether X is a pandas data frame."""
    # Look up the attributes on the class, because `dtypes` of an instance is computed on every access.
    return all(hasattr(type(X), name) for name in ("iloc", "dtypes", "columns"))


def is_sparse(X: Any) -> bool:
    """Return whether X is a sparse matrix or array of SciPy."""
    return hasattr(X, "tocsc") and hasattr(X, "nnz")


def take_rows(X: Any, rows: np.ndarray) -> Any:
    """Return some rows of a data frame or an array."""
    if is_pandas(X):
        return X.iloc[rows]
    if is_sparse(X):
        return X.tocsr()[rows]
    if type(X).__module__.startswith("polars"):
        return X[rows.tolist()]
    if hasattr(X, "__arrow_c_stream__"):
        import pyarrow

        return pyarrow.table(X).take(rows)
    return as_array(X)[rows]


def is_bags(X: Any) -> bool:
    """Return whether X is a list of tables, one per bag."""
    if not isinstance(X, (list, tuple)) or not X:
        return False
    return is_frame(X[0]) or getattr(X[0], "ndim", 0) == 2


def join_bags(bags: Sequence[Any]) -> tuple[Any, np.ndarray]:
    """Return the rows of all bags as one table, and the number of each row's bag, counted from 1."""
    lengths = [bag.shape[0] for bag in bags]
    if min(lengths) == 0:
        raise ValueError(f"bag {lengths.index(0) + 1} has no rows; expected at least one row")
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


def table_rows(X: Any) -> Any:
    """Return X as it is if it is a data frame or a sparse matrix, otherwise as an array."""
    return X if is_frame(X) or is_sparse(X) else as_array(X)


def as_array(values: Any) -> np.ndarray:
    """Return values as an array, with masked values as missing values."""
    if not isinstance(values, np.ma.MaskedArray):
        return np.asarray(values)
    mask, data = np.ma.getmaskarray(values), np.array(values.data)
    if not mask.any():
        return data
    kind = data.dtype.kind
    # Integers that a 64-bit float cannot represent stay integers, so that the user is warned about them.
    if kind == "f" or (kind in "iu" and (np.abs(data[~mask].astype(np.float64)) < 2**53).all()):
        data = data.astype(np.float64)
        data[mask] = np.nan
        return data
    objects: np.ndarray = data.astype(object)
    objects[mask] = None
    return objects


def column_names(X: Any) -> list[str]:
    """Return the column names. Columns of an array are ``x1``, ``x2``, ... as in a file without names."""
    if is_pandas(X):
        return [str(name) for name in X.columns]
    if hasattr(X, "column_names"):
        return [str(name) for name in X.column_names]
    if hasattr(X, "columns"):
        return [str(name) for name in X.columns]
    return [f"x{number}" for number in range(1, X.shape[1] + 1)]


def column_values(X: Any, name: str) -> list[Any]:
    """Return the values of one column of a data frame, found by its name."""
    if is_pandas(X):
        return list(X.iloc[:, column_names(X).index(name)].tolist())
    if type(X).__module__.startswith("polars"):
        return list(X[name].to_list())
    import pyarrow

    return list(pyarrow.table(X)[name].to_pylist())


def fill(table: Table, X: Any, names: list[str] | None = None) -> None:
    """Add all columns of a data frame or an array to a table.

    ``names`` replaces the column names, except for Arrow tables.
    """
    if is_pandas(X):
        for name, (_, series) in zip(names or column_names(X), X.items()):
            _add_series(table, name, series)
    elif hasattr(X, "__arrow_c_stream__"):
        table.add_arrow(_without_null_type(X))
    elif is_sparse(X):
        _add_sparse(table, X.tocsc(), names or column_names(X))
    else:
        X = as_array(X)
        _add_array(table, X, names or column_names(X))
    for name, number in table.rounded:
        warn_user(
            f"column {name!r} has whole numbers that a 64-bit float cannot represent, such as {number}. "
            "Numbers that differ only in their last digits become equal. If the numbers are codes, convert "
            "the column to text or to a category"
        )


def _without_null_type(X: Any) -> Any:
    """Return an Arrow table whose columns of the null type, in which all values are missing, are numbers."""
    if type(X).__module__.startswith("polars"):
        import polars

        empty = [name for name, dtype in X.schema.items() if dtype == polars.Null]
        return X.with_columns(polars.col(empty).cast(polars.Float64)) if empty else X
    return X


def _add_array(table: Table, X: np.ndarray, names: list[str]) -> None:
    if X.dtype.kind in "biuf" and X.dtype.itemsize <= 8:
        table.add_matrix(names, _plain(X))
        return
    for index, name in enumerate(names):
        add_values(table, name, X[:, index])


def _add_sparse(table: Table, X: Any, names: list[str]) -> None:
    """Add the columns of a sparse matrix, one after the other. Entries that are not stored are 0."""
    for index, name in enumerate(names):
        stored = slice(X.indptr[index], X.indptr[index + 1])
        values = np.zeros(X.shape[0], dtype=X.dtype)
        # A matrix may store several entries for one cell. They add up.
        np.add.at(values, X.indices[stored], X.data[stored])
        add_values(table, name, values)


def _plain(values: np.ndarray) -> np.ndarray:
    """Return numbers that the native module can read: aligned, in native byte order and of a Rust type."""
    if values.dtype == np.float16:
        return values.astype(np.float64)
    if not values.dtype.isnative:
        return values.astype(values.dtype.newbyteorder("="))
    return values if values.flags.aligned else values.copy()


def _add_series(table: Table, name: str, series: Any) -> None:
    """Add a pandas column."""
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
    """Add a one-dimensional array of any type."""
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
        raise ValueError(f"Complex data not supported: column {name!r}")
    else:
        _add_objects(table, name, values.tolist())


def _add_texts(table: Table, name: str, texts: list[str]) -> None:
    """Add text, converted to numbers if all texts are numbers."""
    try:
        table.add_numbers(name, np.array([float(text) for text in texts]))
    except ValueError:
        add_words(table, name, texts)


def _add_objects(table: Table, name: str, objects: list[Any]) -> None:
    """Add objects: as numbers if all are numbers, as booleans if all are booleans, otherwise as text."""
    known = [value for value in objects if not _is_missing(value)]
    if all(isinstance(value, (bool, np.bool_)) for value in known):
        if known:
            table.add_truths(name, [None if _is_missing(value) else bool(value) for value in objects])
        else:
            table.add_numbers(name, np.full(len(objects), np.nan))
    elif all(isinstance(value, (int, float, np.number)) for value in known):
        _add_number_objects(table, name, objects, known)
    else:
        try:
            texts = [None if _is_missing(value) else _text(value) for value in objects]
        except TypeError as error:
            raise TypeError(f"column {name!r}: {error}") from None
        add_words(table, name, texts)


def _add_number_objects(table: Table, name: str, objects: list[Any], known: list[Any]) -> None:
    """Add numbers that are objects, as 64-bit integers if all are integers."""
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
    """Add a column of text, where ``None`` is missing. Declared categories are not converted to numbers."""
    index: dict[str, int] = {}
    codes = [-1 if text is None else index.setdefault(text, len(index)) for text in texts]
    table.add_codes(name, np.array(codes, dtype=np.int64), list(index), declared)


def count_missing(values: np.ndarray) -> int:
    """Return the number of missing values in an array."""
    if values.dtype.kind == "f":
        return int(np.isnan(values).sum())
    return sum(map(_is_missing, values.tolist())) if values.dtype.kind == "O" else 0


def _is_missing(value: Any) -> bool:
    if value is None or value is np.ma.masked:
        return True
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    # pandas.NA and NaT, without importing pandas.
    return type(value).__name__ in ("NAType", "NaTType")


def _text(value: Any) -> str:
    """Return a value as it would be written to a text file."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (int, float, np.generic)) or hasattr(value, "isoformat"):
        return value.isoformat() if hasattr(value, "isoformat") else str(value)
    if type(value).__name__ in ("Decimal", "UUID", "Interval", "Period"):
        return str(value)
    kind = type(value).__name__
    raise TypeError(f"argument must be a string or a number, not {kind!r}")


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return the name with as many underscores appended as needed to make it unused."""
    taken = set(taken)
    while name in taken:
        name += "_"
    return name
