//! The same process as a hand-written loop with a table of steps.

use std::{collections::VecDeque, hint::black_box, io::Write};

use cot_core::prelude::*;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::process::{
    BuilderState, Created, FieldDef, SHOWN, drop_oldest, newest, no_duplicate_name,
};

const SYSTEM: &str = "Do exactly what this step asks.";

const GOAL: &str = "\
The goal of the whole process:\nAdd the fields needed for a date-range order search\n\n";

const HISTORY: &str = "\
What has been done so far, as JSON, the latest last. An entry with \"output\" is a result that was \
accepted. An entry with \"goTo\" is a choice that was made: \"intent\" says what it was for, and \
\"stepAfter\" what was planned to come next. Go on from there, and don't repeat what is done:\n";

const CHOICE: &str = "\
Choose one of the tasks to do next.\n\n\
Reply with one JSON object of this type, and nothing else:\n\
{\n\
\x20 \"goTo\": string, // The name of the task.\n\
\x20 \"intent\": string, // What you mean to achieve, in a sentence.\n\
\x20 \"stepAfter\": string // What you mean to do after that task.\n\
}\n\n";

const FIELD: &str = "\
Generate one field definition.\n\
Its name is in camelCase and not taken, its title is shown above it.\n\n\
Reply with one JSON value of this type, and nothing else:\n";

/// The earlier steps as the prompt shows them.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Entry {
    Choice { task: &'static str, go_to: Target, intent: String, step_after: String },
    Output { task: &'static str, output: FieldDef },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Choice {
    intent: String,
    go_to: Target,
    step_after: String,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Target {
    AddField,
    Done,
}

/// A table with a row for each step: prompt, reply and state.
#[derive(Clone)]
pub(crate) struct Table {
    pool: PgPool,
    insert: String,
}

impl Table {
    /// Creates it in a schema of its own.
    pub(crate) async fn create(pool: &PgPool, schema: &str) -> Self {
        let sql = format!(
            "CREATE SCHEMA {schema};
             CREATE TABLE {schema}.steps (
                 id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, task text NOT NULL, prompt text NOT NULL,
                 reply text NOT NULL, state text NOT NULL
             );"
        );
        sqlx::raw_sql(&sql).execute(pool).await.expect("a table");
        let insert = format!(
            "INSERT INTO {schema}.steps (task, prompt, reply, state) VALUES ($1, $2, $3, $4)"
        );
        Self { pool: pool.clone(), insert }
    }

    async fn add(&self, task: &str, prompt: &str, reply: &str, state: &BuilderState) {
        let state = serde_json::to_string(state).expect("JSON");
        let insert = sqlx::query(&self.insert).bind(task).bind(prompt).bind(reply).bind(state);
        insert.execute(&self.pool).await.expect("a row");
    }
}

/// Returns the final state and the size of all prompts.
pub(crate) async fn by_hand(replies: &[String], table: &Table) -> (BuilderState, usize) {
    let mut replies = replies.iter();
    let mut state = BuilderState::default();
    let mut history = VecDeque::new();
    let mut prompts = 0;
    let mut ask = |prompt: &str| {
        prompts += SYSTEM.len() + black_box(prompt).len();
        replies.next().expect("a reply for each call").clone()
    };
    loop {
        let prompt = decide_prompt(&state, &history);
        let reply = ask(&prompt);
        let choice: Choice = serde_json::from_str(&reply).expect("a choice");
        let Choice { intent, go_to, step_after } = choice;
        remember(&mut history, Entry::Choice { task: "decide", go_to, intent, step_after });
        table.add("decide", &prompt, &reply, &state).await;
        if go_to == Target::Done {
            return (state, prompts);
        }
        let prompt = field_prompt(&state, &history);
        let reply = ask(&prompt);
        let field: FieldDef = serde_json::from_str(&reply).expect("a field");
        assert!(is_name(&field.name) && no_duplicate_name(&field, &state).is_ok());
        remember(&mut history, Entry::Output { task: "add_field", output: field.clone() });
        state.last_created =
            Some(Created { from_task: "add_field".to_owned(), name: field.name.clone() });
        state.current_ds.fields.push(field.clone());
        drop_oldest(&field, &mut state);
        table.add("add_field", &prompt, &reply, &state).await;
    }
}

fn remember(history: &mut VecDeque<Entry>, entry: Entry) {
    if history.len() == SHOWN {
        history.pop_front();
    }
    history.push_back(entry);
}

fn is_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|char| char.is_ascii_alphanumeric())
}

fn decide_prompt(state: &BuilderState, history: &VecDeque<Entry>) -> String {
    let mut prompt = prompt(state, history);
    prompt.extend_from_slice(CHOICE.as_bytes());
    prompt.extend_from_slice(b"The tasks:\n- \"add_field\": Add one more field\n");
    prompt.extend_from_slice(b"- \"done\": The data source serves the goal");
    String::from_utf8(prompt).expect("text")
}

fn field_prompt(state: &BuilderState, history: &VecDeque<Entry>) -> String {
    let mut prompt = prompt(state, history);
    prompt.extend_from_slice(FIELD.as_bytes());
    prompt.extend_from_slice(FieldDef::output_schema().notation().as_bytes());
    String::from_utf8(prompt).expect("text")
}

fn prompt(state: &BuilderState, history: &VecDeque<Entry>) -> Vec<u8> {
    let mut prompt = Vec::with_capacity(8192);
    prompt.extend_from_slice(b"A data source is built. Newest fields:\n");
    serde_json::to_writer(&mut prompt, newest(&state.current_ds.fields)).expect("JSON");
    write!(prompt, "\n\n{GOAL}").expect("room");
    if !history.is_empty() {
        prompt.extend_from_slice(HISTORY.as_bytes());
        serde_json::to_writer(&mut prompt, history).expect("JSON");
        prompt.extend_from_slice(b"\n\n");
    }
    prompt
}
