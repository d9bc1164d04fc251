//! The properties of a dialect, as data.

use serde_json::Value;

/// The properties of a dialect. Constraints that it doesn't support are moved to the description.
#[derive(Debug)]
pub(super) struct DialectRules {
    /// The name of the engine or vendor in messages.
    pub(super) engine: &'static str,
    /// The supported constraint keywords, except those with a field of their own.
    pub(super) keywords: &'static [&'static str],
    /// The supported string formats.
    pub(super) formats: &'static [&'static str],
    /// Returns a regular expression in the form that is supported, or `None` if there is none.
    pub(super) pattern: fn(&str) -> Option<String>,
    /// Returns whether the bound of a supported keyword is supported.
    pub(super) supports_bound: fn(&Bound<'_>) -> bool,
    /// The required form of the root.
    pub(super) root: Root,
    /// The representation of optional members.
    pub(super) optional: Optional,
    /// The representation of maps.
    pub(super) maps: Maps,
    /// The representation of schemas that accept any value.
    pub(super) anything: Anything,
    /// The values that may be in an `enum`.
    pub(super) values: Values,
    /// The representation of references.
    pub(super) references: References,
    /// Where recursive types are supported.
    pub(super) recursion: Recursion,
    /// Whether to add the keyword `propertyOrdering`.
    pub(super) adds_property_ordering: bool,
    /// Whether the objects of a choice must differ in their first member.
    pub(super) requires_distinct_first_members: bool,
    pub(super) limits: Limits,
}

/// A constraint keyword with its value, and the JSON type of the values that it constrains.
#[derive(Debug)]
pub(super) struct Bound<'a> {
    pub(super) keyword: &'a str,
    pub(super) value: &'a Value,
    pub(super) kind: Option<&'a str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    Anything,
    /// An object. Other roots are wrapped into one.
    Object,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Optional {
    /// Optional members are not listed in `required`, as in JSON schema.
    LeftOut,
    /// As `LeftOut`, and null is removed from their schemas, since the engine limits the number of nullable
    /// members.
    NeverNull,
    /// All members are required, and null represents an absent one.
    Null,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Maps {
    /// An object with `additionalProperties`.
    Object,
    /// A list of entries, each with `key` and `value`.
    Entries,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anything {
    /// `{}`.
    Empty,
    /// A list of all types, since `{}` accepts objects alone.
    AllTypes,
    /// Not supported. An object or a list of anything is represented by the text of its JSON.
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    All,
    /// All values but lists and objects.
    Primitive,
    /// Strings and numbers.
    Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum References {
    /// A reference may have annotations beside it.
    WithAnnotations,
    /// A reference must be the only keyword. One with annotations is replaced by a short target, or wrapped.
    Alone,
    /// Every reference is replaced by its target if that is short.
    Inlined,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recursion {
    Everywhere,
    /// Only through optional members.
    WithinOptional,
    Nowhere,
}

/// The maximum sizes of a schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The number of members of all objects.
    pub(super) properties: usize,
    /// The nesting depth of objects.
    pub(super) depth: usize,
    /// The number of values of all enums.
    pub(super) values: usize,
    /// The total length of the names of members and definitions and of the values of enums, in characters.
    pub(super) characters: usize,
    /// The total length of the values of an enum with more than [`LONG_ENUM`] values, in characters.
    pub(super) characters_of_enum: usize,
    /// The number of optional members.
    pub(super) optional: usize,
    /// The number of choices between types.
    pub(super) unions: usize,
}

/// The number of values above which the total length of an enum is limited.
pub(super) const LONG_ENUM: usize = 250;

impl Limits {
    pub(super) const NONE: Self = Self {
        properties: usize::MAX,
        depth: usize::MAX,
        values: usize::MAX,
        characters: usize::MAX,
        characters_of_enum: usize::MAX,
        optional: usize::MAX,
        unions: usize::MAX,
    };
}

impl DialectRules {
    /// Returns the value of a constraint keyword in the form that is supported, or `None` if there is none.
    pub(super) fn supported(&self, bound: &Bound<'_>) -> Option<Value> {
        let text = bound.value.as_str().unwrap_or_default();
        let is_supported = match bound.keyword {
            "pattern" => return (self.pattern)(text).map(Value::String),
            "format" => self.formats.contains(&text),
            keyword => self.keywords.contains(&keyword) && (self.supports_bound)(bound),
        };
        is_supported.then(|| bound.value.clone())
    }
}

/// The string formats that OpenAI supports.
pub(super) const FORMATS: &[&str] =
    &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
