//! `task name -> Output { … }`.

use syn::{
    Attribute, Ident, Result, Token, Type, braced, ext::IdentExt, parse::ParseStream, token,
};

use crate::{
    diagnostics::{Errors, error_at},
    items::task::TaskItems,
    parse::{
        item::{InvalidItems, ItemHead},
        row::{Declaration, Notation},
    },
    values::keyword::report_keyword,
};

/// A task as written.
#[derive(Debug)]
pub struct Task {
    /// Its doc comments.
    pub attributes: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// The type behind `->`.
    pub output: Option<Type>,
    /// Its items.
    pub items: TaskItems,
    /// The keys of the items in their order.
    pub keys: Vec<Ident>,
    /// The items that have mistakes.
    pub invalid: InvalidItems,
}

impl Task {
    /// Returns the word `reason`, whether or not its value can be read.
    pub fn reason(&self) -> Option<&Ident> {
        self.keys.iter().find(|key| *key == "reason")
    }

    /// The task of which only the name is known.
    fn named(name: Ident, attributes: Vec<Attribute>) -> Self {
        let (items, invalid) = (TaskItems::default(), InvalidItems::default());
        Self { attributes, name, output: None, items, keys: Vec::new(), invalid }
    }

    /// Reads what follows the name.
    fn read(&mut self, input: ParseStream<'_>, errors: &Errors) -> Result<()> {
        let name = &self.name;
        if input.parse::<Option<Token![->]>>()?.is_some() {
            let span = input.span();
            let help = format!("write `task {name} -> Output {{ … }}`");
            let wrong = |_| error_at(span, "expected a type", help);
            self.output = Some(input.parse().map_err(wrong)?);
        }
        if !input.peek(token::Brace) {
            return Err(error_at(
                input.span(),
                format!("expected `{{` after `task {name}`"),
                format!("write `task {name} {{ … }}` or `task {name} -> Output {{ … }}`"),
            ));
        }
        let content;
        braced!(content in input);
        (self.keys, self.invalid) = TaskItems::TABLE.read(&mut self.items, &content, errors);
        Ok(())
    }
}

impl Declaration for Task {
    const NOTATION: Notation = Notation::DocumentedDeclaration;
    const SHOWS_TEMPLATES: bool = true;

    fn parse_into(
        declared: &mut Vec<Self>,
        head: ItemHead,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<()> {
        let name = parse_name(&head.key, input, errors)?;
        report_keyword(&name, errors);
        // Known by its name even if the rest can't be read, so that those who name it are right.
        let mut task = Self::named(name, head.attributes);
        let read = task.read(input, errors);
        if read.is_err() {
            task.invalid = InvalidItems::all();
        }
        declared.push(task);
        read
    }
}

fn parse_name(keyword: &Ident, input: ParseStream<'_>, errors: &Errors) -> Result<Ident> {
    if input.peek(Token![:]) && input.peek2(Ident::peek_any) {
        let colon: Token![:] = input.parse()?;
        let help = "write `task name { … }`";
        errors.error_with_help(colon.span, "unexpected `:` after `task`", help);
    }
    // A second `task` begins the next one.
    let is_next = input.peek(Ident) && input.peek2(Ident::peek_any);
    if !input.peek(Ident::peek_any) || (is_next && input.fork().parse::<Ident>()? == "task") {
        let help = "write `task name { … }`";
        return Err(error_at(keyword.span(), "expected the name of the task", help));
    }
    input.call(Ident::parse_any)
}
