//! Traces, their structures, and what is in them.

use std::borrow::Cow;

use super::{
    number::item_number,
    position::Position,
    value::{Entry, Expr, Object, Value},
};

/// A conversation in the TASK format: its structures in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The structures.
    pub blocks: Vec<Block>,
}

/// A structure of a trace, such as `user「…」` or `act { … }`.
///
/// ```
/// use cot_core::task_format::{Block, BlockKind, Expr, Object};
///
/// let call = Object::default().with("tool", "get_weather").with("id", "w1");
/// let act = Block::new(BlockKind::Act, Object::default().with("call", Expr::from(call).satisfy(1)));
/// assert_eq!(act.calls().next().unwrap().tool(), Some("get_weather"));
/// ```
#[derive(Clone, Debug)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Where it begins.
    pub position: Position,
    /// Its message or object, with the marks after it.
    pub content: Expr,
}

/// What a structure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// The system message.
    System,
    /// The definition of a tool.
    Tool,
    /// A message of the user.
    User,
    /// A todo list by itself.
    Todo,
    /// The model plans.
    Plan,
    /// The model thinks and calls tools.
    Act,
    /// What a tool gave back.
    ToolResult,
    /// The model answers.
    Response,
}

/// A call of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Call<'b> {
    /// The call's expression.
    pub expr: &'b Expr,
    object: &'b Object,
}

/// An item of the todo list as it stands at the end of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TodoItem {
    /// Its number.
    pub number: u64,
    /// What is to be done, as the last plan with the item says; empty if that is no text.
    pub text: String,
    /// The turn in which it was defined, from 1; 0 before the first user message.
    pub turn: usize,
    /// Whether something satisfies it (`⊨`).
    pub is_satisfied: bool,
}

/// An item of a todo list.
#[derive(Clone, Copy, Debug)]
pub struct Todo<'b> {
    /// Its number; none if its key is not a whole number.
    pub number: Option<u64>,
    /// Its entry: the key as written, and the text.
    pub entry: &'b Entry,
}

impl BlockKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::System,
        Self::Tool,
        Self::User,
        Self::Todo,
        Self::Plan,
        Self::Act,
        Self::ToolResult,
        Self::Response,
    ];

    /// The word that begins such a structure.
    #[must_use]
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Tool => "tool",
            Self::User => "user",
            Self::Todo => "todo",
            Self::Plan => "plan",
            Self::Act => "act",
            Self::ToolResult => "result",
            Self::Response => "response",
        }
    }

    /// Whether its content is a text; it is an object otherwise.
    #[must_use]
    pub const fn is_message(self) -> bool {
        matches!(self, Self::System | Self::User | Self::Response)
    }

    /// The kind of a word, in whatever case.
    pub(super) fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.keyword().eq_ignore_ascii_case(word))
    }
}

impl Block {
    /// A structure.
    #[must_use]
    pub fn new(kind: BlockKind, content: impl Into<Expr>) -> Self {
        Self { kind, position: Position::START, content: content.into() }
    }

    /// The calls, given once or as a list.
    pub fn calls(&self) -> impl Iterator<Item = Call<'_>> {
        let object = self.content.as_object().filter(|_| self.kind == BlockKind::Act);
        let exprs = object.into_iter().flat_map(|object| object.all("call")).flat_map(Expr::each);
        exprs.filter_map(|expr| Some(Call { expr, object: expr.as_object()? }))
    }

    /// The thoughts, given once or as a list.
    pub fn thoughts(&self) -> impl Iterator<Item = &Expr> {
        let object = self.content.as_object().filter(|_| self.kind == BlockKind::Act);
        object.into_iter().flat_map(|object| object.all("think")).flat_map(Expr::each)
    }

    /// The items of the todo list.
    pub fn todos(&self) -> impl Iterator<Item = Todo<'_>> {
        let object = self.content.as_object();
        let own = object.filter(|_| self.kind == BlockKind::Todo);
        let planned = object.filter(|_| self.kind == BlockKind::Plan);
        let planned = planned.into_iter().flat_map(|object| object.all("todo"));
        let lists = own.into_iter().chain(planned.filter_map(Expr::as_object));
        lists.flat_map(|list| &list.entries).map(Todo::of)
    }

    /// The tags of a result: on the structure, or on its data.
    pub fn result_tags(&self) -> impl Iterator<Item = &super::Named<String>> {
        let data = self.content.as_object().and_then(|object| object.get("data"));
        self.content.tags().iter().chain(data.into_iter().flat_map(Expr::tags))
    }
}

impl PartialEq for Block {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.content == other.content
    }
}

impl<'b> Call<'b> {
    /// The name of the tool.
    #[must_use]
    pub fn tool(&self) -> Option<&'b str> {
        self.object.get("tool")?.as_text()
    }

    /// The id under which its result comes.
    #[must_use]
    pub fn id(&self) -> Option<Cow<'b, str>> {
        match &self.object.get("id")?.value {
            Value::Text(text) => Some(Cow::Borrowed(text)),
            // An unquoted `7` is the name `7` wherever a name is expected.
            Value::Number(number) => Some(number.text()),
            _ => None,
        }
    }

    /// All entries, `tool` and `id` included.
    #[must_use]
    pub fn entries(&self) -> &'b [Entry] {
        &self.object.entries
    }

    /// The arguments: all entries but `tool` and `id`.
    pub fn arguments(&self) -> impl Iterator<Item = &'b Entry> + use<'b> {
        self.object.entries.iter().filter(|entry| !matches!(entry.key.as_str(), "tool" | "id"))
    }
}

impl<'b> Todo<'b> {
    fn of(entry: &'b Entry) -> Self {
        Self { number: item_number(&entry.key), entry }
    }

    /// What is to be done.
    #[must_use]
    pub fn text(&self) -> Option<&'b str> {
        self.entry.expr.as_text()
    }
}

impl From<Vec<Block>> for Trace {
    fn from(blocks: Vec<Block>) -> Self {
        Self { blocks }
    }
}
