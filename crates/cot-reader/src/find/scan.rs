//! One pass over a text, from one bracket that may open JSON to the next.

use std::ops::Range;

use super::{
    candidate::{Candidate, Candidates, Found, MAX_CANDIDATES, Origin},
    fault,
    look::{self, Look},
    tags::{self, Tag},
    torn,
};
use crate::{
    parse::{self, cursor::Reason, fuel::Fuel, parsed::Parsed, run::Lenient},
    repair::{catalogue::RepairKind, repairs::Repairs},
};

/// The candidates of a text; thoughts hold some only where there are none outside.
pub(super) fn all(text: &str, whole: &Range<usize>, fuel: &Fuel) -> Candidates {
    let mut scanner = Scanner::new(text, whole, fuel);
    scanner.run(whole.clone());
    if scanner.has_answer() {
        return scanner.answers();
    }
    let before = std::mem::take(&mut scanner.before);
    if before.iter().any(|known| known.look != Look::No) {
        scanner.found = before;
        return scanner.answers();
    }
    let outside = std::mem::take(&mut scanner.found);
    for thought in std::mem::take(&mut scanner.thoughts) {
        scanner.run(thought);
    }
    if scanner.found.is_empty() {
        scanner.found = outside;
    }
    scanner.answers()
}

/// Where the first bracket is that opens JSON, not counting thoughts.
pub(super) fn first(text: &str, whole: &Range<usize>) -> Option<usize> {
    let fuel = Fuel::of("");
    let mut scanner = Scanner::new(text, whole, &fuel);
    let mut at = whole.start;
    while at < whole.end {
        let byte = scanner.byte(at);
        if matches!(byte, b'{' | b'[') {
            let rest = scanner.rest(at);
            let is_alone = at == whole.start || rest == "{";
            if look::of(rest) == Look::Meant || is_alone && look::of(rest) == Look::Maybe {
                return Some(at);
            }
            at += 1;
        } else {
            at = scanner.step(at, byte);
        }
    }
    None
}

/// A candidate, and how it looked.
struct Known {
    candidate: Candidate,
    look: Look,
}

struct Scanner<'t, 'f> {
    /// The text up to where the scan ends.
    text: &'t str,
    whole: Range<usize>,
    fuel: &'f Fuel,
    found: Vec<Known>,
    /// What was found before a closing tag that nothing opened.
    before: Vec<Known>,
    /// Thoughts that were passed.
    thoughts: Vec<Range<usize>>,
    /// What the open fence is made of.
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
            at = if matches!(byte, b'{' | b'[') { self.bracket(at) } else { self.step(at, byte) };
        }
        self.text = all;
    }

    /// Takes what is no bracket, and gives the position after it.
    fn step(&mut self, at: usize, byte: u8) -> usize {
        match byte {
            b'`' | b'~' => self.after_fence(at, byte),
            b'<' => self.after_tag(at),
            _ => {
                let bytes = self.text.as_bytes().get(at + 1..).unwrap_or_default();
                let is_special = |byte: &u8| matches!(byte, b'{' | b'[' | b'`' | b'~' | b'<');
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

    /// Goes on after the name of a language; a tuple may follow it.
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
                self.add(span.clone(), Found::Readings(readings), Look::Meant);
                span.end
            }
            None => at,
        }
    }

    fn after_tag(&mut self, at: usize) -> usize {
        match tags::thought(self.rest(at)) {
            Some((Tag::Opens(name), length)) => {
                let start = at + length;
                let closing = format!("</{name}>");
                let inside = self.rest(start).find(&closing);
                let end = inside.map_or(self.text.len(), |inside| start + inside);
                self.thoughts.push(start..end);
                self.fence = None;
                inside.map_or(end, |_| end + closing.len())
            }
            Some((Tag::Closes, length)) => {
                // Some servers drop the opening tag: all before was thought.
                if self.has_answer() || self.before.is_empty() {
                    self.before = std::mem::take(&mut self.found);
                }
                self.found.clear();
                self.fence = None;
                at + length
            }
            None => at + 1,
        }
    }

    /// Takes a bracket, with all that it opens if that is JSON.
    fn bracket(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        let is_whole = at == self.whole.start && self.is_closed_whole();
        let look = match look::of(rest) {
            Look::No if is_whole => Look::Maybe,
            look => look,
        };
        if look == Look::No || self.fuel.is_spent() {
            return at + 1;
        }
        let look = if is_whole { Look::Meant } else { look };
        if let Some((Some(value), length)) = parse::strict_start(rest)
            && !self.is_torn(at, at + length)
        {
            let span = at..at + length;
            if look == Look::Maybe && self.is_prose_number(&span) {
                return span.end;
            }
            let readings = vec![Parsed { value, repairs: Repairs::default(), cut: None }];
            return self.read(at, Lenient { readings, end: span.end }, look);
        }
        self.lenient(at, look)
    }

    fn read(&mut self, at: usize, mut lenient: Lenient, look: Look) -> usize {
        if at == self.whole.start {
            self.take_closers(&mut lenient);
        }
        let span = at..lenient.end.max(at + 1);
        let found = match self.is_torn(at, span.end) {
            true => Found::Fault { issues: fault::torn(), is_meant: look == Look::Meant },
            false => Found::Readings(lenient.readings),
        };
        self.add(span.clone(), found, look);
        span.end
    }

    fn lenient(&mut self, at: usize, look: Look) -> usize {
        match parse::lenient(self.text, at, self.fuel) {
            Ok(lenient) => self.read(at, lenient, look),
            Err(stop) => {
                let end = stop.at.max(at + 1);
                let is_deep = stop.reason == Reason::Deep;
                let look = if stop.is_meant() { Look::Meant } else { look };
                if look == Look::Meant || self.found.is_empty() {
                    let found = fault::of(self.text, &stop, look == Look::Meant);
                    self.add(at..end.min(self.text.len()), found, look);
                }
                // No part of what is too deep is taken for the whole.
                if is_deep { self.text.len() } else { end }
            }
        }
    }

    /// Whether what was read is but a part of the JSON, as the text around it shows.
    fn is_torn(&self, start: usize, end: usize) -> bool {
        let before = self.text.get(self.whole.start..start).unwrap_or_default();
        torn::is_torn(before, self.rest(end))
    }

    /// Takes closers that are left over at the end of the text.
    fn take_closers(&self, lenient: &mut Lenient) {
        let rest = self.rest(lenient.end);
        let is_closer = |c: char| c.is_ascii_whitespace() || matches!(c, '}' | ']' | ')' | ';');
        if rest.is_empty() || !rest.trim_matches(is_closer).is_empty() {
            return;
        }
        lenient.end = self.text.len();
        for Parsed { repairs, .. } in &mut lenient.readings {
            repairs.add(&[], RepairKind::ExtraClosers);
        }
    }

    fn add(&mut self, span: Range<usize>, found: Found, look: Look) {
        let is_reading = matches!(found, Found::Readings(_));
        if is_reading && self.found.iter().any(|known| known.candidate.found == found) {
            return;
        }
        if self.found.iter().filter(|known| known.look == look).count() == MAX_CANDIDATES {
            self.has_more |= look == Look::Meant;
            return;
        }
        let origin = if self.fence.is_some() { Origin::Fence } else { Origin::Prose };
        self.found.push(Known { candidate: Candidate { span, origin, found }, look });
    }

    fn has_answer(&self) -> bool {
        self.found.iter().any(|known| known.look == Look::Meant)
    }

    /// What is meant, or else what may be.
    fn answers(self) -> Candidates {
        let has_answer = self.has_answer();
        let is_kept = |known: &Known| !has_answer || known.look == Look::Meant;
        let list = self.found.into_iter().filter(is_kept).map(|known| known.candidate).collect();
        Candidates { list, has_more: self.has_more }
    }

    /// Whether the whole text ends with a closer.
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
