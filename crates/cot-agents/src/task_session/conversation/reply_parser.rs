//! Parses a reply while it is received.

use cot_task_format::{Block, BlockKind, Code, Diagnostic, Position, Severity, Stream};

use super::{
    context::SessionContext,
    loss::{Loss, first_loss, no_structure, rest},
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
    /// The finding about the text after the last structure, if there is one.
    rest: Option<Diagnostic>,
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
    /// The text after the last structure of an accepted reply that neither calls nor responds.
    pub(crate) left_out: Option<(String, Diagnostic)>,
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
            rest: None,
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
        let findings = self.stream.take_findings();
        let mut events = self.check_blocks(blocks, findings);
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
        }
        let last = blocks.last().map(|block| block.position);
        let mut events = self.check_blocks(blocks, findings);
        self.rest = self.rest.take().filter(|_| !is_cut_off);
        let accepted = self.blocks.last().map(|block| block.position);
        if matches!(self.end, Some(ParseEnd::TurnComplete))
            && last.is_some_and(|it| Some(it) != accepted)
        {
            events.push(SessionEvent::Cut);
        }
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
        let (mut rejection, mut left_out) = (None, None);
        match self.end {
            Some(ParseEnd::Rejected { at, diagnostics }) => {
                let rest = self.text.get(at..).unwrap_or_default().to_owned();
                let all = self.mistakes.into_iter().chain(diagnostics);
                rejection = Some((rest, all.collect()));
            }
            Some(ParseEnd::TurnComplete) => {}
            None if self.blocks.is_empty() => {
                rejection = Some((self.text, vec![no_structure(Position::START)]));
            }
            None => {
                let rest = |it: &Diagnostic| self.text.get(it.position.offset..);
                left_out = self.rest.and_then(|it| Some((rest(&it)?.to_owned(), it)));
            }
        }
        ParsedReply { blocks: self.blocks, rejection, left_out }
    }

    fn check_blocks(&mut self, blocks: Vec<Block>, findings: Vec<Diagnostic>) -> Vec<SessionEvent> {
        let read = &self.text[..self.stream.returned_bytes().min(self.text.len())];
        let lost = first_loss(read, &blocks, &findings);
        let before = self.rest.take().filter(|_| blocks.is_empty());
        self.rest = rest(read, &blocks, &findings).or(before);
        let mut events = self.emit_findings(findings, lost.as_ref());
        for block in blocks {
            let at = block.position.offset;
            if self.is_over() || lost.as_ref().is_some_and(|lost| lost.at <= at) {
                break;
            }
            let diagnostics =
                TurnRules { context: &self.context, has_plan: self.has_plan }.check(&block);
            if !diagnostics.is_empty() {
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
        if let (Some(Loss { at, why }), None) = (lost, &self.end) {
            self.end = Some(ParseEnd::Rejected { at, diagnostics: vec![why] });
        }
        events
    }

    fn emit_findings(
        &mut self,
        findings: Vec<Diagnostic>,
        lost: Option<&Loss>,
    ) -> Vec<SessionEvent> {
        let is_accepted = |finding: &Diagnostic| lost.is_none_or(|lost| lost.why != *finding);
        let findings: Vec<Diagnostic> = findings.into_iter().filter(is_accepted).collect();
        let room = MAX_DIAGNOSTICS.saturating_sub(self.mistakes.len());
        let mistakes = findings.iter().filter(|finding| finding.severity() == Severity::Error);
        self.mistakes.extend(mistakes.take(room).cloned());
        findings.into_iter().map(SessionEvent::Finding).collect()
    }
}

fn is_unclosed(code: Code) -> bool {
    matches!(code, Code::UnclosedString | Code::UnclosedObject | Code::UnclosedArray)
}
