"""Writes the spreadsheets of this folder. Needs openpyxl and odfpy."""

import datetime
from pathlib import Path

from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P
from openpyxl import Workbook

HERE = Path(__file__).parent
DAY = datetime.date(2024, 1, 8)


def patients():
    """Rows of patients: a number, a date, an age, two pressures, work and the outcome."""
    for number in range(1, 41):
        age = 30 + (number * 7) % 50
        systolic = 110 + (number * 11) % 60
        work = ["full-time", "Full-Time", "part time", "none"][number % 4]
        outcome = "ill" if age + systolic > 195 else "well"
        yield number, DAY + datetime.timedelta(days=number), age, systolic, 60 + number % 30, work, outcome


def clinic():
    """A title, names in two rows with merged cells, empty rows, odd cells and totals; two more sheets."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Visits"
    sheet["A1"] = "Clinic North, first quarter"
    sheet.merge_cells("A1:G1")
    names = ["patient", "seen", "age", "blood pressure", None, "work", "outcome"]
    for column, name in enumerate(names, 1):
        sheet.cell(3, column, name)
    sheet["D4"], sheet["E4"] = "systolic", "diastolic"
    sheet.merge_cells("D3:E3")
    for letter in "ABCFG":
        sheet.merge_cells(f"{letter}3:{letter}4")
    row = 5
    for values in patients():
        for column, value in enumerate(values, 1):
            sheet.cell(row, column, value)
        row += 2 if values[0] == 20 else 1
    sheet["C7"] = "47"  # a number as text
    sheet["C9"] = "unclear"
    sheet["D10"] = "#N/A"
    sheet.cell(row, 1, "Total")
    sheet.cell(row, 3, "=SUM(C5:C45)")
    codes = book.create_sheet("Codes")
    codes.append(["code", "meaning"])
    codes.append([1, "yes"])
    book.create_sheet("Empty")
    book.save(HERE / "clinic.xlsx")


def visits():
    """Bags in merged cells: each patient has three visits."""
    book = Workbook()
    sheet = book.active
    sheet.append(["patient", "dose", "answer"])
    for patient in range(12):
        first = 2 + 3 * patient
        for visit in range(3):
            sheet.append([None, (patient * 5 + visit * 3) % 9, None])
        sheet.cell(first, 1, f"p{patient}")
        sheet.cell(first, 3, "yes" if patient % 2 else "no")
        sheet.merge_cells(start_row=first, end_row=first + 2, start_column=1, end_column=1)
        sheet.merge_cells(start_row=first, end_row=first + 2, start_column=3, end_column=3)
    book.save(HERE / "visits.xlsx")


def table():
    """A plain sheet with dates, numbers, truth values and an empty row, as OpenDocument."""
    document = OpenDocumentSpreadsheet()
    sheet = Table(name="Sheet1")
    document.spreadsheet.addElement(sheet)

    def add(cells):
        row = TableRow()
        for cell in cells:
            row.addElement(cell)
        sheet.addElement(row)

    def text(value):
        cell = TableCell(valuetype="string")
        cell.addElement(P(text=value))
        return cell

    add(map(text, ["seen", "age", "smoker", "outcome"]))
    for number, day, age, _, _, _, outcome in patients():
        if number == 10:
            add([TableCell(numbercolumnsrepeated=4)])
        smoker = "true" if number % 3 == 0 else "false"
        add([
            TableCell(valuetype="date", datevalue=day.isoformat()),
            TableCell(valuetype="float", value=age),
            TableCell(valuetype="boolean", booleanvalue=smoker),
            text(outcome),
        ])
    document.save(HERE / "table.ods")


clinic()
visits()
table()
