//! Cases in CSV.

use csv::{ReaderBuilder, StringRecord, Trim};
use serde::de::DeserializeOwned;

use super::{
    case::Case,
    cell::{Cell, Node},
    error::CaseError,
    unique_cases::UniqueCases,
};

/// A column: where its cells belong in a case.
enum Column {
    Name,
    Tags,
    /// The state, the inputs or what is expected, and the members on the way to the value.
    Part(Part, Vec<String>),
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    State,
    Inputs,
    Expected,
}

impl<S: DeserializeOwned, E: DeserializeOwned, I: DeserializeOwned> Case<S, E, I> {
    /// Reads cases from CSV (RFC 4180) with a head. The columns are `name`, `tags` (separated by spaces), and `state`,
    /// `inputs` and `expected`, or members of these, as in `state.order.number`. A cell is read as what its type says: `007` is a
    /// text for a `String` and 7 for a number; an empty cell is `None` for an `Option`; lists and maps are JSON. Blanks
    /// around a cell belong to a `String` alone.
    ///
    /// In flattened and untagged types serde does not say what it wants: there, a cell is JSON if it can be, and a text that
    /// looks like a number is written in quotes, as `"007"`.
    ///
    /// ```
    /// use cot_core::eval::Case;
    ///
    /// #[derive(Debug, PartialEq, serde::Deserialize)]
    /// struct Mail {
    ///     text: String,
    ///     stars: Option<u8>,
    /// }
    ///
    /// let csv = "name,tags,state.text,state.stars,expected\nhello,easy short,\"Hi, you\",,friends\n";
    /// let cases = Case::<Mail, String>::from_csv(csv)?;
    /// assert_eq!(cases[0].state, Mail { text: "Hi, you".to_owned(), stars: None });
    /// assert_eq!(cases[0].tags, ["easy", "short"]);
    /// # Ok::<_, cot_core::eval::CaseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first cell that is wrong, or a name that is repeated, with line and column; a text without a case.
    pub fn from_csv(text: &str) -> Result<Vec<Self>, CaseError> {
        let mut reader = ReaderBuilder::new().trim(Trim::Headers).from_reader(text.as_bytes());
        let head = reader.headers().map_err(|error| unreadable(&error))?.clone();
        let columns = columns(&head)?;
        let mut cases = UniqueCases::new();
        for row in reader.records() {
            let row = row.map_err(|error| unreadable(&error))?;
            let line = row.position().map_or(0, |position| position.line());
            let line = usize::try_from(line).unwrap_or(usize::MAX);
            cases.add(line, read(&columns, &head, &row))?;
        }
        cases.finish()
    }
}

/// Reads the head.
fn columns(head: &StringRecord) -> Result<Vec<Column>, CaseError> {
    let column = |(index, name): (usize, &str)| {
        let mut path = name.split('.').map(str::to_owned);
        let first = path.next().unwrap_or_default();
        let path: Vec<String> = path.collect();
        match (&*first, path.is_empty()) {
            ("name", true) => Ok(Column::Name),
            ("tags", true) => Ok(Column::Tags),
            ("state", _) => Ok(Column::Part(Part::State, path)),
            ("inputs", _) => Ok(Column::Part(Part::Inputs, path)),
            ("expected", _) => Ok(Column::Part(Part::Expected, path)),
            _ => {
                let reason = format!(
                    "`{name}` is no column of a case; these are `name`, `tags`, `state`, `inputs` and `expected`, or \
                     members of these, as in `state.text`"
                );
                Err(CaseError { line: 1, column: index + 1, reason })
            }
        }
    };
    let columns = head.iter().enumerate().map(column).collect::<Result<Vec<_>, _>>()?;
    for (index, name) in head.iter().enumerate() {
        if head.iter().take(index).any(|other| other == name) {
            let reason = format!("the column `{name}` exists twice");
            return Err(CaseError { line: 1, column: index + 1, reason });
        }
    }
    if !columns.iter().any(|column| matches!(column, Column::Name)) {
        let reason = "the column `name` is missing".to_owned();
        return Err(CaseError { line: 1, column: 1, reason });
    }
    Ok(columns)
}

/// Reads a row. The error is a column and a reason.
fn read<S: DeserializeOwned, E: DeserializeOwned, I: DeserializeOwned>(
    columns: &[Column],
    head: &StringRecord,
    row: &StringRecord,
) -> Result<Case<S, E, I>, (usize, String)> {
    let (mut name, mut tags) = (String::new(), Vec::new());
    let mut parts = [Node::Empty, Node::Empty, Node::Empty];
    let cells = row.iter().zip(head).enumerate();
    for (column, (index, (text, title))) in columns.iter().zip(cells) {
        let (part, path) = match column {
            Column::Name => {
                text.trim().clone_into(&mut name);
                continue;
            }
            Column::Tags => {
                tags = text.split_whitespace().map(str::to_owned).collect();
                continue;
            }
            Column::Part(part, path) => (part, path),
        };
        let cell = Cell { column: index + 1, title, text };
        if !parts[*part as usize].insert(path, cell) {
            return Err((index + 1, format!("`{title}` is both a value and has members")));
        }
    }
    let [state, inputs, expected] = parts;
    let state = match state {
        // A state of which no member is needed.
        Node::Empty => S::deserialize(Node::Members(Vec::new())).or_else(|_| S::deserialize(state)),
        state => S::deserialize(state),
    };
    Ok(Case {
        name,
        state: state.map_err(|error| error.located("state"))?,
        inputs: I::deserialize(inputs).map_err(|error| error.located("inputs"))?,
        expected: E::deserialize(expected).map_err(|error| error.located("expected"))?,
        tags,
    })
}

/// Converts the error of a text that is not CSV.
fn unreadable(error: &csv::Error) -> CaseError {
    let line = error.position().map_or(1, csv::Position::line);
    let line = usize::try_from(line).unwrap_or(usize::MAX);
    CaseError { line, column: 1, reason: error.to_string() }
}
