//! `process Name { … }`.

use syn::{
    Attribute, Ident, LitInt, LitStr, Result, Token, Type, Visibility, braced,
    ext::IdentExt,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

use super::{
    items::{Broken, Entry, Slot, Table, fill, list},
    task::Task,
    template::Template,
    values::{Names, Seconds},
};
use crate::diagnostics::{Errors, mistake, one_of, suggest};

/// A process as written.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) items: ProcessItems,
    /// The items that have mistakes.
    pub(crate) broken: Broken,
}

/// The items of a process.
#[derive(Debug, Default)]
pub(crate) struct ProcessItems {
    pub(crate) state: Slot<Type>,
    pub(crate) goal: Slot<Template>,
    pub(crate) intro: Slot<Template>,
    pub(crate) system: Slot<Template>,
    pub(crate) prompts: Vec<Part>,
    pub(crate) primers: Vec<Part>,
    pub(crate) model: Slot<LitStr>,
    pub(crate) max_retries: Slot<LitInt>,
    pub(crate) history: Slot<HistoryItem>,
    pub(crate) start: Slot<Ident>,
    pub(crate) default_return: Slot<Ident>,
    pub(crate) sequences: Vec<Sequence>,
    pub(crate) max_steps: Slot<LitInt>,
    pub(crate) timeout: Slot<Seconds>,
    pub(crate) tasks: Vec<Task>,
    /// The doc comments before the item that is being read.
    docs: Vec<Attribute>,
}

/// A named template of `prompts` or `primers`.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: Ident,
    pub(crate) template: Template,
}

/// `sequence name [a, b, c]`.
#[derive(Debug)]
pub(crate) struct Sequence {
    pub(crate) members: Names,
}

/// The value of `history`.
#[derive(Debug)]
pub(crate) enum HistoryItem {
    None,
    Limits { max_items: Option<LitInt>, state_max_items: Option<LitInt> },
}

const TABLE: Table<ProcessItems> = Table {
    owner: "process",
    docs: Some(|p| &mut p.docs),
    entries: &[
        item("state", |p, key, input, _| fill(&mut p.state, key, input)),
        item("goal", |p, key, input, _| fill(&mut p.goal, key, input)),
        item("intro", |p, key, input, _| fill(&mut p.intro, key, input)),
        item("system", |p, key, input, _| fill(&mut p.system, key, input)),
        item("prompts", |p, _, input, errors| parts(&mut p.prompts, input, errors)),
        item("primers", |p, _, input, errors| primers(&mut p.primers, input, errors)),
        item("model", |p, key, input, _| fill(&mut p.model, key, input)),
        item("max_retries", |p, key, input, _| fill(&mut p.max_retries, key, input)),
        item("history", |p, key, input, _| fill(&mut p.history, key, input)),
        item("start", |p, key, input, _| fill(&mut p.start, key, input)),
        item("default_return", |p, key, input, _| fill(&mut p.default_return, key, input)),
        item("max_steps", |p, key, input, _| fill(&mut p.max_steps, key, input)),
        item("timeout", |p, key, input, _| fill(&mut p.timeout, key, input)),
        Entry { key: "sequence", repeats: true, colon: false, read: sequence },
        Entry { key: "task", repeats: true, colon: false, read: task },
    ],
};

const fn item(
    key: &'static str,
    read: fn(&mut ProcessItems, Ident, ParseStream<'_>, &Errors) -> Result<()>,
) -> Entry<ProcessItems> {
    Entry { key, repeats: false, colon: true, read }
}

impl Process {
    pub(crate) fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let keyword = input.call(Ident::parse_any).map_err(|error| expected(error.span()))?;
        if keyword != "process" {
            return Err(expected(keyword.span()));
        }
        let name = input.parse()?;
        let content;
        braced!(content in input);
        let mut items = ProcessItems::default();
        let broken = TABLE.read(&mut items, &content, errors);
        Ok(Self { attributes, visibility, name, items, broken })
    }
}

fn expected(span: proc_macro2::Span) -> syn::Error {
    mistake(span, "expected a process", "write `pub process Name { state: …, task … }`")
}

fn task(items: &mut ProcessItems, _: Ident, input: ParseStream<'_>, errors: &Errors) -> Result<()> {
    let attributes = std::mem::take(&mut items.docs);
    items.tasks.push(Task::parse(attributes, input, errors)?);
    Ok(())
}

fn sequence(items: &mut ProcessItems, _: Ident, input: ParseStream<'_>, _: &Errors) -> Result<()> {
    let _name: Ident = input.parse()?;
    items.sequences.push(Sequence { members: input.parse()? });
    Ok(())
}

fn parts(into: &mut Vec<Part>, input: ParseStream<'_>, errors: &Errors) -> Result<()> {
    let content;
    braced!(content in input);
    into.extend(list(&content, errors, Part::parse));
    Ok(())
}

/// The names that `primers` knows.
const PRIMERS: [&str; 5] = ["goal", "history", "errors", "transitions", "output"];

fn primers(into: &mut Vec<Part>, input: ParseStream<'_>, errors: &Errors) -> Result<()> {
    parts(into, input, errors)?;
    into.retain(|part| {
        let known = PRIMERS.iter().any(|name| part.name == name);
        if !known {
            let help = match suggest(&part.name.to_string(), PRIMERS) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the standard parts are {}", one_of(PRIMERS)),
            };
            errors.error_with_help(
                part.name.span(),
                format!("unknown primer `{}`", part.name),
                help,
            );
        }
        known
    });
    Ok(())
}

impl Part {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        input.parse::<Token![:]>()?;
        Ok(Self { name, template: input.parse()? })
    }
}

impl Parse for HistoryItem {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        const HELP: &str = "write `history: none` or `history: { max_items: 20 }`";
        if !input.peek(syn::token::Brace) {
            let word = input.call(Ident::parse_any)?;
            return if word == "none" {
                Ok(Self::None)
            } else {
                Err(mistake(word.span(), format!("unknown history `{word}`"), HELP))
            };
        }
        let content;
        braced!(content in input);
        let bounds = Punctuated::<Bound, Token![,]>::parse_terminated(&content)?;
        let (mut max_items, mut state_max_items) = (None, None);
        for Bound { key, value } in bounds {
            let slot = match key.to_string().as_str() {
                "max_items" => &mut max_items,
                "state_max_items" => &mut state_max_items,
                _ => {
                    let message = format!("unknown bound `{key}` of the history");
                    return Err(mistake(key.span(), message, HELP));
                }
            };
            if slot.replace(value).is_some() {
                return Err(mistake(key.span(), format!("`{key}` is given twice"), HELP));
            }
        }
        Ok(Self::Limits { max_items, state_max_items })
    }
}

/// `max_items: 20`.
struct Bound {
    key: Ident,
    value: LitInt,
}

impl Parse for Bound {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = input.call(Ident::parse_any)?;
        input.parse::<Token![:]>()?;
        Ok(Self { key, value: input.parse()? })
    }
}
