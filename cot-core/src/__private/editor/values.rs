//! The kinds of values, as the types of the fields of items.

/// Declares a type for each kind of value.
macro_rules! values {
    ($($(#[$doc:meta])* $Value:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $Value;
    )*};
}

values! {
    /// A key without a value.
    Flag;
    /// A number.
    Number;
    /// `true` or `false`.
    Boolean;
    /// A text.
    Text;
    /// A duration, such as `500ms`, `30s`, `10m`, `2h` or `1d`.
    Duration;
    /// A JSON object.
    Json;
    /// The path of the library.
    CratePath;
    /// A text with `${ … }`, an included file, or a function that returns a text.
    Template;
    /// Named templates: `{ name: "template", … }`.
    Parts;
    /// Templates that introduce the standard parts: `{ goal: "template", … }`.
    Primers;
    /// A Rust expression.
    Expression;
    /// A type.
    Type;
    /// A type, or the fields of a struct.
    State;
    /// The path of a function.
    Function;
    /// The path of a function, and the tasks between which it chooses: `function -> [task, …]`.
    Choice;
    /// An engine id, or a list of them.
    Engines;
    /// A task.
    Task;
    /// Tasks that the model can choose: `{ task: "label" with inputs if guard, … }`.
    Transitions;
    /// A task, or `{ task with inputs if guard, … }`.
    Arms;
    /// The next task for each kind of failure: `{ failure => task, … }`.
    Routes;
    /// A state path, or `{ path = value if guard, … }`.
    Update;
    /// The text in which an output has to stand, or `{ member: source, … }`.
    Sources;
    /// An item and the list that it is from: `item in state.items`.
    ForEach;
    /// A process, or `Process with state`.
    SubProcess;
    /// The tools of a process: `{ name: function "what it does", … }`.
    Tools;
    /// Tools that the model can call: `[tool if guard, …]`.
    ToolUses;
    /// Names of tools in brackets, or `all`.
    ToolNames;
    /// A tool.
    Tool;
    /// A declaration.
    Declaration;
}
