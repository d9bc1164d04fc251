//! Reads the lines of a capture. The content is not trusted.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Read},
};

use cot_engine::CallKey;
use cot_schema::internal::truncate;
use serde::Deserialize;

use super::format::{Call, FORMAT, Header};
use crate::capture::error::ReplayError;

/// The maximum length of a line, in bytes. Prompts of a million tokens are shorter.
pub(super) const MAX_LINE: usize = 64 << 20;

/// The maximum length of an excerpt of the capture in an error.
const MAX_SHOWN: usize = 300;

/// The content of a capture.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) process: String,
    /// The calls, in the order of the capture.
    pub(super) calls: Vec<Call>,
    /// The index of each call in `calls`.
    pub(super) index: BTreeMap<CallKey, usize>,
}

/// Reads a capture. With `may_be_unfinished`, a truncated last line is ignored.
pub(super) fn read(
    reader: impl BufRead,
    max_line: usize,
    may_be_unfinished: bool,
) -> Result<Recording, ReplayError> {
    let mut lines = Lines { reader, max_line, number: 0 };
    let Some(first) = lines.next()? else { return Err(ReplayError::Empty) };
    let process = first_line(&first.bytes)?;
    let mut recording = Recording { process, calls: Vec::new(), index: BTreeMap::new() };
    let mut numbers = Vec::new();
    while let Some(line) = lines.next()? {
        let parsed = match (parse(&line), line.is_whole) {
            (Err(_), false) if may_be_unfinished => break,
            (Err(_), false) => return Err(ReplayError::HalfLine { line: line.number }),
            (parsed, _) => parsed?,
        };
        match parsed {
            ParsedLine::Header(header) => recording.check_process(header)?,
            ParsedLine::Call(call) => recording.add(*call, line.number, &mut numbers)?,
        }
    }
    Ok(recording)
}

impl Recording {
    fn check_process(&self, header: Header) -> Result<(), ReplayError> {
        if header.process == self.process {
            return Ok(());
        }
        let captured = truncate(&header.process, MAX_SHOWN).to_owned();
        Err(ReplayError::OtherProcess { captured, expected: self.process.clone() })
    }

    fn add(
        &mut self,
        call: Call,
        line: usize,
        numbers: &mut Vec<usize>,
    ) -> Result<(), ReplayError> {
        if let Some(&first) = self.index.get(&call.key) {
            let first = numbers.get(first).copied().unwrap_or_default();
            return Err(ReplayError::KeyTwice { line, first, key: call.key });
        }
        self.index.insert(call.key.clone(), self.calls.len());
        self.calls.push(call);
        numbers.push(line);
        Ok(())
    }
}

enum ParsedLine {
    Header(Header),
    Call(Box<Call>),
}

/// The field that distinguishes a header from a call.
#[derive(Deserialize)]
struct HeaderMark {
    cot_capture: Option<u64>,
}

fn first_line(bytes: &[u8]) -> Result<String, ReplayError> {
    let not_a_capture = |why: String| ReplayError::NotACapture { why: truncate_message(why) };
    let mark: HeaderMark =
        serde_json::from_slice(bytes).map_err(|error| not_a_capture(error.to_string()))?;
    match mark.cot_capture {
        None => Err(not_a_capture("it has no `cot_capture`".to_owned())),
        Some(found) if found != FORMAT => {
            Err(ReplayError::UnknownFormat { found, supported: FORMAT })
        }
        Some(_) => serde_json::from_slice::<Header>(bytes)
            .map(|header| header.process)
            .map_err(|error| not_a_capture(error.to_string())),
    }
}

fn parse(line: &Line) -> Result<ParsedLine, ReplayError> {
    let bad = |why: String| ReplayError::BadLine { line: line.number, why: truncate_message(why) };
    let json = |error: serde_json::Error| bad(error.to_string());
    let mark: HeaderMark = serde_json::from_slice(&line.bytes).map_err(json)?;
    match mark.cot_capture {
        None => {
            let call: Call = serde_json::from_slice(&line.bytes).map_err(json)?;
            call.validation_error()
                .map_or(Ok(ParsedLine::Call(Box::new(call))), |why| Err(bad(why.to_owned())))
        }
        Some(FORMAT) => serde_json::from_slice(&line.bytes).map(ParsedLine::Header).map_err(json),
        Some(found) => Err(ReplayError::UnknownFormat { found, supported: FORMAT }),
    }
}

/// Truncates a message of `serde_json`, which may contain an excerpt of its input.
fn truncate_message(why: String) -> String {
    if why.len() > MAX_SHOWN { format!("{}…", truncate(&why, MAX_SHOWN)) } else { why }
}

/// A line that is not blank.
struct Line {
    number: usize,
    bytes: Vec<u8>,
    /// Whether the line ends with a line feed.
    is_whole: bool,
}

struct Lines<R> {
    reader: R,
    max_line: usize,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<Option<Line>, ReplayError> {
        loop {
            let mut bytes = Vec::new();
            if self.read_line(&mut bytes)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            let is_whole = bytes.last() == Some(&b'\n');
            if bytes.len() - usize::from(is_whole) > self.max_line {
                return Err(ReplayError::LineTooLong { line: self.number, max: self.max_line });
            }
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(Line { number: self.number, bytes, is_whole }));
            }
        }
    }

    /// Reads a line. Stops when it exceeds the maximum length.
    fn read_line(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let most = u64::try_from(self.max_line).unwrap_or(u64::MAX).saturating_add(2);
        self.reader.by_ref().take(most).read_until(b'\n', bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HEADER: &str = r#"{"cot_capture":1,"process":"Greeter"}"#;
    const CALL: &str = r#"{"key":"a#1@1","prompt":[],"reply":{"text":"hi","finish":"stop","usage":{"calls":1,"input_tokens":0,"output_tokens":0}}}"#;
    const ANSWER: &str = r#"{"key":"b#1@1","answer":{"yes":true},"of":"a later version"}"#;

    fn refused(lines: &[&str]) -> ReplayError {
        read(format!("{}\n", lines.join("\n")).as_bytes(), 500, true).unwrap_err()
    }

    #[test]
    fn calls_are_read_in_their_order() {
        let text = [HEADER, "", ANSWER, " ", HEADER, CALL].join("\r\n");
        let recording = read(text.as_bytes(), 500, false).unwrap();
        assert_eq!(recording.process, "Greeter");
        let keys: Vec<_> = recording.calls.iter().map(|call| call.key.to_string()).collect();
        assert_eq!(keys, ["b#1@1", "a#1@1"]);
        assert_eq!(recording.calls[0].answer.as_ref().unwrap().get(), r#"{"yes":true}"#);
    }

    #[test]
    fn what_is_no_capture_is_refused() {
        assert!(matches!(refused(&[""]), ReplayError::Empty));
        for first in ["hello", "[1]", "{}", r#"{"cot_capture":"1"}"#, CALL, r#"{"cot_capture":1}"#]
        {
            let error = refused(&[first, CALL]);
            assert!(matches!(error, ReplayError::NotACapture { .. }), "{first}: {error}");
        }
        let error = refused(&[r#"{"cot_capture":2,"shape":"unknown"}"#]);
        assert!(matches!(error, ReplayError::UnknownFormat { found: 2, supported: 1 }));
    }

    #[test]
    fn a_bad_line_is_named() {
        for (bad, expected) in [
            ("{", "EOF while parsing"),
            (r#"{"key":"a#1@1"}"#, "it should have a `reply`, an `error`, an `answer` or a `tool`"),
            (r#"{"key":"a#1@1","answer":1,"error":{"kind":"other","message":""}}"#, "not several"),
            (r#"{"key":"a","answer":1}"#, "`a` is not the key of a call"),
            (r#"{"answer":1}"#, "missing field `key`"),
            (r#"{"key":"a#1@1","answer":1,"prompt":[{"stability":"odd","text":""}]}"#, "`odd`"),
        ] {
            let error = refused(&[HEADER, "", bad, CALL]);
            assert!(matches!(error, ReplayError::BadLine { line: 3, .. }), "{error}");
            assert!(error.to_string().contains(expected), "{error}");
        }
        let long = format!(r#"{{"key":"{}","answer":1}}"#, "a".repeat(450));
        assert!(refused(&[HEADER, &long]).to_string().len() < 400);
    }

    #[test]
    fn two_runs_or_processes_in_one_capture_are_refused() {
        let error = refused(&[HEADER, CALL, ANSWER, CALL]);
        assert!(matches!(error, ReplayError::KeyTwice { line: 4, first: 2, .. }), "{error}");
        let error = refused(&[HEADER, r#"{"cot_capture":1,"process":"Other"}"#]);
        assert!(matches!(error, ReplayError::OtherProcess { .. }), "{error}");
    }

    #[test]
    fn half_a_line_at_the_end_is_left_out_on_demand_alone() {
        let text = [HEADER, CALL, &ANSWER[..20]].join("\n");
        let error = read(text.as_bytes(), 500, false).unwrap_err();
        assert!(matches!(error, ReplayError::HalfLine { line: 3 }), "{error}");
        assert_eq!(read(text.as_bytes(), 500, true).unwrap().calls.len(), 1);
        // A bad line with a line feed is not truncated.
        assert!(matches!(refused(&[&text]), ReplayError::BadLine { line: 3, .. }));
        // The last line may lack its line feed.
        let text = [HEADER, CALL, ANSWER].join("\n");
        assert_eq!(read(text.as_bytes(), 500, false).unwrap().calls.len(), 2);
    }

    #[test]
    fn a_line_without_end_takes_bounded_memory() {
        let endless =
            HEADER.as_bytes().chain(&b"\n"[..]).chain(io::BufReader::new(io::repeat(b' ')));
        let error = read(endless, 500, true).unwrap_err();
        assert!(matches!(error, ReplayError::LineTooLong { line: 2, max: 500 }), "{error}");
    }

    proptest! {
        #[test]
        fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0..400usize) {
            let _ = read(&bytes[..], 100, true);
            let whole = [HEADER, CALL, ANSWER].join("\n");
            let cut = &whole.as_bytes()[..cut.min(whole.len())];
            let _ = read(cut, 500, false);
            let _ = read(&[cut, &bytes].concat()[..], 500, true);
        }
    }
}
