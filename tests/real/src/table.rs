//! Results as a Markdown table.

use std::{collections::BTreeMap, fmt::Write};

use crate::{kinds::Kind, result::CaseResult, server::Setting};

const HEAD: &str = "\
| model, setting | cases | first valid | first right | valid | right | saved / retries | calls | prompt tokens | reply tokens |
|---|---|---|---|---|---|---|---|---|---|
";

/// The sums of some results.
#[derive(Debug, Default, PartialEq, Eq)]
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

/// Writes a table with a row for each model and setting, or for each kind of cases too.
pub(crate) fn table(runs: &[(&str, &[CaseResult])], by_kind: bool) -> String {
    let mut rows = BTreeMap::<(&str, Setting, Option<Kind>, usize), Totals>::new();
    for (run, (_, results)) in runs.iter().enumerate() {
        for result in *results {
            let kinds = [None, by_kind.then_some(result.kind)];
            for kind in kinds.into_iter().take(1 + usize::from(by_kind)) {
                rows.entry((&result.model, result.setting, kind, run)).or_default().add(result);
            }
        }
    }
    let mut text = HEAD.to_owned();
    for ((model, setting, kind, run), totals) in rows {
        let mut name = format!("{model}, {}", setting.name());
        if let Some(kind) = kind {
            let _ = write!(name, ", {}", kind.name());
        }
        if let Some((run, _)) = runs.get(run).filter(|(name, _)| !name.is_empty()) {
            let _ = write!(name, ": {run}");
        }
        text += &totals.row(&name);
        text.push('\n');
    }
    text
}
