//! Text tables.

use clap::builder::styling::Style;
use unicode_width::UnicodeWidthStr;

use super::words::one_line;

/// The number of blanks between two columns.
const GAP: usize = 2;

/// A table with a title line.
pub(super) struct Table<const N: usize> {
    rows: Vec<[Cell; N]>,
}

pub(super) struct Cell {
    text: String,
    style: Style,
    is_number: bool,
}

impl Cell {
    pub(super) fn text(text: impl AsRef<str>) -> Self {
        Self { text: one_line(text.as_ref()), style: Style::new(), is_number: false }
    }

    /// Creates a right-aligned cell.
    pub(super) fn number(number: impl ToString) -> Self {
        Self { is_number: true, ..Self::text(number.to_string()) }
    }

    pub(super) fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// Pads the cell to a width in terminal columns.
    fn padded(&self, width: usize) -> String {
        let Self { text, style, is_number } = self;
        let gap = " ".repeat(width.saturating_sub(text.width()));
        let text = format!("{style}{text}{style:#}");
        if *is_number { gap + &text } else { text + &gap }
    }
}

impl<const N: usize> Table<N> {
    pub(super) fn new(titles: [Cell; N]) -> Self {
        Self { rows: vec![titles.map(|title| title.style(Style::new().bold()))] }
    }

    pub(super) fn push(&mut self, row: [Cell; N]) {
        self.rows.push(row);
    }

    pub(super) fn to_text(&self) -> String {
        let width = |column: usize| self.rows.iter().map(|row| row[column].text.width()).max();
        let widths: [usize; N] = std::array::from_fn(|column| width(column).unwrap_or_default());
        let line = |row: &[Cell; N]| {
            let cells = row.iter().zip(widths).map(|(cell, width)| cell.padded(width));
            let line = cells.collect::<Vec<_>>().join(&" ".repeat(GAP));
            format!("{}\n", line.trim_end())
        };
        self.rows.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_a_terminal_shows_them() {
        let mut table = Table::new([Cell::text("a"), Cell::number("n"), Cell::text("b")]);
        table.push([Cell::text("日本"), Cell::number(10), Cell::text("x\u{1b}\n")]);
        table.push([Cell::text("Größe"), Cell::number(7), Cell::text("y")]);
        let text = anstream::adapter::strip_str(&table.to_text()).to_string();
        assert_eq!(text, "a       n  b\n日本   10  x\\u{1b}\nGröße   7  y\n");
    }
}
