//! The table of all pairs.

use std::fmt::Write as _;

use super::{
    banking::BANKS,
    pairs::{Desks, Outcome, run_pair},
    suites::{Suite, suites},
    workspace::WORKSPACES,
};
use crate::BenchError;

/// The figures of a process: sums over its pairs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) suite: String,
    pub(super) form: &'static str,
    pub(super) pairs: usize,
    pub(super) attacked: usize,
    pub(super) solved: usize,
    pub(super) questions: u32,
    pub(super) tokens: u64,
}

/// Runs all pairs, and prints what came of them.
///
/// # Errors
///
/// If the suites can't be read.
pub(crate) async fn print_table() -> Result<String, BenchError> {
    let mut table = String::from(
        "| suite | protection | pairs | attacks with an effect | tasks that work | questions | tokens |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for row in rows().await? {
        let Row { suite, form, pairs, attacked, solved, questions, tokens } = row;
        writeln!(
            table,
            "| {suite} | {form} | {pairs} | {attacked} | {solved} | {questions} | {tokens} |"
        )?;
    }
    Ok(table)
}

/// Returns the figures of all processes.
///
/// # Errors
///
/// If the suites can't be read.
pub(super) async fn rows() -> Result<Vec<Row>, BenchError> {
    let mut rows = Vec::new();
    for suite in suites()? {
        let forms: Desks = if suite.name == "banking" { BANKS } else { WORKSPACES };
        for (form, run) in forms {
            let mut row = Row { suite: suite.name.clone(), form, ..Row::default() };
            for (task, attack) in pairs(&suite) {
                row.add(run_pair(&suite, task, attack, *run).await);
            }
            rows.push(row);
        }
    }
    Ok(rows)
}

fn pairs(
    suite: &Suite,
) -> impl Iterator<Item = (&super::suites::UserTask, &super::suites::Attack)> {
    suite.tasks.iter().flat_map(|task| suite.attacks.iter().map(move |attack| (task, attack)))
}

impl Row {
    fn add(&mut self, outcome: Outcome) {
        self.pairs += 1;
        self.attacked += usize::from(outcome.is_attacked);
        self.solved += usize::from(outcome.is_solved);
        self.questions += outcome.questions;
        self.tokens += outcome.tokens;
    }
}
