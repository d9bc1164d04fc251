//! Parses todo lists in text, one task per line.

use super::item::Todo;

/// Contents of a box that mark a task as done.
const DONE: [&str; 12] =
    ["x", "✓", "✔", "✔️", "✅", "☑", "☑️", "done", "complete", "completed", "finished", "checked"];

/// Contents of a box that mark a task as open, like an empty box.
const OPEN: [&str; 9] = [
    "todo",
    "to do",
    "to-do",
    "to_do",
    "open",
    "pending",
    "not started",
    "not_started",
    "remaining",
];

/// Contents of a box that mark another state. A box with any other content is part of the description.
const STATES: [&str; 26] = [
    "in progress",
    "in-progress",
    "in_progress",
    "inprogress",
    "wip",
    "doing",
    "started",
    "active",
    "ongoing",
    "current",
    "partial",
    "partially done",
    "blocked",
    "waiting",
    "paused",
    "on hold",
    "deferred",
    "postponed",
    "next",
    "skip",
    "skipped",
    "cancelled",
    "canceled",
    "dropped",
    "failed",
    "n/a",
];

/// Characters that replace a box, and whether they mark the task as done.
const SIGNS: [(char, bool); 10] = [
    ('☐', false),
    ('⬜', false),
    ('□', false),
    ('▢', false),
    ('🔲', false),
    ('☑', true),
    ('✅', true),
    ('✔', true),
    ('✓', true),
    ('🗹', true),
];

/// Characters that close a box.
const BRACKETS: [char; 3] = [']', '］', '】'];

/// The state of a task.
#[derive(Default)]
pub(super) struct TaskState {
    pub(super) done: bool,
    pub(super) mark: Option<String>,
}

/// Parses the tasks of a text.
pub(super) fn parse_tasks(text: &str) -> Vec<Todo> {
    let mut todos: Vec<Todo> = Vec::new();
    // A line is a heading only if a task follows.
    let mut heading: Option<&str> = None;
    for line in text.lines().flat_map(split_tasks) {
        let content = line.trim();
        if is_ignored(content) {
            continue;
        }
        let marked = strip_marker(content);
        let boxed = parse_box(marked.unwrap_or(content));
        if marked.is_some() || boxed.is_some() {
            heading = None;
        } else if line.starts_with(char::is_whitespace)
            && let Some(last) = todos.last_mut()
        {
            last.text.push(' ');
            last.text.push_str(content);
            continue;
        } else if content.ends_with([':', '：']) {
            todos.extend(heading.replace(content).and_then(open_task));
            continue;
        }
        todos.extend(heading.take().and_then(open_task));
        todos.extend(new_todo(marked.unwrap_or(content), boxed));
    }
    todos.extend(heading.and_then(open_task));
    todos
}

/// Splits a line at its boxes: models leave out the breaks between tasks.
fn split_tasks(line: &str) -> Vec<&str> {
    let (mut tasks, mut rest) = (Vec::new(), line);
    let next = |text: &str| [" - [ ] ", " - [x] "].iter().filter_map(|it| text.find(it)).min();
    while line.trim_start().starts_with("- [")
        && let Some(at) = next(rest)
    {
        let (task, after) = rest.split_at(at);
        tasks.push(task);
        rest = &after[1..];
    }
    tasks.push(rest);
    tasks
}

/// Parses a text as one task, which is open unless a box marks its state.
pub(super) fn parse_task(text: &str) -> Option<Todo> {
    let text = on_one_line(text);
    let text = strip_marker(&text).unwrap_or(&text);
    new_todo(text, parse_box(text))
}

pub(super) fn on_one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// Parses the state of a task; `None` if the word is not a state.
pub(super) fn parse_state(word: &str) -> Option<TaskState> {
    let word = word.trim();
    let is = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
    if word.is_empty() || is(&OPEN) {
        return Some(TaskState::default());
    }
    if is(&DONE) {
        return Some(TaskState { done: true, mark: None });
    }
    let mut chars = word.chars();
    let is_sign = chars.next().is_some_and(|c| !c.is_alphanumeric() && !BRACKETS.contains(&c));
    let is_sign = is_sign && chars.next().is_none();
    (is_sign || is(&STATES)).then(|| TaskState { done: false, mark: Some(word.to_owned()) })
}

fn open_task(text: &str) -> Option<Todo> {
    new_todo(text, None)
}

fn new_todo(text: &str, boxed: Option<(TaskState, &str)>) -> Option<Todo> {
    let (TaskState { done, mark }, text) = boxed.unwrap_or((TaskState::default(), text));
    (!text.is_empty()).then(|| Todo { done, mark, text: text.to_owned() })
}

/// Returns whether a line is a heading with `#`, a rule, a code fence or empty.
fn is_ignored(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    let is_heading = heading.len() < line.len() && (heading.is_empty() || heading.starts_with(' '));
    is_heading
        || line.starts_with("```")
        || line.chars().all(|c| matches!(c, '-' | '=' | '*' | '_' | '•' | '+'))
}

/// Parses the box at the start of a line. Returns the state and the rest of the line.
fn parse_box(line: &str) -> Option<(TaskState, &str)> {
    if let Some((_, done)) = SIGNS.iter().find(|(sign, _)| line.starts_with(*sign)) {
        let text = line.trim_start_matches(|c| is_sign(c) || c == '\u{fe0f}').trim();
        return Some((TaskState { done: *done, mark: None }, text));
    }
    let rest = line.strip_prefix(['[', '［', '【'])?;
    let (word, text) = rest.split_once(BRACKETS)?;
    // A Markdown link.
    if text.starts_with(['(', '[', ':']) && !word.trim().is_empty() {
        return None;
    }
    Some((parse_state(word)?, text.trim()))
}

fn is_sign(c: char) -> bool {
    SIGNS.iter().any(|(sign, _)| *sign == c)
}

/// Removes the bullet or number at the start of a line; `None` if there is none.
fn strip_marker(line: &str) -> Option<&str> {
    let numbered = || line.trim_start_matches(char::is_numeric);
    let rest = match line.strip_prefix(['-', '*', '+', '•', '–', '—', '‣', '◦', '·', '・'])
    {
        Some(rest) => rest,
        None if numbered().len() < line.len() => match numbered().strip_prefix(['、', '．', '）'])
        {
            Some(rest) => return Some(rest.trim_start()),
            None => numbered().strip_prefix(['.', ')', ':'])?,
        },
        None => return None,
    };
    let text = rest.trim_start();
    (text.len() < rest.len() || text.is_empty() || text.starts_with('[')).then_some(text)
}
