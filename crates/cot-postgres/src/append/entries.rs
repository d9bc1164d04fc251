//! The columns of new entries, as arrays: a statement inserts any number of them.

use cot_store::{
    EntryHash, Record,
    internal::{
        StoredPrompt, millis,
        row::{self, Row},
        signed,
    },
};
use sqlx::{Postgres, postgres::PgArguments, query::Query};

use crate::{
    append::progress::arrays,
    error::{OperationError, unwritable},
    text::escape,
};

/// The columns of new entries.
#[derive(Debug, Default)]
pub(crate) struct EntryColumns {
    /// The ids of the runs; none until the columns are put together.
    run: Vec<i64>,
    number: Vec<i64>,
    at: Vec<i64>,
    is_whole: Vec<bool>,
    hash: Vec<Vec<u8>>,
    kind: Vec<&'static str>,
    task: Vec<Option<String>>,
    key: Vec<Option<String>>,
    attempt: Vec<Option<i64>>,
    engine: Vec<Option<String>>,
    program: Vec<Option<String>>,
    millis: Vec<Option<i64>>,
    reply: Vec<Option<String>>,
    body: Vec<String>,
    prompt: Vec<Option<String>>,
    texts: Vec<Option<String>>,
    marks: Vec<Option<String>>,
}

/// Returns the part of a statement that inserts entries of the rows `run`. Their columns are the values from a number on,
/// and the first is the id of the run.
pub(crate) fn insert(first: usize) -> String {
    let (run, arrays, columns) = (arrays("bigint", first), arrays(TYPES, first + 1), COLUMNS);
    format!(
        "added AS (
            INSERT INTO cot.journal (run, {columns})
            SELECT entry.* FROM UNNEST({run}, {arrays}) AS entry(run, {columns})
            WHERE entry.run IN (SELECT id FROM run)
        )"
    )
}

/// Like [`insert`], for entries of the one row `run`, whose id is not a value.
pub(crate) fn insert_for_one(first: usize) -> String {
    let (arrays, columns) = (arrays(TYPES, first), COLUMNS);
    format!(
        "added AS (
            INSERT INTO cot.journal (run, {columns})
            SELECT run.id, entry.* FROM run, UNNEST({arrays}) AS entry
        )"
    )
}

const TYPES: &str =
    "bigint bigint boolean bytea text text text bigint text text bigint text text text text text";

const COLUMNS: &str = "number, at, is_whole, hash, kind, task, key, attempt, engine, program, millis, reply, body, prompt, texts, marks";

fn owned(text: &str) -> String {
    escape(text).into_owned()
}

impl EntryColumns {
    /// Adds an entry.
    pub(crate) fn push(
        &mut self,
        number: u64,
        record: &Record,
        row: &Row,
        (hash, prompt): (EntryHash, Option<StoredPrompt>),
    ) -> Result<(), OperationError> {
        let list = prompt.as_ref().map(StoredPrompt::list).transpose();
        self.number.push(signed(number));
        self.at.push(millis(record.at()));
        self.is_whole.push(record.is_full_snapshot());
        self.hash.push(hash.as_bytes().to_vec());
        self.kind.push(row::kind(record));
        self.task.push(row::task(record).map(owned));
        self.key.push(row.key.clone());
        self.attempt.push(row::asked(record).map(|asked| i64::from(asked.key.attempt())));
        self.engine.push(row::engine(record).map(owned));
        self.program.push(row::program(record).map(owned));
        self.millis.push(row::elapsed(record));
        self.reply.push(row::reply(record).map(owned));
        self.body.push(row.body.clone());
        self.prompt.push(list.map_err(|error| unwritable("writing a prompt", error))?);
        self.texts.push(prompt.map(|prompt| escape(&prompt.texts).into_owned()));
        self.marks.push(row.marks.clone());
        Ok(())
    }

    /// Adds the entries of a run.
    pub(crate) fn extend(&mut self, run: i64, other: &Self) {
        self.run.extend(other.number.iter().map(|_| run));
        self.number.extend(&other.number);
        self.at.extend(&other.at);
        self.is_whole.extend(&other.is_whole);
        self.hash.extend_from_slice(&other.hash);
        self.kind.extend(&other.kind);
        self.task.extend_from_slice(&other.task);
        self.key.extend_from_slice(&other.key);
        self.attempt.extend(&other.attempt);
        self.engine.extend_from_slice(&other.engine);
        self.program.extend_from_slice(&other.program);
        self.millis.extend(&other.millis);
        self.reply.extend_from_slice(&other.reply);
        self.body.extend_from_slice(&other.body);
        self.prompt.extend_from_slice(&other.prompt);
        self.texts.extend_from_slice(&other.texts);
        self.marks.extend_from_slice(&other.marks);
    }

    /// Adds the columns to a query, for [`insert`].
    pub(crate) fn bind(
        mut self,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Query<'_, Postgres, PgArguments> {
        let query = query.bind(std::mem::take(&mut self.run));
        self.bind_for_one(query)
    }

    /// Adds the columns to a query, for [`insert_for_one`].
    pub(crate) fn bind_for_one(
        self,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Query<'_, Postgres, PgArguments> {
        query
            .bind(self.number)
            .bind(self.at)
            .bind(self.is_whole)
            .bind(self.hash)
            .bind(self.kind)
            .bind(self.task)
            .bind(self.key)
            .bind(self.attempt)
            .bind(self.engine)
            .bind(self.program)
            .bind(self.millis)
            .bind(self.reply)
            .bind(self.body)
            .bind(self.prompt)
            .bind(self.texts)
            .bind(self.marks)
    }
}
