//! Text of a reply that is in none of its structures.

use cot_task_format::{Block, Code, Diagnostic, Position};

use super::rules::diagnostic;

/// A text with content that the reader leaves out, so that the reply is rejected from there on.
#[derive(Debug)]
pub(super) struct Loss {
    /// The offset in the reply.
    pub(super) at: usize,
    pub(super) why: Diagnostic,
}

/// Finds the first loss in the text that was read: an unknown structure, an object between structures, or a
/// value that is nested too deep, with which its structure is rejected.
pub(super) fn first_loss(read: &str, blocks: &[Block], findings: &[Diagnostic]) -> Option<Loss> {
    findings.iter().find_map(|finding| {
        let at = finding.position.offset;
        let (at, why) = match finding.code {
            Code::UnknownStructure => (at, finding.clone()),
            Code::StrayText if has_object(text_at(read, blocks, at)) => {
                (at, no_structure(finding.position))
            }
            Code::TooDeep => {
                let starts = blocks.iter().map(|block| block.position.offset);
                (starts.filter(|start| *start <= at).max()?, finding.clone())
            }
            _ => return None,
        };
        Some(Loss { at, why })
    })
}

/// Returns the finding about the words after the last structure that was read.
pub(super) fn rest(read: &str, blocks: &[Block], findings: &[Diagnostic]) -> Option<Diagnostic> {
    let last = blocks.last().map_or(0, |block| block.position.offset);
    let stray = findings.iter().rfind(|finding| finding.code == Code::StrayText)?;
    let at = stray.position.offset;
    (at >= last && text_at(read, blocks, at).contains(char::is_alphanumeric)).then(|| stray.clone())
}

pub(super) fn no_structure(position: Position) -> Diagnostic {
    let message = "there is no structure: write `plan { … }`, `act { … }` or `response「…」`";
    diagnostic(Code::MissingResponse, position, message.to_owned())
}

/// Returns the text from an offset up to the next structure.
fn text_at<'t>(read: &'t str, blocks: &[Block], at: usize) -> &'t str {
    let starts = blocks.iter().map(|block| block.position.offset);
    let end = starts.filter(|start| *start > at).min().unwrap_or(read.len());
    read.get(at..end).unwrap_or_default()
}

/// Returns whether a text contains an object in any notation.
fn has_object(text: &str) -> bool {
    let inner = text.split_once('{').map(|(_, inner)| inner);
    inner.is_some_and(|inner| inner.contains(['↦', ':', '=', '→']) || inner.contains("->"))
}
