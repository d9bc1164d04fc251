//! Expressions: values with their marks.

use super::{number::Number, position::Position};

/// The limit on the nesting of objects and arrays.
pub const MAX_DEPTH: usize = 64;

/// A value with its marks: tags, references to tags, satisfied todo items, and the model's confidence.
///
/// Equality ignores positions.
///
/// ```
/// use cot_core::task_format::Expr;
///
/// let thought = Expr::from("a light sweater").tag("idea").reference("weather").satisfy(2);
/// assert_eq!(thought.tags()[0].value, "idea");
/// ```
#[derive(Clone, Debug)]
pub struct Expr {
    /// The value without marks.
    pub value: Value,
    /// The position of its first character.
    pub position: Position,
    // Boxed, since most expressions have no marks.
    marks: Option<Box<Marks>>,
}

/// A value of the format.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number with its text.
    Number(Number),
    /// A text, quoted or unquoted.
    Text(String),
    /// An array, `[ a • b ]`.
    Array(Vec<Expr>),
    /// An object, `{ a ↦ b • c ↦ d }`.
    Object(Object),
}

/// The entries of an object, in order. A key can occur more than once, as `call` does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// The entries, in order.
    pub entries: Vec<Entry>,
}

/// A key and its expression.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The position of the key.
    pub position: Position,
    /// The expression after `↦`.
    pub expr: Expr,
}

/// A name or number in a mark, with its position.
#[derive(Clone, Debug)]
pub struct Located<T> {
    /// The name or number.
    pub value: T,
    /// The position of its first character.
    pub position: Position,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Marks {
    pub(super) confidence: Option<Located<Number>>,
    pub(super) references: Vec<Located<String>>,
    pub(super) tags: Vec<Located<String>>,
    pub(super) satisfies: Vec<Located<Number>>,
}

impl Expr {
    pub(super) fn at(value: Value, position: Position) -> Self {
        Self { value, position, marks: None }
    }

    /// Returns the tags that the expression defines (`🏷`).
    #[must_use]
    pub fn tags(&self) -> &[Located<String>] {
        self.marks.as_deref().map_or(&[], |marks| &marks.tags)
    }

    /// Returns the tags that the expression refers to (`※`).
    #[must_use]
    pub fn references(&self) -> &[Located<String>] {
        self.marks.as_deref().map_or(&[], |marks| &marks.references)
    }

    /// Returns the numbers of the todo items that the expression satisfies (`⊨`).
    #[must_use]
    pub fn satisfies(&self) -> &[Located<Number>] {
        self.marks.as_deref().map_or(&[], |marks| &marks.satisfies)
    }

    /// Returns the model's confidence in the value (`𝑝`).
    #[must_use]
    pub fn confidence(&self) -> Option<&Located<Number>> {
        self.marks.as_deref()?.confidence.as_ref()
    }

    /// Adds a tag to the expression.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.marks_mut().tags.push(Located::from(tag.into()));
        self
    }

    /// Adds a reference to a tag.
    #[must_use]
    pub fn reference(mut self, tag: impl Into<String>) -> Self {
        self.marks_mut().references.push(Located::from(tag.into()));
        self
    }

    /// Adds the number of a satisfied todo item.
    #[must_use]
    pub fn satisfy(mut self, item: u64) -> Self {
        self.marks_mut().satisfies.push(Located::from(Number::from(item)));
        self
    }

    /// Sets the model's confidence, from 0 to 1. Infinities and NaN become 0.
    #[must_use]
    pub fn confident(mut self, confidence: f64) -> Self {
        let number = Number::from_f64(confidence).unwrap_or_else(|| 0.into());
        self.marks_mut().confidence = Some(Located::from(number));
        self
    }

    /// Returns the text, if the value is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    /// Returns the object, if the value is one.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        if let Value::Object(object) = &self.value { Some(object) } else { None }
    }

    pub(super) fn marks(&self) -> Option<&Marks> {
        self.marks.as_deref()
    }

    pub(super) fn marks_mut(&mut self) -> &mut Marks {
        self.marks.get_or_insert_default()
    }

    /// Iterates over the items of an array, or over the expression itself if it is not an array.
    pub(super) fn each(&self) -> std::slice::Iter<'_, Self> {
        match &self.value {
            Value::Array(items) => items.iter(),
            _ => std::slice::from_ref(self).iter(),
        }
    }
}

impl Object {
    /// Returns the first expression of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Expr> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.expr)
    }

    /// Iterates over the expressions of a key.
    pub fn all<'o>(&'o self, key: &'o str) -> impl Iterator<Item = &'o Expr> {
        self.entries.iter().filter(move |entry| entry.key == key).map(|entry| &entry.expr)
    }

    /// Appends an entry.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, expr: impl Into<Expr>) -> Self {
        self.entries.push(Entry { key: key.into(), position: Position::START, expr: expr.into() });
        self
    }
}

impl<T> From<T> for Located<T> {
    fn from(value: T) -> Self {
        Self { value, position: Position::START }
    }
}

impl<T: PartialEq> PartialEq for Located<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        let is_marked = |marks: &&Marks| **marks != Marks::default();
        self.value == other.value
            && self.marks().filter(is_marked) == other.marks().filter(is_marked)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.expr == other.expr
    }
}

impl<T: Into<Value>> From<T> for Expr {
    fn from(value: T) -> Self {
        Self::at(value.into(), Position::START)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Value {
    fn from(bool: bool) -> Self {
        Self::Bool(bool)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl From<Vec<Expr>> for Value {
    fn from(items: Vec<Expr>) -> Self {
        Self::Array(items)
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::Object(object)
    }
}

impl Value {
    /// Returns the type of the value with its article, for messages.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}
