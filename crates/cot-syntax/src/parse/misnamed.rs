//! Parses items whose key is unknown, as the item that was most likely meant.

use syn::{
    Ident, Result, Token,
    ext::IdentExt,
    parse::{ParseStream, discouraged::Speculative},
    token,
};

use crate::{
    diagnostics::{Errors, error_at, join_names, suggest},
    parse::{
        item::ItemHead,
        row::{Notation, Row},
        table::{Table, parse_item_end},
    },
};

impl<N> Table<N> {
    /// Parses an item with an unknown key as the item that was most likely meant, so that the names that it
    /// declares are known. Reports the unknown key and no other error of the item.
    pub(super) fn read_misnamed(
        &self,
        node: &mut N,
        whole: ParseStream<'_>,
        head: ItemHead,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<()> {
        let row = self.suggest_row(&head.key, whole, input);
        // `ask -> Output` is a task without its keyword, although `ask` is similar to `task`.
        let is_task = matches!(self.row_by_shape(whole, input), Some((_, false)));
        let row = row.filter(|row| !(is_task && row.notation.repeats()));
        let error = self.unknown_key(&head.key, row, input);
        let named = row.filter(|row| row.notation.repeats() && input.peek(Ident::peek_any));
        let meant = named.map(|row| (row, true)).or_else(|| match row {
            None => self.row_by_shape(whole, input),
            Some(_) => None,
        });
        let Some((row, has_keyword)) = meant else { return Err(error) };
        errors.push(error.clone());
        let rest = if has_keyword { input.fork() } else { whole.fork() };
        let read = (row.read)(node, head, &rest, errors);
        input.advance_to(&rest);
        let start = whole.cursor();
        // The error was reported already; `Errors` drops the duplicate.
        read.and_then(|()| parse_item_end(input, start, row)).map_err(|_| error)
    }

    /// Returns whether the tokens are a task that lacks the word `task`, and whose name is the key of an item.
    pub(super) fn lacks_keyword(
        &self,
        row: &Row<N>,
        whole: ParseStream<'_>,
        after: ParseStream<'_>,
    ) -> bool {
        let is_value = row.notation == Notation::Value && !after.peek(Token![:]);
        let has_body = match after.peek(Token![->]) {
            true => true,
            false => after.peek(token::Brace) && !row.value.accepts_braces(),
        };
        is_value && has_body && self.row_by_shape(whole, after).is_some()
    }

    /// Parses such a task, and reports the missing word.
    pub(super) fn read_task_without_keyword(
        &self,
        node: &mut N,
        whole: ParseStream<'_>,
        head: ItemHead,
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> Result<()> {
        let key = &head.key;
        let help = format!("a task begins with the word `task`: `task {key} {{ … }}`");
        errors.add_with_help(key.span(), format!("expected `task` before `{key}`"), help);
        let Some((row, _)) = self.row_by_shape(whole, input) else { return Ok(()) };
        let rest = whole.fork();
        let read = (row.read)(node, head, &rest, errors);
        input.advance_to(&rest);
        read
    }

    /// Returns the row whose key is most similar to an unknown one, unless the tokens are a declaration and the
    /// row is not one.
    pub(super) fn suggest_row(
        &self,
        key: &Ident,
        whole: ParseStream<'_>,
        after: ParseStream<'_>,
    ) -> Option<&'static Row<N>> {
        let near = suggest(&key.to_string(), self.rows().iter().map(|row| row.key))?;
        let row = self.rows().iter().find(|row| row.key == near)?;
        let is_other = !row.notation.repeats() && self.row_by_shape(whole, after).is_some();
        (!is_other).then_some(row)
    }

    /// Finds the row of a declaration by its syntax: `word name -> …`, `word name {` or `name -> …`. Returns
    /// the row, and whether a word precedes the name.
    pub(super) fn row_by_shape(
        &self,
        whole: ParseStream<'_>,
        after: ParseStream<'_>,
    ) -> Option<(&'static Row<N>, bool)> {
        let task = self.rows().iter().find(|row| row.key == "task")?;
        let has_body = |input: ParseStream<'_>| {
            let is_parallel = input.peek(token::Bracket) && input.peek2(Token![=>]);
            input.peek(Token![->]) || input.peek(token::Brace) || is_parallel
        };
        if has_body(after) {
            return whole.peek(Ident::peek_any).then_some((task, false));
        }
        let fork = after.fork();
        let name = fork.call(Ident::parse_any).is_ok();
        (name && (has_body(&fork) || fork.peek(token::Paren))).then_some((task, true))
    }

    fn unknown_key(
        &self,
        key: &Ident,
        near: Option<&Row<N>>,
        after: ParseStream<'_>,
    ) -> syn::Error {
        let near = near.map(|row| row.key);
        let is_task = near.is_none() && (after.peek(Token![->]) || after.peek(token::Brace));
        let has_tasks = self.rows().iter().any(|row| row.key == "task");
        let is_parallel = near.is_none() && after.peek(token::Bracket) && after.peek2(Token![=>]);
        let help = match near {
            None if is_parallel && has_tasks => {
                format!(
                    "a parallel task begins with the word `parallel`: `parallel {key} [first, second] => join`"
                )
            }
            None if is_task && has_tasks => {
                format!("a task begins with the word `task`: `task {key} {{ … }}`")
            }
            None => self.help_for_other_word(key, has_tasks, after),
            Some(near) => format!("did you mean `{near}`?"),
        };
        error_at(key.span(), format!("unknown item `{key}` in a {}", self.owner), help)
    }

    fn help_for_other_word(&self, key: &Ident, has_tasks: bool, after: ParseStream<'_>) -> String {
        if has_tasks && let Some(name) = name_of_task(after) {
            return format!("a task is declared as `task {name} {{ … }}`");
        }
        if self.owner == "task"
            && let Some(help) = word_of_others(&key.to_string())
        {
            return help.to_owned();
        }
        let keys = self.rows().iter().map(|row| row.key);
        format!("a {} has the items {}", self.owner, join_names(keys))
    }
}

/// Returns the help for words that items of tasks have in other systems.
fn word_of_others(word: &str) -> Option<&'static str> {
    Some(match word {
        "output" | "output_type" | "returns" | "response" | "response_model" | "schema" => {
            "the type of the output stands after the name: `task name -> Type { … }`"
        }
        "instruction" | "instructions" | "message" | "question" => "did you mean `prompt`?",
        "action" | "code" | "execute" | "function" | "handler" => "did you mean `run`?",
        "edges" | "goto" | "then" => "did you mean `next`?",
        _ => return None,
    })
}

/// Returns the name in `name -> …`, `name { … }` or `name(…) …`.
fn name_of_task(input: ParseStream<'_>) -> Option<Ident> {
    let fork = input.fork();
    let name = fork.call(Ident::parse_any).ok()?;
    let has_body = fork.peek(Token![->]) || fork.peek(token::Brace) || fork.peek(token::Paren);
    has_body.then_some(name)
}
