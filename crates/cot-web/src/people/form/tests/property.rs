//! Values survive a form, and nothing that is posted breaks one.

use std::sync::Arc;

use cot_core::{model::ReplySchema, testing::Replies};
use proptest::prelude::*;
use serde_json::Value;

use super::{
    super::{
        action::Action,
        entered::Entered,
        form::{Form, FormIssues},
    },
    browser::posted,
    schemas::schemas,
};

fn entered(pairs: &[(String, String)]) -> Entered {
    Entered::from_pairs(pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())))
}

fn read(form: &Form<'_>, entered: &Entered) -> Value {
    form.read(entered, |_| Ok(())).unwrap_or_else(|issues| panic!("{issues:?} in {entered:?}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_survive_a_form_and_a_browser(seed: u64) {
        for schema in schemas().into_iter().filter(|schema| !schema.to_string().contains("none")) {
            let named = Arc::new(ReplySchema { name: "answer".into(), json: schema.clone() });
            let value = Replies::seeded(seed).valid(&named);
            let form = Form::new(&schema);
            let filled = form.fill(&value);
            let pairs: Vec<_> = filled.pairs().collect();
            prop_assert_eq!(&read(&form, &entered(&pairs)), &value);
            let html = form.show(&filled, &FormIssues::default()).fields;
            let shown = posted(&html.into_string());
            prop_assert_eq!(&read(&form, &entered(&shown)), &value, "{:#?}", shown);
        }
    }

    #[test]
    fn nothing_that_is_posted_breaks_a_form(
        seed: u64,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), "\\PC{0,6}"), 0..12),
        actions in prop::collection::vec(("add:|remove:|open:|close:|json:|fields:|switch:", any::<prop::sample::Index>()), 0..4),
    ) {
        for schema in schemas() {
            let named = Arc::new(ReplySchema { name: "answer".into(), json: schema.clone() });
            let value = Replies::seeded(seed).valid(&named);
            let form = Form::new(&schema);
            let mut pairs: Vec<_> = form.fill(&value).pairs().collect();
            for (index, kind, text) in &changes {
                let Some(at) = (!pairs.is_empty()).then(|| index.index(pairs.len())) else { break };
                match kind % 4 {
                    0 => pairs[at].1.clone_from(text),
                    1 => drop(pairs.remove(at)),
                    2 => pairs[at].1 = u64::from(*kind).to_string(),
                    _ => pairs.push((format!("{}{text}/", pairs[at].0), text.clone())),
                }
            }
            let mut entered = entered(&pairs);
            for (verb, index) in &actions {
                let name = (!pairs.is_empty()).then(|| &pairs[index.index(pairs.len())].0);
                let pointer = name.and_then(|name| name.split_once(':')).map_or("/", |(_, pointer)| pointer);
                if let Some(action) = Action::parse(&format!("{verb}{pointer}")) {
                    action.apply(&form, &mut entered);
                }
            }
            let issues = form.read(&entered, |_| Ok(())).err().unwrap_or_default();
            let shown = form.show(&entered, &issues);
            prop_assert_eq!(shown.summary.is_some(), form.read(&entered, |_| Ok(())).is_err());
        }
    }
}
