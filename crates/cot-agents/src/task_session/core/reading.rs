//! A reply while it comes in.

use cot_task_format::{Block, BlockKind, Code, Diagnostic, Position, Severity, Stream};

use super::{Core, prompt::MAX_TOLD, rules::found};
use crate::task_session::event::SessionEvent;

/// What was read of a reply.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    stream: Stream,
    text: String,
    /// The structures that can be taken.
    blocks: Vec<Block>,
    has_plan: bool,
    /// The mistakes so far that reading recovered from.
    mistakes: Vec<Diagnostic>,
    end: Option<End>,
}

/// How reading came to an end.
#[derive(Debug)]
pub(crate) enum End {
    /// It is not the model's turn to speak any more.
    Done,
    /// A structure is wrong, which begins at a place of the reply.
    Refused { at: usize, diagnostics: Vec<Diagnostic> },
}

/// What came of a reply.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) blocks: Vec<Block>,
    /// What is refused of it, and why.
    pub(crate) refused: Option<(String, Vec<Diagnostic>)>,
}

impl Reading {
    /// Reads the next piece; what that gives.
    pub(crate) fn push(&mut self, core: &Core, piece: &str) -> Vec<SessionEvent> {
        let limit = core.limits.reply_bytes;
        if self.text.len() + piece.len() > limit {
            let message = format!("the reply is longer than {limit} bytes: say less at once");
            let wrong = found(Code::OverLimit, Position::START, message);
            let at = self.stream.given();
            self.end = Some(End::Refused { at, diagnostics: vec![wrong] });
            return Vec::new();
        }
        self.text.push_str(piece);
        let blocks = self.stream.push(piece);
        let mut events = self.look_at(core, blocks);
        // A structure is complete when something else follows.
        if matches!(self.end, Some(End::Done)) {
            events.push(SessionEvent::Cut);
        }
        events
    }

    /// Reads to the end; of a reply that was cut off, what is complete.
    pub(crate) fn finish(&mut self, core: &Core, is_cut_off: bool) -> Vec<SessionEvent> {
        let mut blocks = self.stream.finish();
        let findings = self.stream.take_findings();
        if is_cut_off && findings.iter().any(|finding| is_unclosed(finding.code)) {
            // The rest of it was never said. What stands before it in the same text is complete.
            blocks.pop();
            return self.look_at(core, blocks);
        }
        let mut events = self.tell(findings);
        events.extend(self.look_at(core, blocks));
        events
    }

    /// Whether nothing more is to be read.
    pub(crate) const fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Whether nothing came of it, and nothing is wrong with it.
    pub(crate) const fn is_fruitless(&self) -> bool {
        self.blocks.is_empty() && self.end.is_none()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// What came of the reply; one that gave nothing is refused.
    pub(crate) fn end(self) -> Read {
        let refused = match self.end {
            Some(End::Refused { at, diagnostics }) => {
                let rest = self.text.get(at..).unwrap_or_default().to_owned();
                let all = self.mistakes.into_iter().chain(diagnostics);
                Some((rest, all.collect()))
            }
            Some(End::Done) => None,
            None if self.blocks.is_empty() => Some((self.text, vec![nothing()])),
            None => None,
        };
        Read { blocks: self.blocks, refused }
    }

    fn look_at(&mut self, core: &Core, blocks: Vec<Block>) -> Vec<SessionEvent> {
        let findings = self.stream.take_findings();
        let mut events = self.tell(findings);
        for block in blocks {
            if self.is_over() {
                break;
            }
            let diagnostics = core.rules(self.has_plan).check(&block);
            if !diagnostics.is_empty() {
                let at = block.position.offset;
                self.end = Some(End::Refused { at, diagnostics });
                break;
            }
            self.has_plan |= block.kind == BlockKind::Plan;
            if block.kind == BlockKind::Response || block.calls().next().is_some() {
                self.end = Some(End::Done);
            }
            events.push(SessionEvent::Block(block.clone()));
            self.blocks.push(block);
        }
        events
    }

    fn tell(&mut self, findings: Vec<Diagnostic>) -> Vec<SessionEvent> {
        let room = MAX_TOLD.saturating_sub(self.mistakes.len());
        let mistakes = findings.iter().filter(|finding| finding.severity() == Severity::Error);
        self.mistakes.extend(mistakes.take(room).cloned());
        findings.into_iter().map(SessionEvent::Finding).collect()
    }
}

fn is_unclosed(code: Code) -> bool {
    matches!(code, Code::UnclosedString | Code::UnclosedObject | Code::UnclosedArray)
}

fn nothing() -> Diagnostic {
    let message = "there is no structure: write `plan { … }`, `act { … }` or `response「…」`";
    found(Code::MissingResponse, Position::START, message.to_owned())
}
