//! The columns of new entries, as arrays: a statement inserts any number of them.

use std::borrow::Cow;

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
    error::{OperationError, unwritable},
    text::escape,
};

/// The columns of new entries.
#[derive(Debug, Default)]
pub(crate) struct EntryColumns<'a> {
    number: Vec<i64>,
    at: Vec<i64>,
    is_whole: Vec<bool>,
    hash: Vec<Vec<u8>>,
    kind: Vec<&'a str>,
    task: Vec<Option<Cow<'a, str>>>,
    key: Vec<Option<&'a str>>,
    attempt: Vec<Option<i64>>,
    engine: Vec<Option<Cow<'a, str>>>,
    program: Vec<Option<Cow<'a, str>>>,
    millis: Vec<Option<i64>>,
    reply: Vec<Option<Cow<'a, str>>>,
    body: Vec<&'a str>,
    prompt: Vec<Option<String>>,
    texts: Vec<Option<String>>,
}

/// Returns the part of a statement that inserts entries of the row `run`, whose columns are the values from a number on.
pub(crate) fn insert(first: usize) -> String {
    let types =
        "bigint bigint boolean bytea text text text bigint text text bigint text text text text";
    let values: Vec<String> = types
        .split(' ')
        .enumerate()
        .map(|(index, name)| format!("${}::{name}[]", first + index))
        .collect();
    format!(
        "added AS (
            INSERT INTO cot.journal (run, number, at, is_whole, hash, kind, task, key, attempt, engine, program, millis,
                reply, body, prompt, texts)
            SELECT run.id, entry.* FROM run, UNNEST({}) AS entry
        )",
        values.join(", ")
    )
}

impl<'a> EntryColumns<'a> {
    /// Adds an entry.
    pub(crate) fn push(
        &mut self,
        number: u64,
        record: &'a Record,
        row: &'a Row,
        (hash, prompt): (EntryHash, Option<StoredPrompt>),
    ) -> Result<(), OperationError> {
        let list = prompt.as_ref().map(StoredPrompt::list).transpose();
        self.number.push(signed(number));
        self.at.push(millis(record.at()));
        self.is_whole.push(record.is_full_snapshot());
        self.hash.push(hash.as_bytes().to_vec());
        self.kind.push(row::kind(record));
        self.task.push(row::task(record).map(escape));
        self.key.push(row.key.as_deref());
        self.attempt.push(row::asked(record).map(|asked| i64::from(asked.key.attempt())));
        self.engine.push(row::engine(record).map(escape));
        self.program.push(row::program(record).map(escape));
        self.millis.push(row::elapsed(record));
        self.reply.push(row::reply(record).map(escape));
        self.body.push(&row.body);
        self.prompt.push(list.map_err(|error| unwritable("writing a prompt", error))?);
        self.texts.push(prompt.map(|prompt| escape(&prompt.texts).into_owned()));
        Ok(())
    }

    /// Adds the columns to a query.
    pub(crate) fn bind<'q>(
        self,
        query: Query<'q, Postgres, PgArguments>,
    ) -> Query<'q, Postgres, PgArguments>
    where
        'a: 'q,
    {
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
    }
}
