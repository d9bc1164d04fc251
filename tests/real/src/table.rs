//! Results as a Markdown table.

use std::{collections::BTreeMap, fmt::Write, iter};

use crate::{
    kinds::Kind,
    result::{CaseResult, name},
};

const HEAD: &str = "\
| model, setting | cases | first valid | first right | valid | right | saved / retries | calls | prompt tokens | reply tokens |
|---|---|---|---|---|---|---|---|---|---|
";

/// The sums of some results.
#[derive(Debug, Default)]
struct Totals {
    cases: u64,
    first_valid: u64,
    first_right: u64,
    valid: u64,
    right: u64,
    saved: u64,
    retries: u64,
    calls: u64,
    prompt_tokens: u64,
    reply_tokens: u64,
}

impl Totals {
    fn add(&mut self, result: &CaseResult) {
        self.cases += 1;
        self.first_valid += u64::from(result.is_first_valid());
        self.first_right += u64::from(result.is_first_valid() && result.right);
        self.valid += u64::from(result.is_valid());
        self.right += u64::from(result.right);
        self.saved += u64::from(result.is_valid() && !result.is_first_valid());
        self.retries += result.retries();
        self.calls += result.calls;
        self.prompt_tokens += result.prompt_tokens;
        self.reply_tokens += result.reply_tokens;
    }

    fn row(&self, name: &str) -> String {
        let Self { cases, first_valid, first_right, valid, right, saved, retries, .. } = self;
        let Self { calls, prompt_tokens, reply_tokens, .. } = self;
        format!(
            "| {name} | {cases} | {first_valid} | {first_right} | {valid} | {right} | {saved} / {retries} | {calls} \
             | {prompt_tokens} | {reply_tokens} |"
        )
    }
}

/// Writes a table with a row for each model and setting, and for each kind of cases too if wanted.
pub(crate) fn table(runs: &[(&str, &[CaseResult])], by_kind: bool) -> String {
    let mut rows = BTreeMap::<(&str, &str, Option<Kind>, usize), Totals>::new();
    for (run, (_, results)) in runs.iter().enumerate() {
        for result in *results {
            for kind in iter::once(None).chain(by_kind.then_some(Some(result.kind))) {
                rows.entry((&result.model, &result.setting, kind, run)).or_default().add(result);
            }
        }
    }
    let mut text = HEAD.to_owned();
    for ((model, setting, kind, run), totals) in rows {
        let mut title = format!("{model}, {setting}");
        if let Some(kind) = kind {
            let _ = write!(title, ", {}", name(kind));
        }
        if let Some((run, _)) = runs.get(run).filter(|(name, _)| !name.is_empty()) {
            let _ = write!(title, ": {run}");
        }
        text += &totals.row(&title);
        text.push('\n');
    }
    text
}
