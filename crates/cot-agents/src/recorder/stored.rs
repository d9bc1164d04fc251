//! Writes what a journal tells.

use cot_engine::internal::VisitKey;
use cot_store::{EndKind, RunSummary, Status};

use super::{
    events::write,
    journal::{Part, StoredRun},
    outline::Outline,
    trace_writer::TraceWriter,
    visit::{Place, TaskAt},
};

/// Writes the events of the run in the same way as those of a run that is observed.
pub(super) fn write_run(outline: Outline, run: StoredRun) -> TraceWriter {
    let StoredRun { summary, goal, parts } = run;
    let mut writer = TraceWriter::new(outline, goal);
    let place = Place::root(&summary.process);
    for part in parts {
        match part {
            Part::Answer(answer) => writer.answers.add(*answer),
            Part::Event(event) => write(&mut writer, &place, &event),
        }
    }
    let late = writer.answers.take_all();
    writer.write_late_answers(late);
    write_status(&mut writer, &summary);
    writer
}

fn write_status(writer: &mut TraceWriter, summary: &RunSummary) {
    let RunSummary { process, status, usage, .. } = summary;
    match status {
        Status::Ended { task, how, why } => {
            let at = TaskAt { process, outer: &[], task };
            writer.leave(at, (None, None), false);
            let why = Some(why.as_str()).filter(|_| *how != EndKind::End);
            writer.end(why, *usage);
        }
        Status::Asking { key, question, .. } if key.approval().is_none() => {
            let visits: Vec<VisitKey> = key.visits().cloned().collect();
            let outer = &visits[..visits.len() - 1];
            let process = writer.process_at(outer);
            let at = TaskAt { process: &process, outer, task: key.task() };
            writer.outline.learn_performer(at, || "A person".to_owned());
            writer.ask_later(at, question);
        }
        _ => {}
    }
    writer.set_wait(&describe_wait(summary));
}

/// Describes what a run waits for that is not over.
fn describe_wait(RunSummary { set_aside, status, .. }: &RunSummary) -> String {
    if let Some(aside) = set_aside {
        return format!("It is set aside: {}", aside.why);
    }
    match status {
        Status::Queued => "No program has begun it.".to_owned(),
        Status::Running { task } => format!("It is at `{task}`."),
        Status::Asking { task, question, .. } => {
            format!("A person is asked at `{task}`: {question}")
        }
        Status::Sleeping { task, .. } => format!("It waits for a timer at `{task}`."),
        _ => String::new(),
    }
}
