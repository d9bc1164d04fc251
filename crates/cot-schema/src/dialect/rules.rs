//! What a dialect takes, as data.

/// What a dialect takes. A keyword that it does not take is said in the description.
#[derive(Debug)]
pub(super) struct Rules {
    /// Who takes it, as messages call them.
    pub(super) taker: &'static str,
    /// The keywords that constrain values and are taken, apart from those that have a rule of their own.
    pub(super) keywords: &'static [&'static str],
    /// The formats of strings that are taken.
    pub(super) formats: &'static [&'static str],
    /// Whether a regular expression is taken.
    pub(super) takes_pattern: fn(&str) -> bool,
    /// Whether the bound of a keyword is taken.
    pub(super) takes_bound: fn(&Bound<'_>) -> bool,
    /// What the root has to be.
    pub(super) root: Root,
    /// How a member that may be left out is written.
    pub(super) optional: Optional,
    /// How a map is written.
    pub(super) maps: Maps,
    /// Whether a value may be anything.
    pub(super) takes_anything: bool,
    /// Which values may be listed one by one.
    pub(super) values: Values,
    /// How a reference is written.
    pub(super) references: References,
    /// Where a type may be inside itself.
    pub(super) recursion: Recursion,
    /// Whether the order of members has to be told.
    pub(super) tells_order: bool,
    /// Whether the objects of a choice have to differ in their first member.
    pub(super) tells_by_first_member: bool,
    pub(super) limits: Limits,
}

/// A keyword with a number, and the type of the values that it bounds.
#[derive(Debug)]
pub(super) struct Bound<'a> {
    pub(super) keyword: &'a str,
    pub(super) value: &'a serde_json::Value,
    pub(super) kind: Option<&'a str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    Anything,
    /// An object; else it is wrapped into one.
    Object,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Optional {
    /// It may be left out, as in JSON schema.
    LeftOut,
    /// It may be left out, and so it need not be null: nullable ones are counted.
    NeverNull,
    /// It is required, and null stands for one that is left out.
    Null,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Maps {
    /// An object with any members.
    Object,
    /// A list of entries, each with `key` and `value`.
    Entries,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    All,
    /// No lists and objects.
    Primitive,
    /// Strings and numbers.
    Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum References {
    /// Beside others, what it refers to stands in its place where that is short.
    Described,
    /// With nothing beside it.
    Alone,
    /// What it refers to stands in its place wherever that is short.
    InPlace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recursion {
    Everywhere,
    /// Within members that may be left out.
    WithinOptional,
    Nowhere,
}

/// The most of each that a schema may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Members of all objects.
    pub(super) properties: usize,
    /// Objects within objects.
    pub(super) depth: usize,
    /// Values of all enums.
    pub(super) values: usize,
    /// Characters of the names of members and definitions and of the values of enums.
    pub(super) characters: usize,
    /// Characters of the values of one enum that has more than [`LONG_ENUM`] of them.
    pub(super) characters_of_enum: usize,
    /// Members that may be left out.
    pub(super) optional: usize,
    /// Choices between several types.
    pub(super) unions: usize,
}

/// From more values on, the characters of an enum are limited.
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

impl Rules {
    /// Whether a keyword that constrains a value is taken with this value.
    pub(super) fn takes(&self, bound: &Bound<'_>) -> bool {
        let text = bound.value.as_str().unwrap_or_default();
        match bound.keyword {
            "format" => self.formats.contains(&text),
            "pattern" => (self.takes_pattern)(text),
            keyword => self.keywords.contains(&keyword) && (self.takes_bound)(bound),
        }
    }
}

/// The formats of strings that OpenAI takes.
pub(super) const FORMATS: &[&str] =
    &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
