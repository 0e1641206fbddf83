"""Tables from files: spreadsheets, several files, and the notes of the reader."""

from pathlib import Path

import pandas as pd
import pytest

import pellucid

ROOT = Path(__file__).resolve().parents[2]
SHEETS = ROOT / "tests/data/spreadsheets"


def test_a_spreadsheet_becomes_a_frame() -> None:
    with pytest.warns(UserWarning, match="differ only in case or spaces|as missing"):
        frame = pellucid.read_table(SHEETS / "clinic.xlsx")
    assert frame.shape == (40, 7)
    assert list(frame.columns)[3:5] == ["blood pressure systolic", "blood pressure diastolic"]
    assert frame["seen"].iloc[0] == pd.Timestamp("2024-01-09")
    assert frame["age"].iloc[2] == 47 and frame["age"].isna().sum() == 1
    assert set(frame["outcome"]) == {"ill", "well"}
    assert any("read sheet 'Visits'" in note for note in frame.attrs["notes"])


def test_a_sheet_is_chosen_and_spellings_are_merged() -> None:
    assert pellucid.read_table(SHEETS / "clinic.xlsx", sheet=2).shape == (1, 2)
    with pytest.raises(ValueError, match="found no sheet 'Nope'"):
        pellucid.read_table(SHEETS / "clinic.xlsx", sheet="Nope")
    options = {"merge_spellings": ["work"], "numeric": ["age"], "missing": ["unclear", "#N/A"]}
    frame = pellucid.read_table(SHEETS / "clinic.xlsx", **options)
    assert set(frame["work"]) == {"Full-Time", "none", "part time"}


def test_several_files_are_one_table(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"part-{number}.csv").write_text(f"a,b\n{number},x\n{number + 10},\n")
    expected = [1.0, 11.0, 2.0, 12.0]
    paths = [tmp_path / "part-1.csv", tmp_path / "part-2.csv"]
    for path in (tmp_path, tmp_path / "part-*.csv", str(tmp_path), paths):
        frame = pellucid.read_table(path)  # type: ignore[arg-type]
        assert frame["a"].tolist() == expected
        assert frame["b"].isna().tolist() == [False, True, False, True]
    (tmp_path / "part-2.csv").write_text("a,c\n1,2\n")
    with pytest.raises(ValueError, match="part-2.csv, line 1: found the column names 'a,c'; expected 'a,b'"):
        pellucid.read_table(tmp_path)
    with pytest.raises(OSError, match="nowhere.csv"):
        pellucid.read_table(tmp_path / "nowhere.csv")
