//! Todo lists as text, a line for each task.

use super::item::Todo;

/// Words and signs in a box that say that a task is done.
const DONE: [&str; 12] =
    ["x", "✓", "✔", "✔️", "✅", "☑", "☑️", "done", "complete", "completed", "finished", "checked"];

/// Words in a box that say that a task is open, as an empty box does.
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

/// Words in a box that say something else about a task. A box with other words is text.
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

/// The signs that stand for a box with what they mean: whether the task is done.
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

/// What ends a box.
const BRACKETS: [char; 3] = [']', '］', '】'];

/// How a task stands.
#[derive(Default)]
pub(super) struct State {
    pub(super) done: bool,
    pub(super) mark: Option<String>,
}

/// The tasks of a text.
pub(super) fn todos(text: &str) -> Vec<Todo> {
    let mut todos: Vec<Todo> = Vec::new();
    // A heading is one only if a task follows.
    let mut heading: Option<&str> = None;
    for line in text.lines() {
        let content = line.trim();
        if is_no_text(content) {
            continue;
        }
        let marked = unmarked(content);
        let boxed = boxed(marked.unwrap_or(content));
        if marked.is_some() || boxed.is_some() {
            heading = None;
        } else if line.starts_with(char::is_whitespace)
            && let Some(last) = todos.last_mut()
        {
            last.text.push(' ');
            last.text.push_str(content);
            continue;
        } else if content.ends_with([':', '：']) {
            todos.extend(heading.replace(content).and_then(plain));
            continue;
        }
        todos.extend(heading.take().and_then(plain));
        todos.extend(todo(marked.unwrap_or(content), boxed));
    }
    todos.extend(heading.and_then(plain));
    todos
}

/// The one task that a whole text is, open where nothing says how it stands.
pub(super) fn single(text: &str) -> Option<Todo> {
    let text = on_one_line(text);
    let text = unmarked(&text).unwrap_or(&text);
    todo(text, boxed(text))
}

pub(super) fn on_one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// How a task stands, by a word for it; `None` for words that say nothing about that.
pub(super) fn state(word: &str) -> Option<State> {
    let word = word.trim();
    let is = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
    if word.is_empty() || is(&OPEN) {
        return Some(State::default());
    }
    if is(&DONE) {
        return Some(State { done: true, mark: None });
    }
    let mut chars = word.chars();
    let is_sign = chars.next().is_some_and(|c| !c.is_alphanumeric() && !BRACKETS.contains(&c));
    let is_sign = is_sign && chars.next().is_none();
    (is_sign || is(&STATES)).then(|| State { done: false, mark: Some(word.to_owned()) })
}

fn plain(text: &str) -> Option<Todo> {
    todo(text, None)
}

fn todo(text: &str, boxed: Option<(State, &str)>) -> Option<Todo> {
    let (State { done, mark }, text) = boxed.unwrap_or((State::default(), text));
    (!text.is_empty()).then(|| Todo { done, mark, text: text.to_owned() })
}

/// Headings with `#`, rules, the lines of a fence, and nothing at all.
fn is_no_text(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    let is_heading = heading.len() < line.len() && (heading.is_empty() || heading.starts_with(' '));
    is_heading
        || line.starts_with("```")
        || line.chars().all(|c| matches!(c, '-' | '=' | '*' | '_' | '•' | '+'))
}

/// How the box that a line begins with says that a task stands, and what follows on it.
fn boxed(line: &str) -> Option<(State, &str)> {
    if let Some((_, done)) = SIGNS.iter().find(|(sign, _)| line.starts_with(*sign)) {
        let text = line.trim_start_matches(|c| is_sign(c) || c == '\u{fe0f}').trim();
        return Some((State { done: *done, mark: None }, text));
    }
    let rest = line.strip_prefix(['[', '［', '【'])?;
    let (word, text) = rest.split_once(BRACKETS)?;
    // A link.
    if text.starts_with(['(', '[', ':']) && !word.trim().is_empty() {
        return None;
    }
    Some((state(word)?, text.trim()))
}

fn is_sign(c: char) -> bool {
    SIGNS.iter().any(|(sign, _)| *sign == c)
}

/// What follows on the bullet or number that a line begins with.
fn unmarked(line: &str) -> Option<&str> {
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
