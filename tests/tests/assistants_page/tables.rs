//! The tables of the grammar, from which the macros parse the items.

use cot_syntax::{
    BudgetItems, EFFORTS, HistoryItems, ON_FAILURES, PRIMERS, ProcessItems, ReadItems, RetryItems,
    STANDARD_PARTS, Table, TaskItems, TaskKind, ToolItems,
};

/// All kinds of tasks, with a name for each.
const KINDS: [(TaskKind, &str); 12] = [
    (TaskKind::Ai, "AI"),
    (TaskKind::Each, "for-each over a model"),
    (TaskKind::EachCode, "for-each over `run`"),
    (TaskKind::EachProcess, "for-each over `process`"),
    (TaskKind::Code, "code"),
    (TaskKind::Calls, "tool calls"),
    (TaskKind::Human, "person"),
    (TaskKind::Process, "sub-process"),
    (TaskKind::Parallel, "parallel"),
    (TaskKind::Gateway, "gateway"),
    (TaskKind::End, "`end`"),
    (TaskKind::Fail, "`fail`"),
];

/// Returns a table by its name on the page.
pub(crate) fn table(what: &str) -> Option<String> {
    Some(match what {
        "items of a process" => plain(ProcessItems::TABLE),
        "items of a task" => with_kinds(),
        "settings of a tool" => plain(ToolItems::TABLE),
        "items of retry" => plain(RetryItems::TABLE),
        "items of budget" => plain(BudgetItems::TABLE),
        "items of history" => plain(HistoryItems::TABLE),
        "items of read" => plain(ReadItems::TABLE),
        "words" => words(),
        _ => return None,
    })
}

fn plain<N>(table: &Table<N>) -> String {
    let rows = table.rows().iter().map(|row| format!("| `{}` | {} |\n", row.form, row.doc.trim()));
    format!("| item | what it is |\n|---|---|\n{}", rows.collect::<String>())
}

fn with_kinds() -> String {
    let row = |row: &cot_syntax::Row<TaskItems>| {
        format!("| `{}` | {} | {} |\n", row.form, row.doc.trim(), kinds(row.kinds))
    };
    let rows: String = TaskItems::TABLE.rows().iter().map(row).collect();
    format!("| item | what it is | in tasks of the kind |\n|---|---|---|\n{rows}")
}

/// The names of kinds, or of those that are missing, if these are fewer.
fn kinds(allowed: &[TaskKind]) -> String {
    let names = |is_allowed: bool| {
        let of = KINDS.iter().filter(|(kind, _)| allowed.contains(kind) == is_allowed);
        of.map(|(_, name)| *name).collect::<Vec<_>>()
    };
    match names(false) {
        missing if missing.is_empty() => "all".to_owned(),
        missing if missing.len() <= 4 => format!("all but {}", missing.join(", ")),
        _ => names(true).join(", "),
    }
}

/// The words that stand for themselves in values.
fn words() -> String {
    let row = |what: &str, words: &[&str]| format!("- {what}: `{}`.\n", words.join("`, `"));
    [
        row("Failures that `on` routes", &ON_FAILURES),
        row("Standard parts, for `order` and `${part(…)}`", &STANDARD_PARTS),
        row("Levels of `effort`", &EFFORTS),
        row("Primers", PRIMERS.words),
    ]
    .concat()
}
