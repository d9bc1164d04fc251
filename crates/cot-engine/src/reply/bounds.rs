//! Bounds of what attempts keep.

use cot_schema::{Issue, Issues, internal::cut_text};

/// A reply as attempts keep it.
pub(crate) fn shortened(reply: &str) -> String {
    if reply.len() > MAX_REPLY_BYTES {
        format!("{}…", cut_text(reply, MAX_REPLY_BYTES))
    } else {
        reply.to_owned()
    }
}

/// Issues as attempts keep them.
pub(crate) fn bounded(issues: Issues) -> Issues {
    let more = issues.len().saturating_sub(MAX_ISSUES);
    let mut kept: Issues = issues.into_iter().take(MAX_ISSUES).map(shortened_issue).collect();
    match more {
        0 if kept.is_empty() => kept.push("$", "was not accepted, and no reason was given"),
        0 => {}
        more => kept.push("$", format!("{more} more issues")),
    }
    kept
}

fn shortened_issue(mut issue: Issue) -> Issue {
    for text in [&mut issue.path, &mut issue.message] {
        if text.len() > MAX_MESSAGE_BYTES {
            *text = format!("{}…", cut_text(text, MAX_MESSAGE_BYTES));
        }
    }
    issue
}

/// Longest reply that an attempt keeps.
const MAX_REPLY_BYTES: usize = 2048;
/// Longest message of an issue that an attempt keeps.
const MAX_MESSAGE_BYTES: usize = 1000;
/// Most issues that an attempt keeps.
const MAX_ISSUES: usize = 50;
