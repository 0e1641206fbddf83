"""Writes the raw files of the stories: clinic.xlsx, credit.csv and molecules.csv. Needs openpyxl.

All values are random numbers; the rules behind them are in the functions below.
"""

import csv
import datetime
import random
from pathlib import Path

from openpyxl import Workbook

HERE = Path(__file__).parent


def clinic():
    """Discharged patients and who was readmitted, as a spreadsheet that people keep by hand."""
    chance = random.Random(1)
    book = Workbook()
    sheet = book.active
    sheet.title = "Discharges"
    sheet["A1"] = "Ward 4, discharges January to June"
    sheet.merge_cells("A1:I1")
    names = ["patient", "discharged", "age", "blood pressure", None, "creatinine", "lives alone", "drugs",
             "readmitted"]
    for column, name in enumerate(names, 1):
        sheet.cell(3, column, name)
    sheet["D4"], sheet["E4"] = "systolic", "diastolic"
    sheet.merge_cells("D3:E3")
    for letter in "ABCFGHI":
        sheet.merge_cells(f"{letter}3:{letter}4")
    day, row = datetime.date(2026, 1, 5), 5
    for number in range(1, 241):
        age, drugs = chance.randint(38, 92), chance.randint(0, 12)
        alone, creatinine = chance.random() < 0.4, round(chance.uniform(0.6, 2.4), 1)
        risk = (age > 75 and alone) or creatinine > 1.9 or drugs > 10
        readmitted = risk if chance.random() < 0.92 else not risk
        answer = chance.choice(["yes", "Yes"]) if alone else "no"
        day += datetime.timedelta(days=chance.random() < 0.7)
        known = "yes" if readmitted else "no"
        values = [f"P{number:03}", day, age, chance.randint(105, 180), chance.randint(60, 105), creatinine,
                  answer, drugs, known if number <= 228 else None]
        if number % 60 == 7:
            values[5] = 999
        if number == 31:
            values[2] = "unknown"
        for column, value in enumerate(values, 1):
            sheet.cell(row, column, value)
        row += 2 if number == 120 else 1
    sheet.cell(row + 1, 1, "Total: 240 discharges")
    codes = book.create_sheet("Codes")
    codes.append(["value", "meaning"])
    codes.append([999, "creatinine not measured"])
    book.save(HERE / "clinic.xlsx")


def credit():
    """Loans and which of them defaulted, as a report with thousands separators and totals."""
    chance = random.Random(2)
    with open(HERE / "credit.csv", "w", newline="") as file:
        out = csv.writer(file)
        names = ["loan", "amount", "income", "employment", "late payments", "years at address", "default"]
        out.writerow(names)
        total = 0
        for number in range(1, 401):
            amount, income = chance.randrange(1000, 30000, 50), chance.randrange(12000, 90000, 100)
            late, years = min(chance.randint(0, 9), chance.randint(0, 9)), chance.randint(0, 25)
            work = chance.choice(["full-time", "Full-Time", "part time", "self-employed", "none"])
            risk = late >= 3 or (amount > 0.4 * income and work in ("none", "part time"))
            default = risk if chance.random() < 0.9 else not risk
            total += amount
            out.writerow([f"L{number:04}", f"{amount:,.2f}", f"{income:,.2f}", work, late, years,
                          "yes" if default else "no"])
        out.writerow(["Total", f"{total:,.2f}", "", "", "", "", ""])


def molecules():
    """Molecules with several shapes each; a molecule binds if one of its shapes does."""
    chance = random.Random(3)
    with open(HERE / "molecules.csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["molecule", "width", "length", "charge", "energy", "binds"])
        for number in range(1, 121):
            shapes = [
                [round(chance.uniform(2, 9), 2), round(chance.uniform(5, 15), 2),
                 round(chance.uniform(-1, 1), 2), round(chance.uniform(-40, -5), 1)]
                for _ in range(chance.randint(2, 7))
            ]
            binds = any(4.0 < width <= 6.5 and charge > 0.2 for width, _, charge, _ in shapes)
            for shape in shapes:
                out.writerow([f"m{number}", *shape, "yes" if binds else "no"])


clinic()
credit()
molecules()
