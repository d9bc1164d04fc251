//! Traces and their structures: typed access to the calls, thoughts and todo items in them.

use std::borrow::Cow;

use super::{
    number::item_number,
    position::Position,
    value::{Entry, Expr, Object, Value},
};

/// A conversation in the TASK format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The structures, in their order.
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
    /// The kind of the structure.
    pub kind: BlockKind,
    /// The position of the first character of its keyword.
    pub position: Position,
    /// Its message or object, with the marks after it.
    pub content: Expr,
}

/// The kind of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// The system message.
    System,
    /// The definition of a tool.
    Tool,
    /// A message of the user.
    User,
    /// A todo list outside a plan.
    Todo,
    /// A plan of the model.
    Plan,
    /// Thoughts and tool calls of the model.
    Act,
    /// The result of a tool call.
    ToolResult,
    /// The answer of the model to the user.
    Response,
}

/// A call of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Call<'b> {
    /// The expression of the call.
    pub expr: &'b Expr,
    object: &'b Object,
}

/// The final state of a todo item at the end of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TodoItem {
    /// The number of the item.
    pub number: u64,
    /// The task in the last plan that has the item; empty if that is not a text.
    pub text: String,
    /// The turn that defined the item, from 1; 0 before the first user message.
    pub turn: usize,
    /// Whether an expression of the trace satisfies the item (`⊨`).
    pub is_satisfied: bool,
}

/// An item of a todo list.
#[derive(Clone, Copy, Debug)]
pub struct Todo<'b> {
    /// The number of the item; `None` if its key is not a whole number.
    pub number: Option<u64>,
    /// The entry of the item: the key as written, and the text.
    pub entry: &'b Entry,
}

impl BlockKind {
    /// All kinds of structures.
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

    /// Returns the keyword of structures of this kind.
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

    /// Returns whether the content of such a structure is a text. It is an object otherwise.
    #[must_use]
    pub const fn is_message(self) -> bool {
        matches!(self, Self::System | Self::User | Self::Response)
    }

    /// Finds the kind with this keyword, ignoring ASCII case.
    pub(super) fn from_keyword(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.keyword().eq_ignore_ascii_case(word))
    }
}

impl Block {
    /// Creates a structure without marks on it, at [`Position::START`].
    #[must_use]
    pub fn new(kind: BlockKind, content: impl Into<Expr>) -> Self {
        Self { kind, position: Position::START, content: content.into() }
    }

    /// Iterates over the calls of an `act`, which are given once or as a list.
    pub fn calls(&self) -> impl Iterator<Item = Call<'_>> {
        let object = self.content.as_object().filter(|_| self.kind == BlockKind::Act);
        let exprs = object.into_iter().flat_map(|object| object.all("call")).flat_map(Expr::each);
        exprs.filter_map(|expr| Some(Call { expr, object: expr.as_object()? }))
    }

    /// Iterates over the thoughts of an `act`, which are given once or as a list.
    pub fn thoughts(&self) -> impl Iterator<Item = &Expr> {
        let object = self.content.as_object().filter(|_| self.kind == BlockKind::Act);
        object.into_iter().flat_map(|object| object.all("think")).flat_map(Expr::each)
    }

    /// Iterates over the todo items of a `todo` or `plan`.
    pub fn todos(&self) -> impl Iterator<Item = Todo<'_>> {
        let object = self.content.as_object();
        let own = object.filter(|_| self.kind == BlockKind::Todo);
        let planned = object.filter(|_| self.kind == BlockKind::Plan);
        let planned = planned.into_iter().flat_map(|object| object.all("todo"));
        let lists = own.into_iter().chain(planned.filter_map(Expr::as_object));
        lists.flat_map(|list| &list.entries).map(Todo::from_entry)
    }

    /// Iterates over the tags of a result: those of the structure, then those of its `data`.
    pub fn result_tags(&self) -> impl Iterator<Item = &super::Located<String>> {
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
    /// Returns the name of the tool.
    #[must_use]
    pub fn tool(&self) -> Option<&'b str> {
        self.object.get("tool")?.as_text()
    }

    /// Returns the id of the call, which its result has as a tag.
    #[must_use]
    pub fn id(&self) -> Option<Cow<'b, str>> {
        match &self.object.get("id")?.value {
            Value::Text(text) => Some(Cow::Borrowed(text)),
            // An unquoted `7` is the name `7` wherever a name is expected.
            Value::Number(number) => Some(number.text()),
            _ => None,
        }
    }

    /// Returns all entries, `tool` and `id` included.
    #[must_use]
    pub fn entries(&self) -> &'b [Entry] {
        &self.object.entries
    }

    /// Iterates over the arguments: all entries except `tool` and `id`.
    pub fn arguments(&self) -> impl Iterator<Item = &'b Entry> + use<'b> {
        self.object.entries.iter().filter(|entry| !matches!(entry.key.as_str(), "tool" | "id"))
    }
}

impl<'b> Todo<'b> {
    fn from_entry(entry: &'b Entry) -> Self {
        Self { number: item_number(&entry.key), entry }
    }

    /// Returns the task of the item; `None` if it is not a text.
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
