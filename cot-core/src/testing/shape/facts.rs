//! What several schemas say together, keyword by keyword.

use serde_json::{Map, Value};

use super::{
    alternatives::{Keywords, Way},
    numbers::Bounds,
};

/// The keywords of one way to fit a schema, gathered.
#[derive(Debug, Default)]
pub(super) struct Facts<'s> {
    way: Way<'s>,
}

/// The types of JSON, in the order of their bits.
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
/// Keywords that tell a type where `type` is absent.
const TELLING: [(&str, &[&str]); 4] = [
    ("object", &["properties", "required", "additionalProperties", "patternProperties"]),
    ("array", &["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]),
    ("string", &["minLength", "maxLength", "pattern"]),
    ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
];

impl<'s> Facts<'s> {
    pub(super) const fn of(way: Way<'s>) -> Self {
        Self { way }
    }

    /// What each schema says by a keyword.
    pub(super) fn all(&self, keyword: &'static str) -> impl Iterator<Item = &'s Value> {
        self.way.iter().filter_map(move |keywords| keywords.get(keyword))
    }

    fn numbers(&self, keyword: &'static str) -> impl Iterator<Item = u64> {
        self.all(keyword).filter_map(|limit| limit.as_u64().or_else(|| whole(limit)))
    }

    /// The strictest lower limit of a count.
    pub(super) fn at_least(&self, keyword: &'static str) -> u64 {
        self.numbers(keyword).max().unwrap_or(0)
    }

    /// The strictest upper limit of a count.
    pub(super) fn at_most(&self, keyword: &'static str) -> Option<u64> {
        self.numbers(keyword).min()
    }

    /// The first text that is given for a keyword.
    pub(super) fn text(&self, keyword: &'static str) -> Option<&'s str> {
        self.all(keyword).find_map(Value::as_str)
    }

    /// Whether some schema demands it.
    pub(super) fn demands(&self, keyword: &'static str) -> bool {
        self.all(keyword).any(|value| *value == Value::Bool(true))
    }

    /// The types that all schemas admit; `None` where nothing tells a type.
    pub(super) fn types(&self) -> Option<Vec<&'static str>> {
        let mut given = self.all("type").peekable();
        if given.peek().is_none() {
            return self.told_type().map(|told| vec![told]);
        }
        let mut types = TYPES.to_vec();
        for said in given {
            types.retain(|name| admits(said, name));
        }
        // An integer is a number: two kinds of numbers are one.
        if types.contains(&"number") {
            types.retain(|name| *name != "integer");
        }
        Some(types)
    }

    fn told_type(&self) -> Option<&'static str> {
        let tells = |keywords: &[&str]| {
            keywords.iter().any(|keyword| self.way.iter().any(|said| said.contains_key(*keyword)))
        };
        TELLING.iter().find(|(_, keywords)| tells(keywords)).map(|(name, _)| *name)
    }

    /// The values that `enum` and `const` admit, if there is one of them.
    pub(super) fn values(&self) -> Option<Vec<Value>> {
        let listed = self.all("enum").filter_map(Value::as_array).map(Vec::as_slice);
        let constants = self.all("const").map(std::slice::from_ref);
        let mut lists = listed.chain(constants);
        let mut values = lists.next()?.to_vec();
        for list in lists {
            values.retain(|value| list.contains(value));
        }
        if let Some(types) = self.types() {
            values.retain(|value| types.iter().any(|name| is_of(value, name)));
        }
        Some(values)
    }

    pub(super) fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::default();
        let numbers = |keyword| self.all(keyword).filter_map(Value::as_number);
        numbers("minimum").for_each(|limit| bounds.at_least(limit, false));
        numbers("exclusiveMinimum").for_each(|limit| bounds.at_least(limit, true));
        numbers("maximum").for_each(|limit| bounds.at_most(limit, false));
        numbers("exclusiveMaximum").for_each(|limit| bounds.at_most(limit, true));
        numbers("multipleOf").for_each(|step| bounds.multiple_of(step));
        self.all("format").filter_map(Value::as_str).for_each(|format| bounds.of_format(format));
        bounds
    }

    /// The members that schemas name, in the order of their first mention, each with all that is
    /// said of it.
    pub(super) fn members(&self) -> Vec<(&'s str, Vec<&'s Value>)> {
        let mut members: Vec<(&str, Vec<&Value>)> = Vec::new();
        for (name, schema) in self.all("properties").filter_map(Value::as_object).flatten() {
            match members.iter_mut().find(|(known, _)| known == name) {
                Some((_, schemas)) => schemas.push(schema),
                None => members.push((name, vec![schema])),
            }
        }
        for name in self.required() {
            if !members.iter().any(|(known, _)| *known == name) {
                members.push((name, self.additional().collect()));
            }
        }
        members
    }

    pub(super) fn required(&self) -> impl Iterator<Item = &'s str> {
        self.all("required").filter_map(Value::as_array).flatten().filter_map(Value::as_str)
    }

    /// What is said of members that are not named.
    pub(super) fn additional(&self) -> impl Iterator<Item = &'s Value> {
        self.all("additionalProperties").chain(self.all("unevaluatedProperties"))
    }

    /// Keys that have to match a pattern, and what is said of their values.
    pub(super) fn patterns(&self) -> Option<(&'s str, &'s Value)> {
        let patterns = self.all("patternProperties").filter_map(Value::as_object);
        patterns.flat_map(Map::iter).next().map(|(pattern, schema)| (pattern.as_str(), schema))
    }

    /// The items of a tuple.
    pub(super) fn prefix(&self) -> Vec<Vec<&'s Value>> {
        let mut prefix: Vec<Vec<&Value>> = Vec::new();
        for items in self.all("prefixItems").filter_map(Value::as_array) {
            for (position, item) in items.iter().enumerate() {
                match prefix.get_mut(position) {
                    Some(schemas) => schemas.push(item),
                    None => prefix.push(vec![item]),
                }
            }
        }
        prefix
    }
}

fn admits(said: &Value, name: &str) -> bool {
    let admits_one = |said: &Value| match said.as_str() {
        Some("number") => name == "number" || name == "integer",
        said => said == Some(name),
    };
    match said {
        Value::Array(several) => several.iter().any(admits_one),
        one => admits_one(one),
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => name == "number" || (name == "integer" && !number.is_f64()),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// A count that is written with a fraction of zero.
fn whole(limit: &Value) -> Option<u64> {
    let limit = limit.as_f64().filter(|limit| limit.fract() == 0.0 && *limit >= 0.0)?;
    Some(limit as u64)
}

/// Where the keywords of a schema are, to know it again.
pub(super) fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema) as usize
}

/// Whether a way says nothing at all, or only what does not bear on values.
pub(super) fn is_silent(way: &[Keywords<'_>]) -> bool {
    way.iter().all(|keywords| keywords.is_empty())
}
