"""Exported queries predict in PostgreSQL as the model does, from columns of several types and from text.

The tests start a server of their own, in a temporary folder and without a network port.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from test_sql import as_text, table, target

from pellucid import NetworkClassifier, RuleClassifier, RuleRegressor, XCSClassifier

psycopg = pytest.importorskip("psycopg")

# The types of the columns of the table in the order of its columns.
TYPES = {
    "doubles": ("double precision", "double precision", "date", "text"),
    "decimals": ("numeric", "numeric(12, 2)", "timestamp", "varchar(40)"),
    "narrow": ("smallint", "real", "timestamp with time zone", "char(12)"),
    "text": ("text", "text", "text", "text"),
}


def program(name: str) -> str:
    """Return a program of PostgreSQL, which Debian keeps out of the search path."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(places[-1]) if places else shutil.which(name)
    if found is None:
        pytest.skip(f"PostgreSQL is not installed: there is no {name}")
    return found


def run(*line: str) -> None:
    """Run a program; PostgreSQL refuses to run as root."""
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    done = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd="/", **user)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def database() -> Iterator[Any]:
    control, folder = program("pg_ctl"), tempfile.mkdtemp(prefix="pellucid-")
    data, log = f"{folder}/data", f"{folder}/log"
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        account = ("--username", "tester", "--auth", "trust")
        run(program("initdb"), "--pgdata", data, *account, "--encoding", "UTF8")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off -c timezone=UTC"
        run(control, "--pgdata", data, "--log", log, "--wait", "--options", options, "start")
        try:
            where = {"host": folder, "user": "tester", "dbname": "postgres"}
            # The same query is run on tables with other types, so it must not be prepared.
            with psycopg.connect(**where, autocommit=True, prepare_threshold=None) as connection:
                yield connection
        finally:
            run(control, "--pgdata", data, "--mode", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def predicted(database: Any, query: str, frame: pd.DataFrame, types: tuple[str, ...]) -> list[Any]:
    """Return what a query predicts for a table with columns of these types."""
    quoted = ['"' + name.replace('"', '""') + '"' for name in frame.columns]
    columns = ", ".join(f"{name} {kind}" for name, kind in zip(quoted, types, strict=True))
    with database.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS data")
        cursor.execute(f"CREATE TABLE data ({columns})")
        with cursor.copy("COPY data FROM STDIN") as copy:
            for row in frame.astype(object).where(frame.notna(), None).itertuples(index=False):
                # Whole numbers without a point, as a column of integers needs them.
                copy.write_row([int(row[0]) if isinstance(row[0], float) else row[0], *row[1:]])
        cursor.execute(query)
        place = [column.name for column in cursor.description].index("predicted")
        return [row[place] for row in cursor.fetchall()]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("learner", [RuleClassifier, XCSClassifier, NetworkClassifier])
def test_queries_predict_as_the_model_does(database: Any, learner: Any, kind: str) -> None:
    train, test = table(1), table(11)
    small = {
        XCSClassifier: {"iterations": 5000},
        NetworkClassifier: {"nodes": 2, "rounds": 1, "islands": 1, "generations": 0},
    }
    model = learner(random_state=1, **small.get(learner, {})).fit(train, target(train, 1))
    if kind == "narrow":
        # A column of type real has about seven digits.
        test["income"] = test["income"].astype(np.float32).astype(float)
    expected = list(model.predict(test))
    assert len(set(expected)) == 2
    frame = as_text(test) if kind == "text" else test
    for dialect in ("postgresql", None):
        assert predicted(database, model.to_sql(dialect=dialect), frame, TYPES[kind]) == expected


def test_numbers_are_predicted_as_the_model_does(database: Any) -> None:
    train, test = table(5), table(6)
    model = RuleRegressor().fit(train, train.iloc[:, 0] * 2 + (train["town"] == "Ilford"))
    for frame, kind in ((test, "doubles"), (as_text(test), "text")):
        numbers = predicted(database, model.to_sql(dialect="postgresql"), frame, TYPES[kind])
        assert np.allclose(np.array(numbers, dtype=float), model.predict(test))


def test_a_view_can_be_queried(database: Any) -> None:
    train = table(7)
    model = RuleClassifier().fit(train, target(train, 7))
    plain = predicted(database, model.to_sql(dialect="postgresql"), train, TYPES["doubles"])
    with database.cursor() as cursor:
        cursor.execute(model.to_sql(view="answers", dialect="postgresql"))
        cursor.execute("SELECT predicted FROM answers")
        assert [row[0] for row in cursor.fetchall()] == plain == list(model.predict(train))
        cursor.execute("DROP VIEW answers")
