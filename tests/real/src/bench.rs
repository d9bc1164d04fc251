//! The eval of the kinds.

use std::{num::NonZeroUsize, sync::Arc};

use cot_core::{
    CotOutput, LanguageModel, Process, Runner,
    eval::{
        Case, CaseError, Eval, ReplyCache, Report,
        score::{self, Score},
    },
};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    BenchError,
    kinds::{Kind, Question},
};

/// A setting with its client.
pub(crate) type Variant = (String, Arc<dyn LanguageModel>);

/// What is measured.
pub(crate) struct Bench {
    pub(crate) name: String,
    pub(crate) variants: Vec<Variant>,
    pub(crate) kinds: Vec<&'static Kind>,
    /// What the cases are for. A text that is chosen by its result on cases fits these cases, so that others have to
    /// show what it is worth.
    pub(crate) half: String,
    /// The most cases of a kind.
    pub(crate) each: usize,
    pub(crate) repeats: u32,
    pub(crate) cache: ReplyCache,
}

impl Bench {
    /// Measures all kinds.
    ///
    /// # Errors
    ///
    /// If there are no cases.
    pub(crate) async fn run(&self) -> Result<Report, BenchError> {
        let mut reports = Vec::new();
        for kind in &self.kinds {
            reports.push((kind.measure)(self, kind.name).await?);
        }
        joined(reports)
    }
}

/// Joins the reports of the kinds.
///
/// # Errors
///
/// If there are no trials.
pub(crate) fn joined(reports: Vec<Report>) -> Result<Report, BenchError> {
    let report = reports.into_iter().reduce(Report::join);
    let mut report =
        report.filter(|report| !report.trials.is_empty()).ok_or("there are no cases")?;
    // Instead of eleven names, which other libraries do not have.
    report.process = "prompts".to_owned();
    Ok(report)
}

/// Measures a kind.
pub(crate) async fn measure<P, T>(bench: &Bench, kind: &str) -> Result<Report, CaseError>
where
    P: Process<State = Question<T>, Context = ()>,
    T: CotOutput + Serialize + DeserializeOwned + 'static,
{
    let mut cases = cases::<T>(kind, Some(&bench.half))?;
    cases.truncate(bench.each);
    let mut eval = Eval::<P, T>::new(&bench.name, cases)
        .seed(1)
        .repeats(bench.repeats)
        .concurrency(NonZeroUsize::MIN)
        .cache(bench.cache.clone())
        .on_result(|trial, progress| {
            let Some(trial) = trial else { return };
            let verdict = if trial.passed { "right" } else { "wrong" };
            eprintln!(
                "{} of {}: {} {}: {verdict}",
                progress.done, progress.total, trial.case, trial.variant
            );
        });
    for (name, model) in &bench.variants {
        eval = eval.variant(name, Runner::new().model(Arc::clone(model)));
    }
    for (name, least, figure) in figures::<T>() {
        eval = eval.score_at_least(name, least, move |trial| {
            let value = trial.state().answer.as_ref();
            let is_valid = value.is_some();
            figure(&Answer { value, is_valid, calls: trial.usage().calls }, trial.expected())
        });
    }
    Ok(eval.run().await)
}

/// The cases.
const CASES: &str = include_str!("../cases.jsonl");

/// Returns the cases of a kind, of a half or of both. Their tag is the kind.
///
/// # Errors
///
/// If a right value is none of its type.
pub(crate) fn cases<T: DeserializeOwned>(
    kind: &str,
    half: Option<&str>,
) -> Result<Vec<Case<Question<T>, T>>, CaseError> {
    let tag = format!(r#""tags": ["{kind}","#);
    // The other lines stay as empty ones, so that an error has the number of its line.
    let lines = CASES.lines().map(|line| if line.contains(&tag) { line } else { "" });
    let mut cases = Case::from_json_lines(&lines.collect::<Vec<_>>().join("\n"))?;
    cases.retain(|case| half.is_none_or(|half| case.tags[1] == half));
    cases.iter_mut().for_each(|case| case.tags.truncate(1));
    Ok(cases)
}

/// What a model made of a case.
pub(crate) struct Answer<'a, T> {
    /// The value, if a reply was accepted and is of the type.
    pub(crate) value: Option<&'a T>,
    /// Whether a reply was accepted.
    pub(crate) is_valid: bool,
    pub(crate) calls: u64,
}

/// A scorer: its name, the score that it asks for, and its function of an answer and the right value.
pub(crate) type Figure<T> = (&'static str, f64, fn(&Answer<'_, T>, &T) -> Score);

/// Returns the scorers: a case passes if its value is exactly right.
pub(crate) fn figures<T: Serialize>() -> [Figure<T>; 4] {
    [
        ("right", 1.0, |answer, right| match answer.value {
            Some(value) => score::fields(value, right),
            None => Score::fail("there is no valid value"),
        }),
        ("valid", 0.0, |answer, _| answer.is_valid.into()),
        ("first valid", 0.0, |answer, _| (answer.is_valid && answer.calls == 1).into()),
        ("first right", 0.0, |answer, right| {
            let is_right =
                answer.value.is_some_and(|value| score::fields(value, right) == Score::PASS);
            (is_right && answer.calls == 1).into()
        }),
    ]
}
