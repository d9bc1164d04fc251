//! Phrases constraints as sentences for descriptions.

use serde_json::{Map, Value};

/// Maximum length of a value in a description.
const MAX_SHOWN_BYTES: usize = 200;

/// Keywords that annotate a schema and constrain nothing.
const ANNOTATIONS: [&str; 16] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentMediaType",
    "contentEncoding",
    "$comment",
    "$id",
    "$anchor",
    "$schema",
    "$defs",
    "definitions",
    "propertyOrdering",
];

/// Constraint keywords that are quoted as JSON, since they have no short phrasing.
const QUOTED_KEYWORDS: [&str; 13] = [
    "if",
    "then",
    "else",
    "contains",
    "minContains",
    "maxContains",
    "dependentRequired",
    "dependentSchemas",
    "propertyNames",
    "patternProperties",
    "unevaluatedItems",
    "items",
    "not",
];

/// Returns whether a keyword is an annotation. Unknown keywords are not.
pub(crate) fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword)
}

/// Phrases a keyword and its value as a sentence. Returns `None` for unknown keywords and long values.
pub(crate) fn sentence(keyword: &str, value: &Value) -> Option<String> {
    let items = |count: &Value| if *count == 1 { "item" } else { "items" };
    let members = |count: &Value| if *count == 1 { "member" } else { "members" };
    let characters = |count: &Value| if *count == 1 { "character" } else { "characters" };
    Some(match keyword {
        "minLength" => format!("At least {value} {}.", characters(value)),
        "maxLength" => format!("At most {value} {}.", characters(value)),
        "minimum" => format!("At least {value}."),
        "maximum" => format!("At most {value}."),
        "exclusiveMinimum" => format!("More than {value}."),
        "exclusiveMaximum" => format!("Less than {value}."),
        "multipleOf" => format!("A multiple of {value}."),
        "minItems" => format!("At least {value} {}.", items(value)),
        "maxItems" => format!("At most {value} {}.", items(value)),
        "minProperties" => format!("At least {value} {}.", members(value)),
        "maxProperties" => format!("At most {value} {}.", members(value)),
        "required" => format!("With {}.", quoted(value)?),
        "uniqueItems" if *value == true => "No item twice.".to_owned(),
        "pattern" => format!("Matches the regular expression `{}`.", value.as_str()?),
        "format" => match value.as_str()? {
            "date" => "A date as `YYYY-MM-DD`.".to_owned(),
            "date-time" => "A time as `YYYY-MM-DDThh:mm:ssZ`.".to_owned(),
            format => format!("In the format `{format}`."),
        },
        "default" if !value.is_null() => format!("Default: {}.", shown(value)?),
        "contentEncoding" => format!("Encoded as {}.", value.as_str()?),
        "examples" => format!("For example {}.", example(value)?),
        "not" => match value.get("const").and_then(shown) {
            Some(shown) => format!("Not {shown}."),
            None => format!("Does not fit {}.", shown(value)?),
        },
        keyword if QUOTED_KEYWORDS.contains(&keyword) => {
            format!("JSON schema: `{keyword}` {}.", shown(value)?)
        }
        _ => return None,
    })
}

/// Quotes the names in a list that is not empty.
fn quoted(names: &Value) -> Option<String> {
    let names = names.as_array()?.iter().filter_map(Value::as_str);
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn shown(value: &Value) -> Option<String> {
    let text = value.to_string();
    (text.len() <= MAX_SHOWN_BYTES).then(|| format!("`{text}`"))
}

fn example(examples: &Value) -> Option<String> {
    shown(examples.as_array()?.first()?)
}

/// Adds sentences to a description.
pub(super) fn describe(schema: &mut Map<String, Value>, sentences: &[String]) {
    if sentences.is_empty() {
        return;
    }
    let own = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let text = joined(own, &sentences.join(" "));
    // The description comes first, as is common.
    schema.shift_remove("description");
    schema.shift_insert(0, "description".to_owned(), Value::String(text));
}

/// Joins two texts as separate sentences.
pub(crate) fn joined(first: &str, second: &str) -> String {
    let first = first.trim_end();
    let stop = match first.chars().last() {
        None => "",
        Some('.' | '!' | '?' | ':' | ';' | '`') => " ",
        Some(_) => ". ",
    };
    format!("{first}{stop}{second}")
}
