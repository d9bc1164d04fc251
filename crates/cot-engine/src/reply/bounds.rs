//! Bounds of the texts that attempts store.

use cot_schema::{Issue, Issues, internal::truncate};

/// Truncates a reply for an attempt.
pub(crate) fn truncate_reply(reply: &str) -> String {
    if reply.len() > MAX_REPLY_BYTES {
        format!("{}…", truncate(reply, MAX_REPLY_BYTES))
    } else {
        reply.to_owned()
    }
}

/// Truncates issues for an attempt, in number and length.
pub(crate) fn limit_issues(issues: Issues) -> Issues {
    let more = issues.len().saturating_sub(MAX_ISSUES);
    let mut kept: Issues = issues.into_iter().take(MAX_ISSUES).map(truncate_issue).collect();
    match more {
        0 if kept.is_empty() => kept.push("$", "was not accepted, and no reason was given"),
        0 => {}
        more => kept.push("$", format!("{more} more issues")),
    }
    kept
}

fn truncate_issue(mut issue: Issue) -> Issue {
    for text in [&mut issue.path, &mut issue.message] {
        if text.len() > MAX_MESSAGE_BYTES {
            *text = format!("{}…", truncate(text, MAX_MESSAGE_BYTES));
        }
    }
    issue
}

/// Maximum length of a stored reply.
const MAX_REPLY_BYTES: usize = 2048;
/// Maximum length of the message of a stored issue.
const MAX_MESSAGE_BYTES: usize = 1000;
/// Maximum number of stored issues.
const MAX_ISSUES: usize = 50;
