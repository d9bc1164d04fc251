//! Records where values, keys and repairs are, if their places are asked for.

use std::ops::Range;

use crate::parse::{
    cursor::Parser,
    note::Notes,
    trace::trace::{TracedRepair, Tracing},
};
use crate::repair::{catalogue::RepairKind, fix::Fix};
use cot_schema::internal::format_path;

impl Tracing for Parser<'_, '_> {
    fn trace_value(&mut self, start: usize) {
        if self.trace.is_some() {
            let value = trimmed(self, start..self.at);
            let path = format_path(&self.path);
            if let Some(trace) = &mut self.trace {
                trace.values.insert(path, value);
            }
        }
    }

    fn trace_key(&mut self, key: Range<usize>) {
        if self.trace.is_some() {
            let key = trimmed(self, key);
            let path = format_path(&self.path);
            if let Some(trace) = &mut self.trace {
                trace.keys.insert(path, key);
            }
        }
    }

    fn trace_repairs(&mut self, notes: Notes, text: Range<usize>) {
        if self.trace.is_some() {
            let place = trimmed(self, text);
            for fix in notes.fixes() {
                push_repair(self, &fix, Some(place.clone()));
            }
        }
    }

    fn trace_repair(&mut self, fix: &Fix) {
        if self.trace.is_some() {
            let place = place_of(self, fix.kind());
            push_repair(self, fix, place);
        }
    }
}

fn push_repair(parser: &mut Parser<'_, '_>, fix: &Fix, place: Option<Range<usize>>) {
    let path = format_path(&parser.path);
    if let Some(trace) = &mut parser.trace {
        let description = fix.description().to_owned();
        trace.repairs.push(TracedRepair { path, description, place });
    }
}

/// Returns the place of a repair at the cursor; `None` for a repair of the value at the current path.
fn place_of(parser: &Parser<'_, '_>, kind: RepairKind) -> Option<Range<usize>> {
    use RepairKind as Kind;
    let before = parser.slice(0, parser.at).trim_end().len();
    Some(match kind {
        Kind::TrailingComma => {
            let last = parser.slice(0, before).chars().next_back().map_or(0, char::len_utf8);
            before - last..before
        }
        Kind::MissingComma | Kind::MissingColon | Kind::MissingCloser => before..before,
        Kind::MissingValue => parser.at..parser.at,
        Kind::Comment | Kind::CommentLikeText | Kind::CommentBeforeEnd | Kind::OddBlank => {
            parser.at..parser.next_token(parser.at)
        }
        Kind::ExtraComma
        | Kind::Semicolon
        | Kind::WideComma
        | Kind::WideColon
        | Kind::EqualsForColon
        | Kind::ExtraColon
        | Kind::EarlyCloser
        | Kind::ExtraCloser
        | Kind::BracketForCloser
        | Kind::BraceForCloser
        | Kind::ParenthesisForCloser
        | Kind::LeftOut
        | Kind::MarkAfterValue => {
            parser.at..parser.at + parser.char_at(parser.at).map_or(0, char::len_utf8)
        }
        Kind::HalfKey | Kind::HalfField => before..before,
        _ => return None,
    })
}

fn trimmed(parser: &Parser<'_, '_>, range: Range<usize>) -> Range<usize> {
    range.start..range.start + parser.slice(range.start, range.end).trim_end().len()
}
