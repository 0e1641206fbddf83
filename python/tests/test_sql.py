"""Exported queries predict as the model does, in SQLite and DuckDB, from typed columns and from text."""

import sqlite3
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pellucid import RuleClassifier, RuleRegressor, XCSClassifier

duckdb = pytest.importorskip("duckdb")
sqlglot = pytest.importorskip("sqlglot")


def table(seed: int, rows: int = 300) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "it's \"age\"": random.integers(18, 90, rows).astype(float),
            "income": np.round(random.normal(40_000, 12_000, rows), 2),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 2000, rows), unit="D"),
            "town": random.choice(["Ilford", "St. Ives", "O'Brien\\Bay"], rows),
        }
    )
    frame.loc[random.random(rows) < 0.1, "income"] = np.nan
    frame.loc[random.random(rows) < 0.1, "town"] = None
    return frame


def target(frame: pd.DataFrame, seed: int) -> np.ndarray:
    score = (frame.iloc[:, 0] > 50).astype(int) + (frame["income"] > 45_000) + (frame["town"] == "Ilford")
    score = score + (frame["since"] > pd.Timestamp("2023-01-01"))
    noise = np.random.default_rng(seed).random(len(frame)) < 0.1
    return np.where((score >= 2) ^ noise, "yes", "no")


def as_text(frame: pd.DataFrame) -> pd.DataFrame:
    """The table as a CSV import without types has it."""
    text = frame.copy()
    text["since"] = text["since"].dt.strftime("%Y-%m-%d")
    return text.map(lambda value: "" if pd.isna(value) else str(value)).astype(str)


def by_sqlite(query: str, frame: pd.DataFrame) -> list[Any]:
    database = sqlite3.connect(":memory:")
    plain = frame.copy()
    for name in plain.columns[plain.dtypes == "datetime64[ns]"]:
        plain[name] = plain[name].dt.strftime("%Y-%m-%d")
    plain.to_sql("data", database, index=False)
    return [row["predicted"] for _, row in pd.read_sql(query, database).iterrows()]


def by_duckdb(query: str, frame: pd.DataFrame) -> list[Any]:
    database = duckdb.connect()
    database.register("data", frame)
    return database.execute(query).df()["predicted"].tolist()


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("learner", [RuleClassifier, XCSClassifier])
def test_queries_predict_as_the_model_does(learner: Any, seed: int) -> None:
    train, test = table(seed), table(seed + 10)
    small = {"iterations": 5000} if learner is XCSClassifier else {}
    model = learner(random_state=seed, **small).fit(train, target(train, seed))
    expected = list(model.predict(test))
    assert len(set(expected)) == 2
    for frame in (test, as_text(test)):
        assert by_sqlite(model.to_sql(dialect="sqlite"), frame) == expected
        assert by_duckdb(model.to_sql(dialect="duckdb"), frame) == expected


def test_numbers_are_predicted_as_the_model_does() -> None:
    train, test = table(5), table(6)
    model = RuleRegressor().fit(train, train.iloc[:, 0] * 2 + (train["town"] == "Ilford"))
    expected = model.predict(test)
    for by in (by_sqlite, by_duckdb):
        assert np.allclose(by(model.to_sql(), as_text(test)), expected)


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql", "duckdb", "bigquery", "spark"])
def test_every_dialect_has_its_syntax(dialect: str) -> None:
    train = table(7)
    model = RuleClassifier().fit(train, target(train, 7))
    query = model.to_sql(table="patients", dialect=dialect)
    parsed = sqlglot.parse_one(query, read={"postgresql": "postgres"}.get(dialect, dialect))
    assert [source.name for source in parsed.find_all(sqlglot.exp.Table)] == ["patients"]
    # The query means the same when it is translated back.
    back = parsed.sql("duckdb").replace("patients", "data").replace("BTRIM(", "TRIM(")
    assert by_duckdb(back, train) == list(model.predict(train))


def test_an_unknown_dialect_is_refused() -> None:
    train = table(8)
    model = RuleClassifier().fit(train, target(train, 8))
    with pytest.raises(ValueError, match="found 'mysql'; expected one of sqlite, postgresql"):
        model.to_sql(dialect="mysql")
