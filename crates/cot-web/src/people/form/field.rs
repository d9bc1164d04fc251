//! The fields of a form: what a place of a schema is for the person who fills it in.

use cot_schema::internal::Subschema;
use serde_json::Value;

use super::label;

/// All schemas that apply to a place.
pub(super) type Parts<'s> = Vec<Subschema<'s>>;

/// A place of a schema as a field.
#[derive(Debug)]
pub(super) struct Field<'s> {
    pub(super) kind: FieldKind<'s>,
    pub(super) is_nullable: bool,
    pub(super) title: Option<&'s str>,
    pub(super) description: Option<&'s str>,
    pub(super) default: Option<&'s Value>,
    /// What the schema demands of a value, as sentences.
    pub(super) hints: Vec<String>,
}

/// What is entered into a field.
#[derive(Debug)]
pub(super) enum FieldKind<'s> {
    /// A value that there is no choice about.
    Fixed(&'s Value),
    Text(TextKind),
    Number,
    Bool,
    /// One of some values.
    Choice(Vec<Choice<'s>>),
    /// Any number of some values, each at most once.
    Several(Vec<Choice<'s>>),
    List(List<'s>),
    Object(Object<'s>),
    /// One of several kinds of values.
    Variants(Vec<Case<'s>>),
    /// Any JSON.
    Json,
}

/// How a text is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// In several lines.
    Long,
    /// In one line.
    Short,
    Date,
    Email,
    Url,
}

/// A value that can be chosen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice<'s> {
    pub(super) value: &'s Value,
    pub(super) description: Option<&'s str>,
}

/// The rows of a list.
#[derive(Debug)]
pub(super) struct List<'s> {
    /// The schemas of the first rows, which have to be there.
    pub(super) prefix: Vec<Parts<'s>>,
    /// The schemas of further rows; `None` if there can be none.
    pub(super) items: Option<Parts<'s>>,
    pub(super) min: usize,
    pub(super) max: Option<usize>,
}

/// The members of an object.
#[derive(Debug)]
pub(super) struct Object<'s> {
    pub(super) members: Vec<Member<'s>>,
    /// The schemas of members that the schema does not name, if it asks for such.
    pub(super) rest: Option<Parts<'s>>,
}

#[derive(Debug)]
pub(super) struct Member<'s> {
    pub(super) name: &'s str,
    pub(super) parts: Parts<'s>,
    pub(super) is_required: bool,
}

/// A variant of a value.
#[derive(Debug)]
pub(super) struct Case<'s> {
    pub(super) label: String,
    pub(super) description: Option<&'s str>,
    pub(super) content: Content<'s>,
}

/// What a variant consists of.
#[derive(Debug)]
pub(super) enum Content<'s> {
    /// Only its value.
    Value(&'s Value),
    /// The fields of these schemas.
    Parts(Parts<'s>),
}

impl<'s> Field<'s> {
    /// Creates a field without words.
    pub(super) const fn bare(kind: FieldKind<'s>) -> Self {
        Self {
            kind,
            is_nullable: false,
            title: None,
            description: None,
            default: None,
            hints: Vec::new(),
        }
    }
}

impl Choice<'_> {
    /// Returns the text that stands for the value in a control: that of a string, or JSON.
    pub(super) fn control_text(&self) -> String {
        match self.value {
            Value::String(text) if !text.is_empty() && !looks_like_json(text) => text.clone(),
            other => other.to_string(),
        }
    }

    pub(super) fn shown(&self) -> String {
        label::value(self.value)
    }
}

/// Returns whether the text of a string could be taken for another value.
fn looks_like_json(text: &str) -> bool {
    text.contains('\r') || text.contains('\n') || serde_json::from_str::<Value>(text).is_ok()
}
