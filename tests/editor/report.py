"""What was measured, as a table."""


class Report:
    """The rows of the table, and the reasons of those that missed their target."""

    def __init__(self):
        self.rows = []
        self.misses = []

    def target(self, what, wanted, measured, misses):
        """Adds a row, which fails if there are `misses`."""
        self.rows.append((what, wanted, measured, "MISSED" if misses else "ok"))
        self.misses += [f"{what}: {miss}" for miss in misses]

    def note(self, what, measured):
        """Adds a row without a target."""
        self.rows.append((what, "", measured, ""))

    def print(self):
        rows = [("what", "wanted", "measured", "")] + self.rows
        widths = [max(len(str(row[column])) for row in rows) for column in range(4)]
        print()
        for row in rows:
            cells = [str(cell).ljust(width) for cell, width in zip(row, widths)]
            print("  ".join(cells).rstrip())
        for miss in self.misses:
            print("MISSED", miss)

    def passed(self):
        return not self.misses
