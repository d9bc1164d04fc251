//! Shows the work so far within a budget: the newest pieces whole, older ones in a line each.

use cot_schema::internal::truncate;

use super::{todo::list::TodoList, work::Work};

/// The default budget in bytes.
pub(super) const BUDGET: usize = 32 << 10;

/// The least budget.
const LEAST_BUDGET: usize = 1 << 10;

/// The number of pieces that are shown whole whatever their length.
const WHOLE_PIECES: usize = 3;

/// The bytes up to which more pieces are shown whole.
const WHOLE_BYTES: usize = 1536;

/// The bytes of all lines together for which there is always room, and those of one line.
const LINES_BYTES: usize = 512;
const LINE_BYTES: usize = 160;

/// Returns the work as a numbered list of at most `budget` bytes, with a note on what is left out.
///
/// The newest three pieces are shown whole, and more while all of them are short. The lines of older pieces
/// have together at most one and a half times the average length of a piece. So a run of 50 steps shows less
/// than five times the bytes of its work in all its prompts together, or 2 KiB in each if that is more.
pub(super) fn show_work(work: &[Work], budget: usize) -> String {
    let budget = budget.max(LEAST_BUDGET);
    let whole = whole_pieces(work, budget - budget / 4);
    let (older, newest) = work.split_at(work.len() - whole.len());
    debug_assert_eq!(newest.len(), whole.len());
    let lines = lines(older, lines_budget(work, budget / 4));
    let hidden = older.len() - lines.len();
    let note = match hidden {
        0 => None,
        1 => Some("(1 earlier piece is not shown)".to_owned()),
        hidden => Some(format!("({hidden} earlier pieces are not shown)")),
    };
    let oldest_first = lines.into_iter().rev().chain(whole.into_iter().rev());
    note.into_iter().chain(oldest_first).collect::<Vec<_>>().join("\n")
}

/// Returns the tasks of a plan in at most a quarter of the budget. A longer plan is shown without the tasks
/// that are done, and then up to the quarter.
pub(super) fn show_todos(todos: &TodoList, budget: usize) -> String {
    let (text, budget) = (todos.to_string(), budget.max(LEAST_BUDGET) / 4);
    if text.len() <= budget {
        return text;
    }
    let open = TodoList { items: todos.open().cloned().collect() };
    let note = format!("({} tasks are done)\n", todos.items.len() - open.items.len());
    note + &shorten(&open.to_string(), budget)
}

/// Returns the calls after the last task, each in a line: what the model has not replied to.
pub(super) fn show_last_calls(work: &[Work]) -> String {
    let calls = work.iter().rev().take_while(|work| matches!(work, Work::Tool { .. }));
    let mut lines: Vec<String> = calls.take(WHOLE_PIECES).map(short_line).collect();
    lines.reverse();
    lines.join("\n")
}

/// Returns the newest pieces as text, the newest one first.
fn whole_pieces(work: &[Work], budget: usize) -> Vec<String> {
    let (mut pieces, mut bytes) = (Vec::new(), 0);
    for (index, work) in work.iter().enumerate().rev() {
        let piece = format!("{}. {work}", index + 1);
        bytes += piece.len();
        if pieces.is_empty() {
            pieces.push(shorten(&piece, budget));
            continue;
        }
        if bytes > budget || (pieces.len() >= WHOLE_PIECES && bytes > WHOLE_BYTES) {
            break;
        }
        pieces.push(piece);
    }
    pieces
}

/// Returns the bytes that all lines may have together.
fn lines_budget(work: &[Work], budget: usize) -> usize {
    let bytes: usize = work.iter().map(Work::len).sum();
    let average = bytes / work.len().max(1);
    (average + average / 2).max(LINES_BYTES).min(budget)
}

/// Returns a line for each piece, the newest one first, as far as they fit.
fn lines(work: &[Work], budget: usize) -> Vec<String> {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    for (index, work) in work.iter().enumerate().rev() {
        let line = format!("{}. {}", index + 1, short_line(work));
        bytes += line.len();
        if bytes > budget {
            break;
        }
        lines.push(line);
    }
    lines
}

fn short_line(work: &Work) -> String {
    shorten(&work.line(LINE_BYTES), LINE_BYTES)
}

pub(super) fn shorten(text: &str, max: usize) -> String {
    let shown = truncate(text, max);
    if shown.len() < text.len() { format!("{shown}…") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn task(number: usize, bytes: usize) -> Work {
        Work::Task { current: format!("task {number}"), result: "r".repeat(bytes) }
    }

    fn sent(sizes: &[usize]) -> (usize, usize) {
        let work: Vec<Work> = sizes.iter().enumerate().map(|(i, size)| task(i, *size)).collect();
        let shown = (1..=work.len()).map(|steps| show_work(&work[..steps], BUDGET).len());
        (shown.sum(), work.iter().map(Work::len).sum())
    }

    #[test]
    fn fifty_steps_send_at_most_five_times_their_work() {
        for size in [50, 100, 300, 500, 700, 1_000, 2_000, 4_000, 8_000, 30_000, 500_000] {
            let (sent, held) = sent(&[size; 50]);
            let bound = (5 * held).max(50 * (2 << 10));
            assert!(sent <= bound, "{size}: {sent} bytes for {held}");
        }
    }

    #[test]
    fn short_work_is_shown_whole_and_the_rest_in_lines() {
        let work: Vec<Work> = (0..4).map(|number| task(number, 10)).collect();
        assert_eq!(show_work(&work, BUDGET).lines().count(), 4);
        assert!(!show_work(&work, BUDGET).contains('…'));
        let work: Vec<Work> = (0..20).map(|number| task(number, 1_000)).collect();
        let shown = show_work(&work, BUDGET);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "(8 earlier pieces are not shown)");
        assert!(
            lines[1].starts_with("9. task 8: rrr") && lines[1].ends_with("rr…"),
            "{}",
            lines[1]
        );
        assert!(lines[lines.len() - 3].len() > 1_000 && lines[lines.len() - 4].len() < 170);
        assert!(show_work(&work, 0).len() < 1_100, "{}", show_work(&work, 0).len());
    }

    #[test]
    fn a_long_plan_is_shown_without_what_is_done() {
        let plan = |tasks: usize| -> TodoList {
            let line =
                |task| format!("- [{}] task {task}\n", if task < tasks - 2 { "x" } else { " " });
            TodoList::parse(&(0..tasks).map(line).collect::<String>())
        };
        assert_eq!(show_todos(&plan(9), BUDGET), plan(9).to_string());
        let shown = show_todos(&plan(9_000), BUDGET);
        assert_eq!(shown, "(8998 tasks are done)\n- [ ] task 8998\n- [ ] task 8999");
        let open = TodoList::parse(&"- [ ] a task\n".repeat(9_000));
        let shown = show_todos(&open, BUDGET);
        assert!(shown.len() < BUDGET / 4 + 40 && shown.ends_with('…'), "{}", shown.len());
    }

    proptest! {
        #[test]
        fn any_work_stays_in_the_budget(sizes in prop::collection::vec(0_usize..20_000, 0..80), budget in 0_usize..60_000) {
            let work: Vec<Work> = sizes.iter().enumerate().map(|(i, size)| task(i, *size)).collect();
            // The note, and the marks at the ends of lines.
            let room = budget.max(LEAST_BUDGET) + 600;
            let shown = show_work(&work, budget);
            prop_assert!(shown.len() <= room, "{} bytes", shown.len());
            if let Some(last) = work.len().checked_sub(1) {
                let newest = format!("{}. task {last}: ", last + 1);
                prop_assert!(shown.contains(&newest));
            }
        }
    }
}
