//! `process Name { … }`.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::{
    Attribute, Ident, LitBool, LitInt, Path, Result, Token, Visibility, braced,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    token,
};

use crate::diagnostics::{Errors, error_at, one_of, suggest};
use crate::items::limits::{BudgetItem, HistoryItem};
use crate::parse::table::{Entry, InvalidItems, Item, Slot, Table, fill, helped, list, only_docs};
use crate::task::Task;
use crate::template::reader::Template;
use crate::values::duration::{Engines, Names, Seconds, function};
use crate::values::state::StateItem;

/// A process as written.
#[derive(Debug)]
pub struct Process {
    pub attributes: Vec<Attribute>,
    pub visibility: Visibility,
    pub name: Ident,
    pub items: ProcessItems,
    /// The items that have mistakes.
    pub broken: InvalidItems,
}

/// The items of a process.
#[derive(Debug, Default)]
pub struct ProcessItems {
    pub state: Slot<StateItem>,
    pub goal: Slot<Template>,
    pub intro: Slot<Template>,
    pub system: Slot<Template>,
    pub prompts: Vec<Part>,
    pub primers: Vec<Part>,
    pub model: Slot<Engines>,
    pub max_retries: Slot<LitInt>,
    pub history: Slot<HistoryItem>,
    pub start: Slot<Ident>,
    pub default_return: Slot<Ident>,
    pub sequences: Vec<Sequence>,
    pub max_steps: Slot<LitInt>,
    pub timeout: Slot<Seconds>,
    pub budget: Slot<BudgetItem>,
    pub mock: Slot<Path>,
    pub mock_mode: Slot<LitBool>,
    /// Where `cot-core` is found.
    pub crate_path: Slot<Path>,
    pub tasks: Vec<Task>,
    /// The doc comments before the item that is being read.
    docs: Vec<Attribute>,
}

/// A named template of `prompts` or `primers`.
#[derive(Debug)]
pub struct Part {
    pub name: Ident,
    pub template: Template,
}

/// `sequence name [a, b, c]`.
#[derive(Debug)]
pub struct Sequence {
    pub name: Ident,
    pub members: Names,
}

const TABLE: Table<ProcessItems> = Table {
    owner: "process",
    docs: Some(|p| &mut p.docs),
    entries: &[
        item("state", "state: Type` or `state: { name: Type, … }", |p, key, input, errors| {
            p.state = Some(Item { key, value: StateItem::parse(input, errors)? });
            Ok(())
        }),
        item("goal", "goal: \"template\"", |p, key, input, _| fill(&mut p.goal, key, input)),
        item("intro", "intro: \"template\"", |p, key, input, _| fill(&mut p.intro, key, input)),
        item("system", "system: \"template\"", |p, key, input, _| fill(&mut p.system, key, input)),
        item("prompts", "prompts: { name: \"template\", … }", |p, _, input, errors| {
            parts(&mut p.prompts, input, errors)?;
            p.prompts.retain(|part| !is_keyword(&part.name, errors));
            Ok(())
        }),
        item("primers", "primers: { goal: \"template\", … }", |p, _, input, errors| {
            primers(&mut p.primers, input, errors)
        }),
        item(
            "model",
            "model: \"engine id\"` or `model: [\"first\", \"second\"]",
            |p, key, input, _| fill(&mut p.model, key, input),
        ),
        item("max_retries", "max_retries: 2", |p, key, input, _| {
            fill(&mut p.max_retries, key, input)
        }),
        item("history", "history: none` or `history: { max_items: 20 }", |p, key, input, _| {
            fill(&mut p.history, key, input)
        }),
        item("start", "start: task", |p, key, input, _| fill(&mut p.start, key, input)),
        item("default_return", "default_return: task", |p, key, input, _| {
            fill(&mut p.default_return, key, input)
        }),
        item("max_steps", "max_steps: 50", |p, key, input, _| fill(&mut p.max_steps, key, input)),
        item("timeout", "timeout: 10m", |p, key, input, _| fill(&mut p.timeout, key, input)),
        item("budget", "budget: { tokens: 100000 }", |p, key, input, _| {
            fill(&mut p.budget, key, input)
        }),
        item("mock", "mock: function", |p, key, input, _| {
            p.mock = Some(Item { key, value: function(input)? });
            Ok(())
        }),
        item("mock_mode", "mock_mode: true", |p, key, input, _| fill(&mut p.mock_mode, key, input)),
        item("crate", "crate: ::path::to::cot_core", |p, key, input, _| {
            fill(&mut p.crate_path, key, input)
        }),
        Entry {
            key: "sequence",
            form: "sequence name [task, task]",
            repeats: true,
            colon: false,
            read: sequence,
        },
        Entry { key: "task", form: "task name { … }", repeats: true, colon: false, read: task },
    ],
};

const fn item(
    key: &'static str,
    form: &'static str,
    read: fn(&mut ProcessItems, Ident, ParseStream<'_>, &Errors) -> Result<()>,
) -> Entry<ProcessItems> {
    Entry { key, form, repeats: false, colon: true, read }
}

/// Whether an attribute sets the level of lints, such as `#[allow(deprecated)]`.
pub fn is_lint_level(attribute: &Attribute) -> bool {
    ["allow", "warn", "deny", "forbid"].iter().any(|level| attribute.path().is_ident(level))
}

impl Process {
    pub fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        only_docs(attributes.iter().filter(|attribute| !is_lint_level(attribute)))?;
        let visibility = input.parse()?;
        let keyword = input.call(Ident::parse_any).map_err(|error| expected(error.span()))?;
        if keyword != "process" {
            return Err(expected(keyword.span()));
        }
        let at = |span: Span| if input.is_empty() { keyword.span() } else { span };
        let name = input.parse().map_err(|error: syn::Error| {
            error_at(at(error.span()), "expected the name of the process", FORM)
        })?;
        let content;
        if !input.peek(token::Brace) {
            let help = "write `process Name { … }`, without parameters";
            return Err(error_at(at(input.span()), "expected `{` after the name", help));
        }
        braced!(content in input);
        let mut items = ProcessItems::default();
        let (_, broken) = TABLE.read(&mut items, &content, errors);
        if !input.is_empty() {
            errors.error_with_help(
                input.span(),
                "unexpected token behind the process",
                "each `cot_process! { … }` declares one process",
            );
            input.parse::<TokenStream>()?;
        }
        Ok(Self { attributes, visibility, name, items, broken })
    }
}

fn expected(span: Span) -> syn::Error {
    error_at(span, "expected a process", FORM)
}

const FORM: &str = "write `pub process Name { state: …, task … }`";

fn task(
    items: &mut ProcessItems,
    word: Ident,
    input: ParseStream<'_>,
    errors: &Errors,
) -> Result<()> {
    if input.peek(Token![:]) && input.peek2(Ident::peek_any) {
        let colon: Token![:] = input.parse()?;
        let help = "write `task name { … }`";
        errors.error_with_help(colon.span, "unexpected `:` after `task`", help);
    }
    // A second `task` begins the next one.
    let is_next = input.peek(Ident) && input.peek2(Ident::peek_any);
    if !input.peek(Ident::peek_any) || (is_next && input.fork().parse::<Ident>()? == "task") {
        return Err(error_at(
            word.span(),
            "expected the name of the task",
            "write `task name { … }`",
        ));
    }
    let name = input.call(Ident::parse_any)?;
    is_keyword(&name, errors);
    // Known by its name even if the rest can't be read, so that those who name it are right.
    let mut task = Task::named(name, std::mem::take(&mut items.docs));
    let read = task.read(input, errors);
    if read.is_err() {
        task.broken = InvalidItems::wholly();
    }
    items.tasks.push(task);
    read
}

/// Whether a name is a keyword of Rust, which is reported.
fn is_keyword(name: &Ident, errors: &Errors) -> bool {
    if syn::parse_str::<Ident>(&name.to_string()).is_ok() {
        return false;
    }
    let never_raw = ["self", "Self", "super", "crate", "_"].iter().any(|word| name == word);
    let help = match never_raw {
        true => "choose another name".to_owned(),
        false => format!("write `r#{name}`, or choose another name"),
    };
    errors.error_with_help(name.span(), format!("`{name}` is a keyword of Rust"), help);
    true
}

fn sequence(items: &mut ProcessItems, _: Ident, input: ParseStream<'_>, _: &Errors) -> Result<()> {
    let name = input.parse()?;
    items.sequences.push(Sequence { name, members: input.parse()? });
    Ok(())
}

fn parts(into: &mut Vec<Part>, input: ParseStream<'_>, errors: &Errors) -> Result<()> {
    let content;
    braced!(content in input);
    into.extend(list(&content, errors, PART, |input| Part::parse(input, errors)));
    Ok(())
}

const PART: &str = "name: \"template\"";

/// The names that `primers` knows.
pub const PRIMERS: [&str; 5] = ["goal", "history", "errors", "transitions", "output"];

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
    fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        let template = match input.parse::<Token![:]>().and_then(|_| input.parse()) {
            Ok(template) => template,
            Err(error) => {
                // Known by its name even if its text can't be read, so that what shows it is right.
                errors.push(helped(error, &format!("write `{PART}`")));
                while !input.is_empty() && !input.peek(Token![,]) {
                    input.parse::<TokenTree>()?;
                }
                Template::unreadable(name.span())
            }
        };
        Ok(Self { name, template })
    }
}

/// Reads a process. `None` when not even its name could be read.
pub fn parse(input: TokenStream, errors: &Errors) -> Option<Process> {
    let parser = |input: ParseStream<'_>| Process::parse(input, errors);
    match parser.parse2(input) {
        Ok(process) => Some(process),
        Err(error) => {
            errors.push(error);
            None
        }
    }
}
