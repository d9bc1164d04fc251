//! Parses `task name -> Output { … }`.

use proc_macro2::TokenTree;
use syn::{
    Attribute, Ident, Result, Token, Type, braced, ext::IdentExt, parse::ParseStream,
    parse_quote_spanned, token,
};

use crate::{
    diagnostics::{Errors, error_at},
    items::task::TaskItems,
    parse::{
        item::{InvalidItems, Item, ItemHead},
        row::{Declaration, Notation},
    },
    values::{
        keyword::report_keyword,
        next::{Arm, Next},
        parallel::{Branches, parse_branches},
        plain::parse_type,
    },
};

/// A parsed task.
#[derive(Debug)]
pub struct Task {
    /// The doc comments.
    pub attributes: Vec<Attribute>,
    /// The name.
    pub name: Ident,
    /// The type after `->`.
    pub output: Option<Type>,
    /// The branches, if the task is a parallel one.
    pub branches: Option<Branches>,
    /// The items. Those of a parallel task have the join as `next`.
    pub items: TaskItems,
    /// The keys of the items, in the order in which they are written.
    pub keys: Vec<Ident>,
    /// The items that could not be parsed.
    pub invalid: InvalidItems,
}

impl Task {
    /// Returns the key `reason` if the task has it, even if its value is invalid.
    pub fn reason(&self) -> Option<&Ident> {
        self.keys.iter().find(|key| *key == "reason")
    }

    /// Returns the key `read` if the task has it, even if its value is invalid.
    pub fn read(&self) -> Option<&Ident> {
        self.keys.iter().find(|key| *key == "read")
    }

    /// Creates a task without items.
    fn from_name(name: Ident, attributes: Vec<Attribute>) -> Self {
        let (items, invalid) = (TaskItems::default(), InvalidItems::default());
        let (output, branches, keys) = (None, None, Vec::new());
        Self { attributes, name, output, branches, items, keys, invalid }
    }

    /// Parses the branches, the join and the items, which follow the name of a parallel task.
    fn parse_branches(
        &mut self,
        keyword: &Ident,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<()> {
        let before = errors.len();
        let (branches, target) = parse_branches(keyword, &self.name, input, errors)?;
        if errors.len() > before {
            self.invalid = InvalidItems::unknown();
        }
        self.branches = Some(branches);
        if input.peek(token::Brace) {
            let content;
            braced!(content in input);
            let (keys, invalid) = TaskItems::TABLE.read(&mut self.items, &content, errors);
            self.keys = keys;
            self.invalid.extend(invalid);
        }
        let arm = Arm { target, with: None, guard: None };
        self.items.next = Some(Item { key: keyword.clone(), value: Next { arms: vec![arm] } });
        Ok(())
    }

    /// Parses the output type and the items, which follow the name.
    fn parse_body(&mut self, input: ParseStream<'_>, errors: &Errors) -> Result<()> {
        let name = &self.name;
        let help = format!("write `task {name} -> Output {{ … }}`");
        if parse_arrow(&help, input, errors)? {
            let span = input.span();
            self.output = Some(match parse_type(input, errors) {
                Ok(ty) => ty,
                // The task has an output even if its type is missing.
                Err(_) => {
                    errors.add_with_help(span, "expected a type", help);
                    self.invalid = InvalidItems::unknown();
                    parse_quote_spanned!(span=> ())
                }
            });
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
        let (keys, invalid) = TaskItems::TABLE.read(&mut self.items, &content, errors);
        self.keys = keys;
        self.invalid.extend(invalid);
        Ok(())
    }
}

/// Parses the `->` before the type of an output. If a part of it is missing, that is reported.
fn parse_arrow(help: &str, input: ParseStream<'_>, errors: &Errors) -> Result<bool> {
    if input.parse::<Option<Token![->]>>()?.is_some() {
        return Ok(true);
    }
    let has_part = input.peek(Token![-]) || input.peek(Token![>]);
    let has_type = input.peek(Ident) && input.peek2(token::Brace);
    if !(has_part || has_type) {
        return Ok(false);
    }
    errors.add_with_help(input.span(), "expected `->` before the type of the output", help);
    if has_part {
        input.parse::<TokenTree>()?;
    }
    Ok(true)
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
        let name = if head.key == "parallel" {
            let help = "write `parallel name [first, second] => join`";
            let wrong = |error: syn::Error| {
                let span = if input.is_empty() { head.key.span() } else { error.span() };
                error_at(span, "expected the name of the parallel task", help)
            };
            input.call(Ident::parse_any).map_err(wrong)?
        } else {
            parse_name(&head.key, input, errors)?
        };
        report_keyword(&name, errors);
        // The task is declared even if its body is invalid, so that references to it are not reported too.
        let mut task = Self::from_name(name, head.attributes);
        let is_parallel = head.key == "parallel" || input.peek(token::Bracket);
        let parsed = match is_parallel {
            true => task.parse_branches(&head.key, input, errors),
            false => task.parse_body(input, errors),
        };
        if parsed.is_err() {
            task.invalid = InvalidItems::unknown();
        }
        declared.push(task);
        parsed
    }
}

fn parse_name(keyword: &Ident, input: ParseStream<'_>, errors: &Errors) -> Result<Ident> {
    if input.peek(Token![:]) && input.peek2(Ident::peek_any) {
        let colon: Token![:] = input.parse()?;
        let help = "write `task name { … }`";
        errors.add_with_help(colon.span, "unexpected `:` after `task`", help);
    }
    // A second `task` begins the next task.
    let is_next = input.peek(Ident) && input.peek2(Ident::peek_any);
    if !input.peek(Ident::peek_any) || (is_next && input.fork().parse::<Ident>()? == "task") {
        let help = "write `task name { … }`";
        return Err(error_at(keyword.span(), "expected the name of the task", help));
    }
    input.call(Ident::parse_any)
}
