//! Chooses among the possible readings of a reply.

use std::ops::Range;

use cot_schema::{
    Issue, Issues,
    internal::{format_path, truncate},
};
use serde_json::Value;

use super::{
    find::{
        calls::call_header,
        candidate::{Candidate, CandidateContent, Origin},
        channel::answer_channel,
        find, sequence,
        tags::without_thoughts,
    },
    notation,
    parse::parsed::ParsedValue,
    repair::{catalogue::RepairKind, repairs::Repairs},
    target::Target,
};

/// A valid reading of a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidReading {
    /// The value, which is valid for the target.
    pub value: Value,
    /// The repairs.
    pub repairs: Repairs,
}

/// The reason why a reply is rejected.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rejection {
    /// The errors in the reply.
    pub issues: Issues,
    /// The repairs that were made before the errors were found.
    pub repairs: Repairs,
    /// The invalid value, if it is clear which value is the answer.
    pub value: Option<Box<Value>>,
}

/// Reads a reply for a target. If `may_be_truncated`, the text may have been truncated, and unfinished values are
/// rejected.
pub fn read_reply(
    text: &str,
    target: &dyn Target,
    may_be_truncated: bool,
) -> Result<ValidReading, Rejection> {
    let text = answer_channel(text);
    let evaluator = Evaluator { text, target, may_be_truncated };
    // Most replies consist of valid JSON only.
    if let Some(value) = find::parse_whole(text) {
        return evaluator
            .fit(ParsedValue { value, repairs: Repairs::default(), cut: None })
            .into_result();
    }
    if text.trim().is_empty() {
        return Err(Issues::at("$", "the reply is empty; answer with one JSON object").into());
    }
    let mut evaluations = Evaluations::default();
    let candidates = find::lenient_candidates(text).list;
    if let Some(called) = evaluator.marked_calls(&candidates) {
        return called;
    }
    let row = sequence::combine_objects(text, &candidates);
    for candidate in candidates {
        evaluations.add(evaluator.candidate(candidate));
    }
    let chosen = evaluations.choose().unwrap_or_else(|| evaluator.bare(text));
    match row.filter(|_| chosen.is_err()).map(|row| evaluator.fit(row)) {
        Some(coerced) if coerced.issues.is_empty() => coerced.into_result(),
        _ => chosen,
    }
}

/// The evaluation of a candidate.
struct Evaluation {
    result: Result<ValidReading, Rejection>,
    /// Whether the candidate resembles the target.
    resembles_target: bool,
    is_in_prose: bool,
    span: Range<usize>,
}

struct Evaluator<'a> {
    text: &'a str,
    target: &'a dyn Target,
    may_be_truncated: bool,
}

/// A reading that was coerced to the target.
struct CoercedReading {
    value: Value,
    repairs: Repairs,
    issues: Issues,
    resembles_target: bool,
}

impl Evaluator<'_> {
    fn candidate(&self, candidate: Candidate) -> Evaluation {
        let Candidate { span, origin, content } = candidate;
        let (result, resembles_target) = match content {
            CandidateContent::Readings(readings) => {
                let (result, resembles_target) = self.readings(readings);
                let is_remark = origin == Origin::Prose || !self.starts_line(span.start);
                let result = result.and_then(|chosen| {
                    if is_remark { self.reject_remark(chosen) } else { Ok(chosen) }
                });
                (result.and_then(|chosen| self.reject_sequence(chosen, &span)), resembles_target)
            }
            CandidateContent::Fault { issues, is_meant } => (Err(issues.into()), is_meant),
        };
        Evaluation { result, resembles_target, is_in_prose: origin == Origin::Prose, span }
    }

    /// Returns the calls of tools among the candidates, by their marks, as a list. `None` if there are no marks.
    fn marked_calls(&self, candidates: &[Candidate]) -> Option<Result<ValidReading, Rejection>> {
        let header = |candidate: &Candidate| call_header(self.text, candidate.span.start);
        let mut marked =
            candidates.iter().filter_map(|found| Some((found, header(found)?))).peekable();
        marked.peek()?;
        let mut repairs = Repairs::default();
        let calls: Option<Value> = marked
            .map(|(candidate, header)| {
                let CandidateContent::Readings(readings) = &candidate.content else { return None };
                let [only] = readings.as_slice() else { return None };
                repairs.append(only.repairs.clone());
                self.target.marked_call(header, &only.value)
            })
            .collect();
        let unread = || Rejection::from(Issues::at("$", UNREAD_CALL));
        Some(calls.map(|value| ValidReading { value, repairs }).ok_or_else(unread))
    }

    /// Returns whether only blanks or a fence precede a position on its line.
    fn starts_line(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rfind('\n').map_or(before, |end| before.get(end..).unwrap_or_default());
        line.trim().is_empty() || line.contains("```")
    }

    /// Rejects a value in prose that is merely a bracketed remark, coerced to text or to a single value.
    fn reject_remark(&self, chosen: ValidReading) -> Result<ValidReading, Rejection> {
        let kinds = [RepairKind::TextAsNumber, RepairKind::OneOfList];
        let is_remark = kinds.into_iter().any(|kind| chosen.repairs.contains(kind));
        match is_remark && !chosen.value.is_object() {
            true => Err(no_json(self.text)),
            false => Ok(chosen),
        }
    }

    /// Rejects a value that was wrapped into a list if another item follows it in the text.
    fn reject_sequence(
        &self,
        chosen: ValidReading,
        span: &Range<usize>,
    ) -> Result<ValidReading, Rejection> {
        let rest = self.text.get(span.end..).unwrap_or_default();
        let next = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        match next.starts_with('{') && chosen.repairs.contains(RepairKind::Listed) {
            true => Err(several(2)),
            false => Ok(chosen),
        }
    }

    /// Chooses the cheapest valid reading of a candidate. Rejects it if different values are equally cheap.
    fn readings(&self, readings: Vec<ParsedValue>) -> (Result<ValidReading, Rejection>, bool) {
        let mut coerced: Vec<CoercedReading> =
            readings.into_iter().map(|read| self.fit(read)).collect();
        let resembles_target = coerced.iter().any(|coerced| coerced.resembles_target);
        let is_good = coerced.iter().any(|coerced| coerced.issues.is_empty());
        if is_good {
            coerced.retain(|coerced| coerced.issues.is_empty());
        }
        coerced.sort_by_key(|coerced| coerced.repairs.cost());
        let mut coerced = coerced.into_iter();
        let Some(best) = coerced.next() else {
            return (Err(Rejection::default()), resembles_target);
        };
        let is_equal = |other: CoercedReading| {
            other.repairs.cost() == best.repairs.cost() && other.value != best.value
        };
        let result = if coerced.any(is_equal) && is_good {
            Err(ambiguous(best.repairs))
        } else {
            best.into_result()
        };
        (result, resembles_target)
    }

    fn fit(&self, parsed: ParsedValue) -> CoercedReading {
        let mut issues = self.loss_issues(&parsed);
        let (fit, unclear) = notation::fit_keeping_digits(self.target, parsed.value, self.text);
        issues.extend(unclear);
        issues.extend(self.target.disallowed_losses(&fit.repairs));
        issues.extend(fit.issues);
        let mut repairs = parsed.repairs;
        if !repairs.is_empty() || !fit.repairs.is_empty() {
            issues.extend(notation::lost_notation_issues(self.text, &fit.value, &fit.repairs));
            issues.extend(moved_value_issue(&repairs, &fit.repairs));
            issues.extend(leading_zero_issue(&repairs, &fit.repairs));
            repairs.append(fit.repairs);
        }
        CoercedReading { value: fit.value, repairs, issues, resembles_target: fit.resembles_target }
    }

    /// Returns issues for losses in parsing that are not allowed, and for truncation.
    fn loss_issues(&self, parsed: &ParsedValue) -> Issues {
        if parsed.repairs.is_empty() && parsed.cut.is_none() {
            return Issues::new();
        }
        let mut issues = self.target.disallowed_losses(&parsed.repairs);
        let cut = parsed.cut.as_ref().filter(|_| self.may_be_truncated);
        if let Some(path) = cut.filter(|path| !self.target.allows_loss(path)) {
            issues.push(format_path(path), "the reply breaks off here; give the whole answer");
        }
        issues
    }

    /// Reads a reply without JSON as the value itself, if the target allows it.
    fn bare(&self, text: &str) -> Result<ValidReading, Rejection> {
        let text = without_thoughts(text).trim();
        if !self.target.accepts_bare(text) {
            return Err(no_json(text));
        }
        let value = Value::String(text.to_owned());
        self.fit(ParsedValue { value, repairs: Repairs::default(), cut: None }).into_result()
    }
}

/// The issue of the marks of a call that can't be made.
const UNREAD_CALL: &str =
    "has the marks of a call of a tool, but no call that can be made; answer with one JSON object";

/// The issue of a value at the wrong level within wrong brackets.
const MOVED: &str =
    "brackets of the JSON are missing, or too many, so that it is not clear what belongs here";

/// Returns an issue if both brackets were repaired and a value was moved to another level: together, these
/// would be a guess.
fn moved_value_issue(syntax: &Repairs, coercion: &Repairs) -> Option<Issue> {
    const BRACKETS: [RepairKind; 5] = [
        RepairKind::MissingCloser,
        RepairKind::MissingOpener,
        RepairKind::ExtraCloser,
        RepairKind::BracketForCloser,
        RepairKind::BraceForCloser,
    ];
    const LEVELS: [RepairKind; 4] =
        [RepairKind::Listed, RepairKind::OneOfList, RepairKind::SchemaShape, RepairKind::Unwrapped];
    let is_odd = syntax.iter().any(|repair| BRACKETS.contains(&repair.kind()));
    let moved = coercion.iter().find(|repair| is_odd && LEVELS.contains(&repair.kind()))?;
    Some(Issue::new(format_path(moved.path()), MOVED))
}

/// Returns an issue for unquoted digits after a zero where a number is expected: they could be a code, or
/// octal.
fn leading_zero_issue(syntax: &Repairs, coercion: &Repairs) -> Option<Issue> {
    let mut bare = syntax.iter_kind(RepairKind::StringWithoutQuotes).peekable();
    bare.peek()?;
    let mut numbers = coercion.iter_kind(RepairKind::NumberAsText);
    let odd = numbers.find(|number| bare.clone().any(|bare| bare.path() == number.path()))?;
    let message =
        "has digits after a zero, which may mean another number; write it without the zero";
    Some(Issue::new(format_path(odd.path()), message))
}

impl CoercedReading {
    fn into_result(self) -> Result<ValidReading, Rejection> {
        let Self { value, repairs, issues, .. } = self;
        match issues.is_empty() {
            true => Ok(ValidReading { value, repairs }),
            false => Err(Rejection { issues, repairs, value: Some(Box::new(value)) }),
        }
    }
}

/// The evaluated candidates of a reply.
#[derive(Default)]
struct Evaluations {
    list: Vec<Evaluation>,
}

impl Evaluations {
    /// Adds a candidate unless it has the same value as another one.
    fn add(&mut self, evaluation: Evaluation) {
        let is_same = |known: &Evaluation| match (&known.result, &evaluation.result) {
            (Ok(known), Ok(new)) => known.value == new.value,
            (Err(known), Err(new)) => known.value.is_some() && known.value == new.value,
            _ => false,
        };
        if !self.list.iter().any(is_same) {
            self.list.push(evaluation);
        }
    }

    /// Chooses among the candidates that resemble the target, or else among those outside prose, or else
    /// among all.
    fn choose(mut self) -> Option<Result<ValidReading, Rejection>> {
        for matches in [resembles_target, is_outside_prose, is_any] {
            if self.list.iter().any(matches) {
                self.list.retain(matches);
                return self.choose_among();
            }
        }
        None
    }

    fn choose_among(mut self) -> Option<Result<ValidReading, Rejection>> {
        let count = self.list.len();
        let is_answered = self.list.iter().any(|evaluation| evaluation.result.is_ok());
        if count > 1 && is_answered {
            // A malformed candidate may be the answer, and its issue is more helpful.
            let fault = self.list.into_iter().find_map(|evaluation| {
                evaluation.result.err().filter(|rejected| rejected.value.is_none())
            });
            return Some(Err(fault.unwrap_or_else(|| several(count))));
        }
        // The longest of several invalid candidates is most likely the answer.
        self.list.sort_by_key(|evaluation| evaluation.span.len());
        self.list.pop().map(|evaluation| evaluation.result)
    }
}

const fn resembles_target(evaluation: &Evaluation) -> bool {
    evaluation.resembles_target
}

const fn is_outside_prose(evaluation: &Evaluation) -> bool {
    !evaluation.is_in_prose
}

const fn is_any(_: &Evaluation) -> bool {
    true
}

impl From<Issues> for Rejection {
    fn from(issues: Issues) -> Self {
        Self { issues, ..Self::default() }
    }
}

fn ambiguous(repairs: Repairs) -> Rejection {
    let message = "the reply is no JSON, and can be read in two ways; quote and escape every text";
    Rejection { issues: Issues::at("$", message), repairs, value: None }
}

fn several(count: usize) -> Rejection {
    let message = format!("the reply holds {count} different JSON values; answer with one alone");
    Issues::at("$", message).into()
}

fn no_json(text: &str) -> Rejection {
    let said = Value::String(truncate(text, MAX_SAID_BYTES).to_owned());
    let message = "the reply holds no JSON; answer with one JSON object";
    Issues::from(Issue::new("$", message).value(&said)).into()
}

/// Maximum length of a reply without JSON that is copied to an issue, which truncates it further.
const MAX_SAID_BYTES: usize = 1000;
