//! The syntax of values: what their tokens mean, known without parsing them.
//!
//! It tells editors how to show an incomplete value, and the parser whether a brace can follow a key.

/// The syntax of the value of an item.
#[derive(Debug, Clone, Copy)]
pub enum ValueSyntax {
    /// No value.
    Flag,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A text that is not a template, or a list of such texts.
    Text,
    /// A duration, or a range of them.
    Duration,
    /// A JSON object.
    Json,
    /// The path of the library.
    CratePath,
    /// One of a few words.
    Word(&'static WordSet),
    /// A list of words.
    Words(&'static WordSet),
    /// A text with `${ … }`, or a function that returns one.
    Template,
    /// Named templates.
    Parts,
    /// Templates that introduce the standard parts.
    Primers,
    /// A Rust expression.
    Expression,
    /// A type.
    Type,
    /// A type, or the fields of a struct.
    State,
    /// The path of a function.
    Function,
    /// `function`, or `function -> [task, …]`.
    Choice,
    /// Ids of engines: texts, or paths of constants.
    Engines,
    /// A task.
    Task,
    /// `{ task: "label" with inputs if guard, … }`.
    Transitions,
    /// `task`, or `{ task with inputs if guard, … }`.
    Arms,
    /// `{ failure => task, … }`.
    Routes,
    /// `path`, or `{ path = value if guard, … }`.
    Update,
    /// `source`, or `{ member: source, … }`.
    Sources,
    /// `item in list`.
    ForEach,
    /// `Process`, or `Process with state`.
    SubProcess,
    /// The tools of a process.
    Tools,
    /// `[tool if guard, …]`.
    ToolUses,
    /// `[name, …]`, or `all`.
    ToolNames,
    /// `{ key: value, … }`, or another value.
    Items {
        /// The keys in braces.
        table: &'static dyn ItemKeys,
        /// The syntax of a value without braces.
        otherwise: &'static ValueSyntax,
    },
    /// A declaration, such as a task.
    Declaration,
}

impl ValueSyntax {
    /// Returns whether a value can begin with a brace.
    pub(crate) const fn accepts_braces(&self) -> bool {
        matches!(
            self,
            Self::Json
                | Self::Parts
                | Self::Primers
                | Self::State
                | Self::Transitions
                | Self::Arms
                | Self::Routes
                | Self::Update
                | Self::Sources
                | Self::Tools
                | Self::Items { .. }
        )
    }
}

/// The words that a value can be.
#[derive(Debug)]
pub struct WordSet {
    /// The name of the set, in the form of a type name.
    pub name: &'static str,
    /// The words.
    pub words: &'static [&'static str],
}

/// The keys of a table of items, without the type that the items are parsed into.
pub trait ItemKeys: Sync {
    /// Returns the name of the struct that the items are parsed into.
    fn name(&self) -> &'static str;

    /// Returns the construct that the items belong to, such as `task`.
    fn owner(&self) -> &'static str;

    /// Returns the syntax of the value of an item, or `None` if no item has this key.
    fn syntax_of(&self, key: &str) -> Option<ValueSyntax>;

    /// Returns all keys, in the order of their declaration.
    fn keys(&self) -> Vec<ItemKey>;
}

/// A key of a table of items.
#[derive(Debug, Clone, Copy)]
pub struct ItemKey {
    /// The key.
    pub key: &'static str,
    /// The description of the item.
    pub doc: &'static str,
    /// The syntax of the item, for messages.
    pub form: &'static str,
    /// The syntax of the value.
    pub value: ValueSyntax,
}

impl std::fmt::Debug for dyn ItemKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the syntax of a value that is always in braces.
pub(crate) const fn items(table: &'static dyn ItemKeys) -> ValueSyntax {
    ValueSyntax::Items { table, otherwise: &ValueSyntax::Text }
}
