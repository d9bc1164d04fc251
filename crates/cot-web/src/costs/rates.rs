//! Retries and repairs by task: where a process is weak.

use cot_store::Spending;
use maud::{Markup, html};

use super::sums::by_key;
use crate::{
    frame::{
        number::grouped,
        plot::{percent, percent_text, share},
        table::table,
        text::shown,
    },
    visit::Visit,
};

/// The number of tasks that are listed.
const MAX_TASKS: usize = 100;

/// Renders the tasks, those whose attempts fail most often first.
pub(super) fn rates(visit: &Visit, rows: &[Spending]) -> Markup {
    let key = |row: &Spending| format!("{}\0{}", row.process, row.task);
    let weakness = |row: &Spending| {
        percent(row.failed_attempts, row.attempts) + percent(row.repairs, row.attempts) / 1_000.0
    };
    let mut tasks = by_key(rows, key, weakness);
    tasks.retain(|(_, row)| row.attempts > 0);
    let columns = [
        ("Task", false),
        ("Attempts", true),
        ("Failed", false),
        ("Repairs for 100 attempts", false),
    ];
    html! {
        section.stack aria-labelledby="weak" {
            h2 #weak { "Retries and repairs by task" }
            p.muted {
                "An attempt fails when its call fails or its reply is rejected. A repair is a correction that the reader made in a reply. "
                "Tasks at the top cost the most retries: look at their prompts and checks first."
            }
            @if tasks.is_empty() { p { "No model was asked." } }
            @else {
                (table("Failed attempts and repairs by task", &columns, html! {
                    @for (_, task) in tasks.iter().take(MAX_TASKS) { (row(visit, task)) }
                }))
            }
        }
    }
}

fn row(visit: &Visit, task: &Spending) -> Markup {
    let failed = percent(task.failed_attempts, task.attempts);
    let repairs = percent(task.repairs, task.attempts);
    // Runs are found by the task at which they are, which is the outermost one.
    let outer = task.task.split('/').next().unwrap_or_default();
    let query = [("process", task.process.as_str()), ("task", outer)];
    html! {
        tr {
            th scope="row" {
                span.mono { (shown(&task.task)) }
                span.sub {
                    (shown(&task.process)) " · "
                    a href=(visit.links().home_with(&query)) { "runs at this task" }
                }
            }
            td.num data-label="Attempts" { (grouped(task.attempts)) }
            td data-label="Failed" {
                (percent_text(failed)) " (" (grouped(task.failed_attempts)) ")" (share(failed, "bar-bad"))
            }
            td data-label="Repairs" { (format!("{repairs:.0}")) (share(repairs, "bar-wait")) }
        }
    }
}
