//! Scans a text for brackets that may open JSON.

use std::ops::Range;

use super::{
    candidate::{Candidate, CandidateContent, Candidates, MAX_CANDIDATES, Origin},
    fault, fragment,
    look::{self, Likelihood},
    tags::{self, Tag},
};
use crate::{
    parse::{self, cursor::Reason, fuel::Fuel, parsed::ParsedValue, run::LenientResult},
    repair::{catalogue::RepairKind, repairs::Repairs},
};

/// Returns the candidates of a text. Thoughts are searched only if there are none outside.
pub(super) fn scan(text: &str, whole: &Range<usize>, fuel: &Fuel) -> Candidates {
    let mut scanner = Scanner::new(text, whole, fuel);
    scanner.run(whole.clone());
    if scanner.has_answer() {
        return scanner.into_candidates();
    }
    let before = std::mem::take(&mut scanner.before);
    if before.iter().any(|known| known.likelihood != Likelihood::No) {
        scanner.found = before;
        return scanner.into_candidates();
    }
    let outside = std::mem::take(&mut scanner.found);
    for thought in std::mem::take(&mut scanner.thoughts) {
        scanner.run(thought);
    }
    if scanner.found.is_empty() {
        scanner.found = outside;
    }
    scanner.into_candidates()
}

/// Returns the position of the first bracket outside thoughts that opens JSON.
pub(super) fn first_bracket(text: &str, whole: &Range<usize>) -> Option<usize> {
    let fuel = Fuel::for_text("");
    let mut scanner = Scanner::new(text, whole, &fuel);
    let mut at = whole.start;
    while at < whole.end {
        let byte = scanner.byte(at);
        if let Some(after) = scanner.after_thoughts(at, byte) {
            at = after;
        } else if matches!(byte, b'{' | b'[') {
            let rest = scanner.rest(at);
            let is_alone = at == whole.start || rest == "{";
            if look::classify(rest) == Likelihood::Meant
                || is_alone && look::classify(rest) == Likelihood::Maybe
            {
                return Some(at);
            }
            at += 1;
        } else {
            at = scanner.step(at, byte);
        }
    }
    None
}

/// The first byte of a mark that is no ASCII character.
const WIDE_MARK: u8 = 0xe2;

/// A candidate with the classification of its bracket.
struct ClassifiedCandidate {
    candidate: Candidate,
    likelihood: Likelihood,
}

struct Scanner<'t, 'f> {
    /// The text up to the end of the scan.
    text: &'t str,
    whole: Range<usize>,
    fuel: &'f Fuel,
    found: Vec<ClassifiedCandidate>,
    /// The candidates before a closing tag without an opening tag.
    before: Vec<ClassifiedCandidate>,
    /// The ranges of skipped thoughts.
    thoughts: Vec<Range<usize>>,
    /// The character of the open fence.
    fence: Option<u8>,
    has_more: bool,
}

impl<'t, 'f> Scanner<'t, 'f> {
    fn new(text: &'t str, whole: &Range<usize>, fuel: &'f Fuel) -> Self {
        Self {
            text: text.get(..whole.end).unwrap_or_default(),
            whole: whole.clone(),
            fuel,
            found: Vec::new(),
            before: Vec::new(),
            thoughts: Vec::new(),
            fence: None,
            has_more: false,
        }
    }

    fn run(&mut self, range: Range<usize>) {
        let all = self.text;
        self.text = all.get(..range.end).unwrap_or_default();
        let mut at = range.start;
        while at < range.end && !self.has_more {
            let byte = self.byte(at);
            at = match self.after_thoughts(at, byte) {
                Some(after) => after,
                None if matches!(byte, b'{' | b'[') => self.bracket(at),
                None => self.step(at, byte),
            };
        }
        self.text = all;
    }

    /// Skips text up to the next significant character, or a fence, and returns the position after it.
    fn step(&mut self, at: usize, byte: u8) -> usize {
        match byte {
            b'`' | b'~' => self.after_fence(at, byte),
            _ => {
                let bytes = self.text.as_bytes().get(at + 1..).unwrap_or_default();
                let is_special =
                    |byte: &u8| matches!(*byte, b'{' | b'[' | b'`' | b'~' | b'<' | WIDE_MARK);
                bytes.iter().position(is_special).map_or(self.text.len(), |next| at + 1 + next)
            }
        }
    }

    fn after_fence(&mut self, at: usize, mark: u8) -> usize {
        let width = self.rest(at).bytes().take_while(|byte| *byte == mark).count();
        if width >= 3 {
            self.fence = if self.fence == Some(mark) { None } else { Some(mark) };
            if self.fence.is_some() {
                return self.after_language(at + width);
            }
        }
        at + width
    }

    /// Skips the language name of a fence, and adds a tuple that follows as a candidate.
    fn after_language(&mut self, at: usize) -> usize {
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+');
        let start = self.text.len() - self.rest(at).trim_start_matches(word).trim_start().len();
        let rest = self.rest(start);
        if !rest.starts_with('(') || !self.fuel.burn(rest.len()) {
            return at;
        }
        let body = rest.find("```").and_then(|end| rest.get(..end)).unwrap_or(rest).trim_end();
        if !look::is_tuple(body) {
            return at;
        }
        let span = start..start + body.len();
        match look::tuple(self.text, &span, self.fuel) {
            Some(readings) => {
                self.add(span.clone(), CandidateContent::Readings(readings), Likelihood::Meant);
                span.end
            }
            None => at,
        }
    }

    /// Skips thoughts, if their mark is at a position, and returns the position after them.
    fn after_thoughts(&mut self, at: usize, byte: u8) -> Option<usize> {
        if !matches!(byte, b'<' | b'[' | WIDE_MARK) {
            return None;
        }
        let (tag, length) = tags::thought_tag(self.rest(at))?;
        self.fence = None;
        Some(match tag {
            Tag::Opens(closing) => {
                let start = at + length;
                let inside = self.rest(start).find(closing);
                let end = inside.map_or(self.text.len(), |inside| start + inside);
                self.thoughts.push(start..end);
                inside.map_or(end, |_| end + closing.len())
            }
            Tag::Closes => {
                // Some servers drop the opening mark: all text before the closing mark is thought.
                if self.has_answer() || self.before.is_empty() {
                    self.before = std::mem::take(&mut self.found);
                }
                self.found.clear();
                at + length
            }
        })
    }

    /// Parses the value at a bracket, adds it as a candidate, and returns the position after it.
    fn bracket(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        let is_whole = at == self.whole.start && self.is_closed_whole();
        let likelihood = match look::classify(rest) {
            Likelihood::No if is_whole => Likelihood::Maybe,
            likelihood => likelihood,
        };
        if likelihood == Likelihood::No || self.fuel.is_spent() {
            return at + 1;
        }
        let likelihood = if is_whole { Likelihood::Meant } else { likelihood };
        if let Some((Some(value), length)) = parse::strict_start(rest)
            && !self.is_fragment(at, at + length)
        {
            let span = at..at + length;
            if likelihood == Likelihood::Maybe && self.is_prose_number(&span) {
                return span.end;
            }
            let readings = vec![ParsedValue { value, repairs: Repairs::default(), cut: None }];
            return self.add_reading(at, LenientResult { readings, end: span.end }, likelihood);
        }
        self.lenient(at, likelihood)
    }

    fn add_reading(
        &mut self,
        at: usize,
        mut lenient: LenientResult,
        likelihood: Likelihood,
    ) -> usize {
        if at == self.whole.start {
            self.skip_closers(&mut lenient);
        }
        let span = at..lenient.end.max(at + 1);
        let found = match self.is_fragment(at, span.end) {
            true => CandidateContent::Fault {
                issues: fault::fragment(),
                is_meant: likelihood == Likelihood::Meant,
            },
            false => CandidateContent::Readings(lenient.readings),
        };
        self.add(span.clone(), found, likelihood);
        span.end
    }

    fn lenient(&mut self, at: usize, likelihood: Likelihood) -> usize {
        match parse::lenient(self.text, at, self.fuel) {
            Ok(lenient) => self.add_reading(at, lenient, likelihood),
            Err(stop) => {
                let end = stop.at.max(at + 1);
                let is_deep = stop.reason == Reason::Deep;
                let likelihood = if stop.is_meant() { Likelihood::Meant } else { likelihood };
                if likelihood == Likelihood::Meant || self.found.is_empty() {
                    let found = fault::from_stop(self.text, &stop, likelihood == Likelihood::Meant);
                    self.add(at..end.min(self.text.len()), found, likelihood);
                }
                // The parts of a value that is too deep are no candidates.
                if is_deep { self.text.len() } else { end }
            }
        }
    }

    /// Returns whether a value is a fragment of larger JSON, by the text around it.
    fn is_fragment(&self, start: usize, end: usize) -> bool {
        let before = self.text.get(self.whole.start..start).unwrap_or_default();
        fragment::is_fragment(before, self.rest(end))
    }

    /// Skips excess closing brackets at the end of the text.
    fn skip_closers(&self, lenient: &mut LenientResult) {
        let rest = self.rest(lenient.end);
        let is_closer = |c: char| c.is_ascii_whitespace() || matches!(c, '}' | ']' | ')' | ';');
        if rest.is_empty() || !rest.trim_matches(is_closer).is_empty() {
            return;
        }
        lenient.end = self.text.len();
        for ParsedValue { repairs, .. } in &mut lenient.readings {
            repairs.add(&[], RepairKind::ExtraClosers);
        }
    }

    fn add(&mut self, span: Range<usize>, content: CandidateContent, likelihood: Likelihood) {
        let is_reading = matches!(content, CandidateContent::Readings(_));
        if is_reading && self.found.iter().any(|known| known.candidate.content == content) {
            return;
        }
        if self.found.iter().filter(|known| known.likelihood == likelihood).count()
            == MAX_CANDIDATES
        {
            self.has_more |= likelihood == Likelihood::Meant;
            return;
        }
        let origin = if self.fence.is_some() { Origin::Fence } else { Origin::Prose };
        self.found.push(ClassifiedCandidate {
            candidate: Candidate { span, origin, content },
            likelihood,
        });
    }

    fn has_answer(&self) -> bool {
        self.found.iter().any(|known| known.likelihood == Likelihood::Meant)
    }

    /// Returns the candidates that were meant as JSON, or else all.
    fn into_candidates(self) -> Candidates {
        let has_answer = self.has_answer();
        let is_kept =
            |known: &ClassifiedCandidate| !has_answer || known.likelihood == Likelihood::Meant;
        let list = self.found.into_iter().filter(is_kept).map(|known| known.candidate).collect();
        Candidates { list, has_more: self.has_more }
    }

    /// Returns whether the text ends with a closing bracket.
    fn is_closed_whole(&self) -> bool {
        self.text.len() == self.whole.end && self.text.ends_with(['}', ']'])
    }

    fn is_prose_number(&self, span: &Range<usize>) -> bool {
        self.text.get(span.clone()).is_some_and(look::is_citation) && self.fence.is_none()
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or_default()
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }
}
