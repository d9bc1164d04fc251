//! Of several readings, the one that is meant; or why none can be told.

use std::ops::Range;

use cot_schema::{
    Issue, Issues,
    internal::{cut_text, path_of},
};
use serde_json::Value;

use super::{
    find::{
        candidate::{Candidate, Found, Origin},
        find, sequence,
        tags::without_thoughts,
    },
    parse::parsed::Parsed,
    repair::{catalogue::RepairKind, repairs::Repairs},
    target::Target,
    written,
};

/// A reading that nothing is wrong with.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The value, which fits the target.
    pub value: Value,
    /// What had to be mended.
    pub repairs: Repairs,
}

/// Why a reply is not taken.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rejected {
    /// What is wrong with it.
    pub issues: Issues,
    /// What had to be mended before that could be said.
    pub repairs: Repairs,
    /// The value that something is wrong with, where it is clear which one was meant.
    pub value: Option<Box<Value>>,
}

/// Reads a reply for a target. Where the text may have been cut off, what ends in the middle of
/// something lacks its end.
pub fn choose(text: &str, target: &dyn Target, may_be_cut: bool) -> Result<Chosen, Rejected> {
    let judge = Judge { text, target, may_be_cut };
    // Most replies are JSON and nothing else: there is nothing to choose among.
    if let Some(value) = find::whole(text) {
        return judge.fit(Parsed { value, repairs: Repairs::default(), cut: None }).judged();
    }
    if text.trim().is_empty() {
        return Err(Issues::at("$", "the reply is empty; answer with one JSON object").into());
    }
    let mut field = Field::default();
    let candidates = find::mended(text).list;
    let row = sequence::row(text, &candidates);
    for candidate in candidates {
        field.add(judge.candidate(candidate));
    }
    let picked = field.pick().unwrap_or_else(|| judge.bare(text));
    match row.filter(|_| picked.is_err()).map(|row| judge.fit(row)) {
        Some(fitted) if fitted.issues.is_empty() => fitted.judged(),
        _ => picked,
    }
}

/// What one candidate came to.
struct Judged {
    result: Result<Chosen, Rejected>,
    /// Whether it was meant as the answer.
    is_kin: bool,
    is_in_prose: bool,
    span: Range<usize>,
}

struct Judge<'a> {
    text: &'a str,
    target: &'a dyn Target,
    may_be_cut: bool,
}

/// A reading of a candidate, in the form that is expected.
struct Fitted {
    value: Value,
    repairs: Repairs,
    issues: Issues,
    is_kin: bool,
}

impl Judge<'_> {
    fn candidate(&self, candidate: Candidate) -> Judged {
        let Candidate { span, origin, found } = candidate;
        let (result, is_kin) = match found {
            Found::Readings(readings) => {
                let (result, is_kin) = self.readings(readings);
                let is_remark = origin == Origin::Prose || !self.starts_line(span.start);
                let result = result
                    .and_then(|chosen| if is_remark { self.no_remark(chosen) } else { Ok(chosen) });
                (result.and_then(|chosen| self.only_one(chosen, &span)), is_kin)
            }
            Found::Fault { issues, is_meant } => (Err(issues.into()), is_meant),
        };
        Judged { result, is_kin, is_in_prose: origin == Origin::Prose, span }
    }

    /// Whether nothing but blanks or a fence is before a place on its line.
    fn starts_line(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rfind('\n').map_or(before, |end| before.get(end..).unwrap_or_default());
        line.trim().is_empty() || line.contains("```")
    }

    /// A value in prose, unless it is brackets of the prose that would be taken for a text or for texts.
    fn no_remark(&self, chosen: Chosen) -> Result<Chosen, Rejected> {
        let kinds = [RepairKind::TextAsNumber, RepairKind::OneOfList];
        let is_remark = kinds.into_iter().any(|kind| chosen.repairs.have(kind));
        match is_remark && !chosen.value.is_object() {
            true => Err(no_json(self.text)),
            false => Ok(chosen),
        }
    }

    /// A value that was taken for a list of one, unless the next item follows it.
    fn only_one(&self, chosen: Chosen, span: &Range<usize>) -> Result<Chosen, Rejected> {
        let rest = self.text.get(span.end..).unwrap_or_default();
        let next = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        match next.starts_with('{') && chosen.repairs.have(RepairKind::Listed) {
            true => Err(several(2)),
            false => Ok(chosen),
        }
    }

    /// The cheapest of the readings of one text that nothing is wrong with.
    fn readings(&self, readings: Vec<Parsed>) -> (Result<Chosen, Rejected>, bool) {
        let mut fitted: Vec<Fitted> = readings.into_iter().map(|read| self.fit(read)).collect();
        let is_kin = fitted.iter().any(|fitted| fitted.is_kin);
        let is_good = fitted.iter().any(|fitted| fitted.issues.is_empty());
        if is_good {
            fitted.retain(|fitted| fitted.issues.is_empty());
        }
        fitted.sort_by_key(|fitted| fitted.repairs.cost());
        let mut fitted = fitted.into_iter();
        let Some(best) = fitted.next() else {
            return (Err(Rejected::default()), is_kin);
        };
        let is_equal = |other: Fitted| {
            other.repairs.cost() == best.repairs.cost() && other.value != best.value
        };
        let result = if fitted.any(is_equal) && is_good {
            Err(two_ways(best.repairs))
        } else {
            best.judged()
        };
        (result, is_kin)
    }

    fn fit(&self, parsed: Parsed) -> Fitted {
        let mut issues = self.lost(&parsed);
        let (fit, unclear) = written::fit_with_digits(self.target, parsed.value, self.text);
        issues.extend(unclear);
        issues.extend(self.target.refused_losses(&fit.repairs));
        issues.extend(fit.issues);
        let mut repairs = parsed.repairs;
        if !repairs.is_empty() || !fit.repairs.is_empty() {
            issues.extend(written::unlike(self.text, &fit.value, &fit.repairs));
            issues.extend(moved(&repairs, &fit.repairs));
            issues.extend(odd_digits(&repairs, &fit.repairs));
            repairs.append(fit.repairs);
        }
        Fitted { value: fit.value, repairs, issues, is_kin: fit.is_kin }
    }

    /// What the text lost that it may not lose.
    fn lost(&self, parsed: &Parsed) -> Issues {
        if parsed.repairs.is_empty() && parsed.cut.is_none() {
            return Issues::new();
        }
        let mut issues = self.target.refused_losses(&parsed.repairs);
        let cut = parsed.cut.as_ref().filter(|_| self.may_be_cut);
        if let Some(path) = cut.filter(|path| !self.target.allows_loss(path)) {
            issues.push(path_of(path), "the reply breaks off here; give the whole answer");
        }
        issues
    }

    /// A reply without JSON, which may be the value itself.
    fn bare(&self, text: &str) -> Result<Chosen, Rejected> {
        let text = without_thoughts(text).trim();
        if !self.target.takes_bare(text) {
            return Err(no_json(text));
        }
        let value = Value::String(text.to_owned());
        self.fit(Parsed { value, repairs: Repairs::default(), cut: None }).judged()
    }
}

/// What is said where brackets are wrong, and what is in them had to be put elsewhere.
const MOVED: &str =
    "brackets of the JSON are missing, or too many, so that it is not clear what belongs here";

/// Brackets that are wrong and a value that is one level too deep or too high are two guesses.
fn moved(syntax: &Repairs, coercion: &Repairs) -> Option<Issue> {
    const BRACKETS: [RepairKind; 5] = [
        RepairKind::MissingCloser,
        RepairKind::MissingOpener,
        RepairKind::ExtraCloser,
        RepairKind::BracketForCloser,
        RepairKind::BraceForCloser,
    ];
    const LEVELS: [RepairKind; 3] =
        [RepairKind::Listed, RepairKind::OneOfList, RepairKind::Unwrapped];
    let is_odd = syntax.iter().any(|repair| BRACKETS.contains(&repair.kind()));
    let moved = coercion.iter().find(|repair| is_odd && LEVELS.contains(&repair.kind()))?;
    Some(Issue::new(path_of(moved.path()), MOVED))
}

/// Digits after a zero, without quotes, where a number is wanted: a code, or octal.
fn odd_digits(syntax: &Repairs, coercion: &Repairs) -> Option<Issue> {
    let mut bare = syntax.of_kind(RepairKind::StringWithoutQuotes).peekable();
    bare.peek()?;
    let mut numbers = coercion.of_kind(RepairKind::NumberAsText);
    let odd = numbers.find(|number| bare.clone().any(|bare| bare.path() == number.path()))?;
    let message =
        "has digits after a zero, which may mean another number; write it without the zero";
    Some(Issue::new(path_of(odd.path()), message))
}

impl Fitted {
    fn judged(self) -> Result<Chosen, Rejected> {
        let Self { value, repairs, issues, .. } = self;
        match issues.is_empty() {
            true => Ok(Chosen { value, repairs }),
            false => Err(Rejected { issues, repairs, value: Some(Box::new(value)) }),
        }
    }
}

/// The candidates of one reply.
#[derive(Default)]
struct Field {
    judged: Vec<Judged>,
}

impl Field {
    /// Adds a candidate. One that says the same as another is none of its own.
    fn add(&mut self, judged: Judged) {
        let is_same = |known: &Judged| match (&known.result, &judged.result) {
            (Ok(known), Ok(new)) => known.value == new.value,
            (Err(known), Err(new)) => known.value.is_some() && known.value == new.value,
            _ => false,
        };
        if !self.judged.iter().any(is_same) {
            self.judged.push(judged);
        }
    }

    /// What was meant as the answer comes first; then what stands there as a value of its own; brackets
    /// in prose come last.
    fn pick(mut self) -> Option<Result<Chosen, Rejected>> {
        for is_like in [is_kin, is_set_apart, is_any] {
            if self.judged.iter().any(is_like) {
                self.judged.retain(is_like);
                return self.pick_among();
            }
        }
        None
    }

    fn pick_among(mut self) -> Option<Result<Chosen, Rejected>> {
        let count = self.judged.len();
        let is_answered = self.judged.iter().any(|judged| judged.result.is_ok());
        if count > 1 && is_answered {
            // A malformed one says what is wrong with it; it may be the answer.
            let fault = self
                .judged
                .into_iter()
                .find_map(|judged| judged.result.err().filter(|rejected| rejected.value.is_none()));
            return Some(Err(fault.unwrap_or_else(|| several(count))));
        }
        // Of several that are wrong, the longest is most likely the answer.
        self.judged.sort_by_key(|judged| judged.span.len());
        self.judged.pop().map(|judged| judged.result)
    }
}

const fn is_kin(judged: &Judged) -> bool {
    judged.is_kin
}

const fn is_set_apart(judged: &Judged) -> bool {
    !judged.is_in_prose
}

const fn is_any(_: &Judged) -> bool {
    true
}

impl From<Issues> for Rejected {
    fn from(issues: Issues) -> Self {
        Self { issues, ..Self::default() }
    }
}

fn two_ways(repairs: Repairs) -> Rejected {
    let message = "the reply is no JSON, and can be read in two ways; quote and escape every text";
    Rejected { issues: Issues::at("$", message), repairs, value: None }
}

fn several(count: usize) -> Rejected {
    let message = format!("the reply holds {count} different JSON values; answer with one alone");
    Issues::at("$", message).into()
}

fn no_json(text: &str) -> Rejected {
    let said = Value::String(cut_text(text, MAX_SAID_BYTES).to_owned());
    let message = "the reply holds no JSON; answer with one JSON object";
    Issues::from(Issue::new("$", message).with_value(&said)).into()
}

/// How much of a reply without JSON is taken up, before the issue cuts it.
const MAX_SAID_BYTES: usize = 1000;
