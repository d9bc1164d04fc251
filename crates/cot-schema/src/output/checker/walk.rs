//! Descends from a value to the values inside it.

use serde::Serialize;
use serde_json::Value;

use super::checker::{Checker, CheckerStep};
use crate::{decimal::Decimal, issue::Issues};

impl Checker<'_> {
    /// Checks a member: a field, a variant that is a key or the content of a tagged variant.
    pub fn field(&mut self, name: &'static str, check: impl FnOnce(&mut Self)) {
        self.step(CheckerStep::Field(name), check);
    }

    /// Checks an element of a tuple.
    pub fn index(&mut self, index: usize, check: impl FnOnce(&mut Self)) {
        self.step(CheckerStep::Item(index), check);
    }

    /// Checks a value if it is present.
    pub fn optional<T>(&mut self, value: &Option<T>, check: impl FnOnce(&T, &mut Self)) {
        if let Some(value) = value {
            check(value, self);
        }
    }

    /// Checks each item of a list.
    pub fn items<'v, T: 'v>(
        &mut self,
        items: impl IntoIterator<Item = &'v T>,
        mut check: impl FnMut(&T, &mut Self),
    ) {
        for (index, item) in items.into_iter().enumerate() {
            self.index(index, |checker| check(item, checker));
        }
    }

    /// Checks each item of a set. The order of a set is not that of the reply, so that issues have no index.
    pub fn set<'v, T: 'v>(
        &mut self,
        items: impl IntoIterator<Item = &'v T>,
        mut check: impl FnMut(&T, &mut Self),
    ) {
        for item in items {
            check(item, self);
        }
    }

    /// Checks each value of a map.
    pub fn members<'v, K: Serialize + 'v, T: 'v>(
        &mut self,
        members: impl IntoIterator<Item = (&'v K, &'v T)>,
        mut check: impl FnMut(&T, &mut Self),
    ) {
        for (key, value) in members {
            self.step(CheckerStep::Member(key_text(key)), |checker| check(value, checker));
        }
    }
}

impl Checker<'_> {
    /// Checks a number that serializes as a string against the bounds of its field. A schema checks only
    /// numbers.
    ///
    /// Values that serialize as numbers are skipped, since they can differ from the reply: `0.7` as an `f32`
    /// is slightly less when converted to `f64`.
    pub fn range<T: Serialize>(&mut self, value: &T, min: Option<&str>, max: Option<&str>) {
        let Ok(Value::String(text)) = serde_json::to_value(value) else { return };
        let Some(number) = Decimal::parse(text.trim()) else { return };
        let bound = |text: Option<&str>| text.and_then(Decimal::parse);
        let broken = match (bound(min), bound(max)) {
            (Some(least), _) if number < least => min.map(|min| format!("must be at least {min}")),
            (_, Some(most)) if number > most => max.map(|max| format!("must be at most {max}")),
            _ => None,
        };
        self.check(|| broken.map_or(Ok(()), |message| Err(Issues::at("$", message))), "");
    }
}

/// Converts a map key to the key of a JSON object.
fn key_text<K: Serialize>(key: &K) -> String {
    match serde_json::to_value(key) {
        Ok(Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn small(value: &u32, checker: &mut Checker) {
        let result = if *value < 3 { Ok(()) } else { Err(Issues::at("$", "is too large")) };
        checker.check(|| result, "");
    }

    fn texts(check: impl FnOnce(&mut Checker)) -> Vec<String> {
        let mut checker = Checker::default();
        checker.field("it", check);
        checker.into_issues(|| None).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn paths_lead_through_lists_sets_and_maps() {
        assert_eq!(texts(|it| it.items(&[1, 7], small)), ["$.it[1]: is too large"]);
        assert_eq!(texts(|it| it.set(&BTreeSet::from([7]), small)), ["$.it: is too large"]);
        assert_eq!(texts(|it| it.optional(&Some(7), small)), ["$.it: is too large"]);
        assert_eq!(texts(|it| it.optional(&None, small)), [""; 0]);
        let (words, numbers) = (BTreeMap::from([("a b", 7)]), BTreeMap::from([(4, 7)]));
        assert_eq!(texts(|it| it.members(&words, small)), [r#"$.it["a b"]: is too large"#]);
        assert_eq!(texts(|it| it.members(&numbers, small)), [r#"$.it["4"]: is too large"#]);
    }

    #[test]
    fn issues_hold_the_value_that_was_checked() {
        let mut checker = Checker::default();
        checker.field("it", |checker| checker.items(&[1, 7], small));
        let issues = checker.into_issues(|| Some(serde_json::json!({ "it": [1, 7] })));
        assert_eq!(issues.iter().next().unwrap().value, Some(7.into()));
    }

    #[test]
    fn excess_issues_are_counted() {
        let issues = texts(|it| it.items(&vec![7; 1000], small));
        assert_eq!(issues.len(), 21);
        assert_eq!(issues[20], "$: 980 more problems");
    }
}
