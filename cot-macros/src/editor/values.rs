//! The values of items as statements.

use cot_syntax::{ItemKeys, PRIMERS, ToolItems, ValueSyntax};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::{
    places::{Names, split_at_guard},
    raw::{RawItem, entries, inside, items, split_at_word},
    template::{MARKER, template},
    update::update,
};
use crate::model::Place;
use cot_syntax::tokens::{is_mark, is_word};

/// Generates a struct literal with the keys of items as fields.
pub(super) fn item_struct(
    raw: &[RawItem<'_>],
    table: &dyn ItemKeys,
    names: &Names<'_>,
) -> TokenStream {
    let fields = raw.iter().filter_map(|item| {
        let RawItem::Item { key, value, .. } = item else { return None };
        // A keyword can't be the name of a field.
        if *key == "crate" {
            return None;
        }
        if *key == MARKER && value.is_empty() {
            return Some(quote!(#key,));
        }
        let syntax = table.syntax_of(&key.to_string());
        Some(match syntax {
            Some(syntax) if !has_no_code(syntax) => {
                let code = self::value(key, syntax, value, names);
                quote!(#key: { #code __e::any() },)
            }
            _ => quote!(#key: __e::any(),),
        })
    });
    let keys = format_ident!("{}", table.name());
    let any = quote!(__e::any());
    // rust-analyzer looks for the literal with the length that it has without the marker. The comma after the
    // marker takes the place of the parentheses.
    let is_marked = |item: &RawItem<'_>| matches!(item, RawItem::Item { key, value: [], .. } if **key == MARKER);
    let rest = if raw.iter().any(is_marked) { any } else { quote!(((#any))) };
    quote!(__e::#keys { #(#fields)* ..#rest })
}

/// Returns whether a value contains nothing that an editor can answer for.
const fn has_no_code(syntax: ValueSyntax) -> bool {
    matches!(
        syntax,
        ValueSyntax::Flag
            | ValueSyntax::Number
            | ValueSyntax::Boolean
            | ValueSyntax::Text
            | ValueSyntax::Duration
            | ValueSyntax::Json
    )
}

/// Generates the statements of a value.
pub(super) fn value(
    key: &Ident,
    syntax: ValueSyntax,
    value: &[TokenTree],
    names: &Names<'_>,
) -> TokenStream {
    match syntax {
        ValueSyntax::Template => template(value, names),
        ValueSyntax::Expression => expression(key, value, names),
        ValueSyntax::Word(set) => word(value.first(), set.name),
        ValueSyntax::Words(set) => {
            let words = listed(value);
            words.iter().map(Some).chain([None]).map(|word| self::word(word, set.name)).collect()
        }
        ValueSyntax::Function => function(value),
        ValueSyntax::Choice => choice(value),
        ValueSyntax::Engines => engines(value),
        ValueSyntax::Task => task(value),
        ValueSyntax::Arms => arms(value, names),
        ValueSyntax::Update => update(value, names),
        ValueSyntax::Sources => sources(value, names),
        ValueSyntax::State => state(value),
        ValueSyntax::Type if key == "context" => ty(value),
        ValueSyntax::SubProcess => sub_process(value, names),
        ValueSyntax::ToolUses => {
            let used = each(value, Delimiter::Bracket, |entry| tool_use(entry, names));
            used.into_iter().chain(tool_use(&[], names)).collect()
        }
        ValueSyntax::Parts => braced(value, |entry| part(entry, names)),
        ValueSyntax::Primers => {
            let primers = braced(value, |entry| primer(entry, names));
            primers.into_iter().chain(word(None, PRIMERS.name)).collect()
        }
        ValueSyntax::Transitions => {
            let transitions = braced(value, |entry| transition(entry, names));
            transitions.into_iter().chain(no_task()).collect()
        }
        ValueSyntax::Routes => {
            braced(value, route).into_iter().chain(word(None, "RoutedFailure")).collect()
        }
        ValueSyntax::Tools => braced(value, |entry| tool(entry, names)),
        ValueSyntax::Items { table, otherwise } => match inside(value, Delimiter::Brace) {
            Some((_, tokens)) => {
                let keys = item_struct(&items(&tokens, table), table, names);
                quote!(let _ = #keys;)
            }
            None => self::value(key, *otherwise, value, names),
        },
        // The types of inputs and the item are at the beginning of the task.
        _ => TokenStream::new(),
    }
}

fn each(
    value: &[TokenTree],
    delimiter: Delimiter,
    mut entry: impl FnMut(&[TokenTree]) -> TokenStream,
) -> TokenStream {
    let Some((_, tokens)) = inside(value, delimiter) else { return TokenStream::new() };
    entries(&tokens, false).into_iter().map(&mut entry).collect()
}

fn braced(value: &[TokenTree], entry: impl FnMut(&[TokenTree]) -> TokenStream) -> TokenStream {
    each(value, Delimiter::Brace, entry)
}

/// Returns the tokens in brackets, without commas.
fn listed(value: &[TokenTree]) -> Vec<TokenTree> {
    let tokens = inside(value, Delimiter::Bracket).map(|(_, tokens)| tokens).unwrap_or_default();
    tokens.into_iter().filter(|token| !is_mark(token, ',')).collect()
}

/// Generates the use of a word, which is a constant of its set, or what stands where a word can be written.
fn word(word: Option<&TokenTree>, set: &str) -> TokenStream {
    let set = format_ident!("{set}");
    match word {
        Some(TokenTree::Ident(word)) => {
            quote!(let _ = __e::#set::#word;)
        }
        _ => quote!(let _ = __e::#set;),
    }
}

/// Generates the use of a task.
pub(super) fn task(value: &[TokenTree]) -> TokenStream {
    match value.first() {
        Some(TokenTree::Ident(name)) => quote!(let _ = __Tasks::#name;),
        _ => no_task(),
    }
}

/// Generates what stands where a task can be written.
///
/// rust-analyzer looks up the words before its marker in the expansion without the marker, so they must be
/// there, too.
fn no_task() -> TokenStream {
    quote!(let _ = __Tasks;)
}

/// Generates the uses of the tasks in brackets.
pub(super) fn tasks(value: &[TokenTree]) -> TokenStream {
    let tasks = listed(value);
    tasks.iter().map(|token| task(std::slice::from_ref(token))).chain([no_task()]).collect()
}

fn expression(key: &Ident, value: &[TokenTree], names: &Names<'_>) -> TokenStream {
    if key == "context" {
        let ty = names.context.clone().unwrap_or_else(|| quote!(()));
        let value = names.read(value);
        return quote! {
            {
                let app: &#ty = __e::any();
                let _ = #value;
            }
        };
    }
    names.expression(value, if key == "calls" { Place::Calls } else { Place::Turns })
}

/// Generates the uses of the sources of `found_in`. One word alone is a tool, an item, or not complete.
fn sources(value: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let source = |tokens: &[TokenTree]| match tokens {
        [] | [_] => TokenStream::new(),
        tokens => names.expression(tokens, Place::Source),
    };
    match inside(value, Delimiter::Brace) {
        Some(_) => braced(value, |entry| {
            let colon = entry.iter().position(|token| is_mark(token, ':'));
            let (member, rest) = entry.split_at(colon.unwrap_or(entry.len()));
            let source = source(rest.get(1..).unwrap_or_default());
            // The type of one item of a for-each task has no name here.
            quote!(let _ = ::core::stringify!(#(#member)*); #source)
        }),
        None => source(value),
    }
}

fn function(value: &[TokenTree]) -> TokenStream {
    let path = match value {
        [word, path @ ..] if is_word(word, "async") => path,
        path => path,
    };
    match path {
        [] => TokenStream::new(),
        path => quote!(let _ = #(#path)*;),
    }
}

pub(super) fn ty(value: &[TokenTree]) -> TokenStream {
    match value {
        [] => TokenStream::new(),
        ty => quote!(let _: #(#ty)*;),
    }
}

/// Generates the statements of `function -> [task, …]`.
fn choice(value: &[TokenTree]) -> TokenStream {
    let is_arrow = |pair: &[TokenTree]| is_mark(&pair[0], '-') && is_mark(&pair[1], '>');
    match value.windows(2).position(is_arrow) {
        Some(at) => {
            let (function, tasks) = (function(&value[..at]), tasks(&value[at + 2..]));
            quote!(#function #tasks)
        }
        None => function(value),
    }
}

fn engines(value: &[TokenTree]) -> TokenStream {
    let engine = |tokens: &[TokenTree]| match tokens {
        [TokenTree::Literal(_)] => TokenStream::new(),
        path => function(path),
    };
    match inside(value, Delimiter::Bracket) {
        Some((_, tokens)) => entries(&tokens, false).into_iter().map(engine).collect(),
        None => engine(value),
    }
}

/// Generates the types and the defaults of the fields of a declared state, or the use of its type. The fields
/// themselves are in the generated struct.
fn state(value: &[TokenTree]) -> TokenStream {
    let Some((_, tokens)) = inside(value, Delimiter::Brace) else { return ty(value) };
    let field = |field: &[TokenTree]| {
        let colon = field.iter().position(|token| is_mark(token, ':'));
        let field = colon.map_or(&[][..], |colon| &field[colon + 1..]);
        let equals = field.iter().position(|token| is_mark(token, '='));
        let (ty, default) = match equals {
            Some(at) => (&field[..at], &field[at + 1..]),
            None => (field, &[][..]),
        };
        match (ty, default) {
            ([], _) => TokenStream::new(),
            (ty, []) => self::ty(ty),
            (ty, value) => quote!(let _: #(#ty)* = #(#value)*;),
        }
    };
    entries(&tokens, true).into_iter().flat_map(field).collect()
}

fn sub_process(value: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let (path, with) = split_at_word(value, "with");
    let path = ty(path);
    let with = with.map(|tokens| names.expression(tokens, Place::Start));
    quote!(#path #with)
}

/// Generates the statements of `name: "template"`.
fn part(entry: &[TokenTree], names: &Names<'_>) -> TokenStream {
    template(entry.get(2..).unwrap_or_default(), names)
}

fn primer(entry: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let name = word(entry.first(), PRIMERS.name);
    let template = part(entry, names);
    quote!(#name #template)
}

/// Generates the statements of `task: "label" with inputs if guard`.
fn transition(entry: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let target = task(entry);
    let (label, _) = split_at_guard(entry);
    let (label, _) = split_at_word(label, "with");
    let label = match label {
        [_, colon, label @ ..] if is_mark(colon, ':') => template(label, names),
        _ => TokenStream::new(),
    };
    let route = names.route(entry, [Place::With, Place::Guard]);
    quote!(#target #label #route)
}

/// Generates the statements of `task`, or of `{ task with inputs if guard, … }`.
fn arms(value: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let arm = |entry: &[TokenTree]| {
        let target = task(entry);
        let route = names.route(entry, [Place::ArmWith, Place::ArmGuard]);
        quote!(#target #route)
    };
    match inside(value, Delimiter::Brace) {
        Some((_, tokens)) => {
            entries(&tokens, false).into_iter().map(arm).chain([no_task()]).collect()
        }
        None => arm(value),
    }
}

/// Generates the statements of `failure => task`.
fn route(entry: &[TokenTree]) -> TokenStream {
    let failure = word(entry.first(), "RoutedFailure");
    let target = task(entry.get(3..).unwrap_or_default());
    quote!(#failure #target)
}

/// Generates the use of a tool in a task: `name if guard`.
fn tool_use(entry: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let name = match entry.first() {
        Some(TokenTree::Ident(name)) => quote!(let _ = __Tools::#name;),
        _ => quote!(let _ = __Tools;),
    };
    let guard = split_at_guard(entry).1.map(|guard| names.guard(guard, Place::Guard));
    quote!(#name #guard)
}

/// Generates the statements of a tool: `name: function "what it does" { setting: value } if guard`, or with
/// `source expression`.
fn tool(entry: &[TokenTree], names: &Names<'_>) -> TokenStream {
    let (work, guard) = split_at_guard(entry.get(2..).unwrap_or_default());
    let guard = guard.map(|guard| names.guard(guard, Place::Guard));
    let end = work.iter().position(|token| {
        matches!(token, TokenTree::Literal(_))
            || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
    });
    let (work, rest) = work.split_at(end.unwrap_or(work.len()));
    let work = match work {
        [word, source @ ..] if is_word(word, "source") && !source.is_empty() => {
            let ty = names.context.clone().unwrap_or_else(|| quote!(()));
            quote!({ let app: &#ty = __e::any(); let _ = #(#source)*; })
        }
        path => function(path),
    };
    let settings =
        rest.iter().filter_map(|token| inside(std::slice::from_ref(token), Delimiter::Brace));
    let settings = settings.map(|(_, tokens)| {
        let table: &dyn ItemKeys = ToolItems::TABLE;
        let keys = item_struct(&items(&tokens, table), table, names);
        quote!(let _ = #keys;)
    });
    quote!(#work #(#settings)* #guard)
}
