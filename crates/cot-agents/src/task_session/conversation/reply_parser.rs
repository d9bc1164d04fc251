//! Parses a reply while it is received.

use cot_task_format::{Block, BlockKind, Code, Diagnostic, Position, Severity, Stream};

use super::{
    context::SessionContext,
    prompt::MAX_DIAGNOSTICS,
    rules::{TurnRules, diagnostic},
};
use crate::task_session::event::SessionEvent;

/// The state of parsing one reply.
#[derive(Debug)]
pub(crate) struct ReplyParser {
    context: SessionContext,
    stream: Stream,
    text: String,
    /// The accepted structures.
    blocks: Vec<Block>,
    has_plan: bool,
    /// Mistakes that the parser recovered from.
    mistakes: Vec<Diagnostic>,
    end: Option<ParseEnd>,
}

/// Why parsing ended.
#[derive(Debug)]
pub(crate) enum ParseEnd {
    /// The model's part of the turn is complete.
    TurnComplete,
    /// The structure at byte `at` of the reply is invalid.
    Rejected { at: usize, diagnostics: Vec<Diagnostic> },
}

/// The result of parsing a reply.
#[derive(Debug)]
pub(crate) struct ParsedReply {
    pub(crate) blocks: Vec<Block>,
    /// The rejected part of the reply with its diagnostics.
    pub(crate) rejection: Option<(String, Vec<Diagnostic>)>,
}

impl ReplyParser {
    /// Creates a parser for a reply. `has_plan` says whether the turn has a plan.
    pub(crate) fn new(context: &SessionContext, has_plan: bool) -> Self {
        Self {
            context: context.clone(),
            stream: Stream::new(),
            text: String::new(),
            blocks: Vec::new(),
            has_plan,
            mistakes: Vec::new(),
            end: None,
        }
    }

    /// Parses a complete reply. Of a truncated one, only complete structures are accepted.
    pub(crate) fn parse_whole(&mut self, text: &str, is_cut_off: bool) -> Vec<SessionEvent> {
        // What precedes the limit is read.
        let limit = text.floor_char_boundary(self.context.limits().reply_bytes);
        let (text, rest) = text.split_at(limit);
        let mut events = self.push(text);
        if !self.is_over() && !rest.is_empty() {
            events.extend(self.push(rest));
        }
        if !self.is_over() {
            events.extend(self.finish(is_cut_off));
        }
        events
    }

    /// Parses the next chunk. Returns the events for it.
    pub(crate) fn push(&mut self, piece: &str) -> Vec<SessionEvent> {
        let limit = self.context.limits().reply_bytes;
        if self.text.len() + piece.len() > limit {
            let message = format!("the reply is longer than {limit} bytes: say less at once");
            let wrong = diagnostic(Code::OverLimit, Position::START, message);
            let at = self.stream.returned_bytes();
            self.end = Some(ParseEnd::Rejected { at, diagnostics: vec![wrong] });
            return Vec::new();
        }
        self.text.push_str(piece);
        let blocks = self.stream.push(piece);
        let mut events = self.check_blocks(blocks);
        // A structure is complete when the next one starts.
        if matches!(self.end, Some(ParseEnd::TurnComplete)) {
            events.push(SessionEvent::Cut);
        }
        events
    }

    /// Parses the rest. Of a truncated reply, only complete structures are accepted.
    pub(crate) fn finish(&mut self, is_cut_off: bool) -> Vec<SessionEvent> {
        let mut blocks = self.stream.finish();
        let findings = self.stream.take_findings();
        if is_cut_off && findings.iter().any(|finding| is_unclosed(finding.code)) {
            // The last structure may be truncated. Those before it are complete.
            blocks.pop();
            return self.check_blocks(blocks);
        }
        let mut events = self.emit_findings(findings);
        events.extend(self.check_blocks(blocks));
        events
    }

    /// Returns whether the rest of the reply is ignored.
    pub(crate) const fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Returns whether the reply has neither accepted structures nor an error.
    pub(crate) const fn is_without_result(&self) -> bool {
        self.blocks.is_empty() && self.end.is_none()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the result. A reply without structures is rejected.
    pub(crate) fn end(self) -> ParsedReply {
        let rejection = match self.end {
            Some(ParseEnd::Rejected { at, diagnostics }) => {
                let rest = self.text.get(at..).unwrap_or_default().to_owned();
                let all = self.mistakes.into_iter().chain(diagnostics);
                Some((rest, all.collect()))
            }
            Some(ParseEnd::TurnComplete) => None,
            None if self.blocks.is_empty() => Some((self.text, vec![no_structure()])),
            None => None,
        };
        ParsedReply { blocks: self.blocks, rejection }
    }

    fn check_blocks(&mut self, blocks: Vec<Block>) -> Vec<SessionEvent> {
        let findings = self.stream.take_findings();
        let mut events = self.emit_findings(findings);
        for block in blocks {
            if self.is_over() {
                break;
            }
            let diagnostics =
                TurnRules { context: &self.context, has_plan: self.has_plan }.check(&block);
            if !diagnostics.is_empty() {
                let at = block.position.offset;
                self.end = Some(ParseEnd::Rejected { at, diagnostics });
                break;
            }
            self.has_plan |= block.kind == BlockKind::Plan;
            if block.kind == BlockKind::Response || block.calls().next().is_some() {
                self.end = Some(ParseEnd::TurnComplete);
            }
            events.push(SessionEvent::Block(block.clone()));
            self.blocks.push(block);
        }
        events
    }

    fn emit_findings(&mut self, findings: Vec<Diagnostic>) -> Vec<SessionEvent> {
        let room = MAX_DIAGNOSTICS.saturating_sub(self.mistakes.len());
        let mistakes = findings.iter().filter(|finding| finding.severity() == Severity::Error);
        self.mistakes.extend(mistakes.take(room).cloned());
        findings.into_iter().map(SessionEvent::Finding).collect()
    }
}

fn is_unclosed(code: Code) -> bool {
    matches!(code, Code::UnclosedString | Code::UnclosedObject | Code::UnclosedArray)
}

fn no_structure() -> Diagnostic {
    let message = "there is no structure: write `plan { … }`, `act { … }` or `response「…」`";
    diagnostic(Code::MissingResponse, Position::START, message.to_owned())
}
