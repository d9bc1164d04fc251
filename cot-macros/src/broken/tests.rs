//! Each token of a process is removed in turn, and each key misspelled.

use std::{collections::BTreeSet, fs, path::Path};

use cot_syntax::{ProcessItems, TaskItems, diagnostics::Errors};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::{check, expand::outline, model};

/// The processes of a file.
#[derive(Default)]
struct Processes(Vec<TokenStream>);

impl<'ast> Visit<'ast> for Processes {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if call.path.segments.last().is_some_and(|last| last.ident == "cot_process") {
            self.0.push(call.tokens.clone());
        }
        visit::visit_macro(self, call);
    }
}

pub(crate) fn processes() -> Vec<TokenStream> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![root.join("examples")];
    let mut found = Processes::default();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.visit_file(&syn::parse_file(&text).unwrap());
            }
        }
    }
    found.0.push(include_str!("../check/everything.in.rs").parse().unwrap());
    found.0
}

/// The names that code outside of a process uses, and the errors.
struct Expanded {
    names: BTreeSet<String>,
    errors: Vec<syn::Error>,
}

fn expand(input: TokenStream) -> Expanded {
    let errors = Errors::new();
    let mut names = BTreeSet::new();
    if let Some(syntax) = cot_syntax::parse(input, &errors) {
        let checked = check::check(model::build(&syntax, &errors), &errors);
        let outline = outline(&checked);
        let file: syn::File = syn::parse2(outline.types).unwrap();
        for item in file.items {
            match item {
                syn::Item::Enum(item) => {
                    names.insert(item.ident.to_string());
                    for variant in item.variants {
                        names.insert(format!("{}::{}", item.ident, variant.ident));
                    }
                }
                syn::Item::Struct(item) => drop(names.insert(item.ident.to_string())),
                _ => {}
            }
        }
    }
    Expanded { names, errors: errors.into_distinct().collect() }
}

/// Removes the leaf with this number. Returns the removed token.
fn without(tokens: TokenStream, at: &mut isize, removed: &mut Option<TokenTree>) -> TokenStream {
    let mut kept = TokenStream::new();
    let mut is_attribute = false;
    for token in tokens {
        match token {
            // A doc comment is one token of the text.
            token if is_attribute => {
                kept.extend([token]);
                is_attribute = false;
            }
            token if matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '#') => {
                kept.extend([token]);
                is_attribute = true;
            }
            TokenTree::Group(group) => {
                let inner = without(group.stream(), at, removed);
                let mut rebuilt = Group::new(group.delimiter(), inner);
                rebuilt.set_span(group.span());
                kept.extend([TokenTree::Group(rebuilt)]);
            }
            token => {
                if *at == 0 {
                    *removed = Some(token);
                } else {
                    kept.extend([token]);
                }
                *at -= 1;
            }
        }
    }
    kept
}

/// Returns a process without each of its tokens in turn, with the token.
pub(crate) fn broken(
    process: &TokenStream,
) -> impl Iterator<Item = (TokenTree, TokenStream)> + use<'_> {
    (0..).map_while(|index| {
        let (mut at, mut removed) = (index, None);
        let broken = without(process.clone(), &mut at, &mut removed);
        Some((removed?, broken))
    })
}

/// Returns whether names of types may be missing without a token: those of the name that it was, those of the
/// items that give a task an output of its own, and choices.
fn explains_loss(removed: &TokenTree, lost: &str, process: &str) -> bool {
    let TokenTree::Ident(word) = removed else { return false };
    let variant = model::variant_name(word).to_string();
    let is_named =
        lost.contains(&format!("::{variant}")) || lost.contains(&format!("{variant}Choice"));
    let is_key = ["process", "process_output", "reason"].iter().any(|key| word == key);
    // The path of a sub-process, whose state is the output.
    let is_path = lost.contains("Output::") && word.to_string().starts_with(char::is_uppercase);
    *word == process || is_named || is_key || is_path
}

/// Returns whether a message names a missing token, or what it is.
fn names(message: &str, removed: &TokenTree) -> bool {
    let text = removed.to_string();
    let words: &[&str] = match removed {
        TokenTree::Literal(_) => {
            &["literal", "template", "duration", "text", "value", "description"]
        }
        TokenTree::Ident(_) => &["ident", "the name of", "a key before", "kind of task", "item"],
        TokenTree::Punct(_) => &["operator", "`->`", "`=>`", "`..`", "`?`", "unexpected"],
        TokenTree::Group(_) => &[],
    };
    let general = ["a type", "an expression", "pattern"];
    message.contains(&text) || words.iter().chain(&general).any(|word| message.contains(word))
}

/// The share of removed tokens, in percent, that a message names. The others are those without which the text
/// means something else, as `&a.b` without the dot.
const NAMED: usize = 97;

#[test]
fn without_a_token_the_types_are_the_same_and_a_message_names_it() {
    let (mut reported, mut named, mut others) = (0, 0, Vec::new());
    let mut uncoded = BTreeSet::new();
    for process in processes() {
        let whole = expand(process.clone());
        let known = messages(&whole.errors);
        let name = cot_syntax::parse(process.clone(), &Errors::new()).unwrap().name.to_string();
        for (removed, broken) in broken(&process) {
            let rest = expand(broken);
            let place =
                format!("{name} without `{removed}` in line {}", removed.span().start().line);
            for lost in whole.names.difference(&rest.names) {
                let is_explained = explains_loss(&removed, lost, &name);
                assert!(is_explained, "{place}: no `{lost}`: {:?}", rest.errors);
            }
            let errors = messages(&rest.errors);
            let new: Vec<_> = errors.difference(&known).collect();
            assert!(new.len() < 8, "{place}: {new:#?}");
            let plain = new.iter().map(|message| message.lines().next().unwrap_or_default());
            uncoded.extend(plain.filter(|line| !line.contains(" [COT")).map(str::to_owned));
            if let Some(first) = new.first() {
                reported += 1;
                match new.iter().any(|message| names(message, &removed)) {
                    true => named += 1,
                    false => others.push(format!("{place}: {first}")),
                }
            }
        }
    }
    assert!(named * 100 > reported * NAMED, "{named} of {reported}: {others:#?}");
    assert!(uncoded.is_empty(), "`errors.md` has no entry for: {uncoded:#?}");
}

fn messages(errors: &[syn::Error]) -> BTreeSet<String> {
    errors.iter().map(ToString::to_string).collect()
}

/// Misspells the key with this number. Returns it.
fn misspelled(tokens: TokenStream, at: &mut isize, changed: &mut Option<Ident>) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut kept = TokenStream::new();
    while let Some(token) = tokens.next() {
        let next = tokens.peek().map(ToString::to_string);
        kept.extend([match token {
            TokenTree::Group(group) => {
                let inner = misspelled(group.stream(), at, changed);
                let mut rebuilt = Group::new(group.delimiter(), inner);
                rebuilt.set_span(group.span());
                TokenTree::Group(rebuilt)
            }
            TokenTree::Ident(word) if next.as_deref() == Some(":") && is_key(&word) => {
                *at -= 1;
                match *at {
                    -1 => TokenTree::Ident(Ident::new(
                        &format!("{word}x"),
                        changed.insert(word).span(),
                    )),
                    _ => TokenTree::Ident(word),
                }
            }
            token => token,
        }]);
    }
    kept
}

fn is_key(word: &Ident) -> bool {
    TaskItems::TABLE.row(word).is_some() || ProcessItems::TABLE.row(word).is_some()
}

#[test]
fn a_misspelled_key_is_one_error() {
    let (mut keys, mut several) = (0, Vec::new());
    for process in processes() {
        let known = messages(&expand(process.clone()).errors);
        for index in 0.. {
            let (mut at, mut changed) = (index, None);
            let broken = misspelled(process.clone(), &mut at, &mut changed);
            let Some(key) = changed else { break };
            keys += 1;
            let errors = messages(&expand(broken).errors);
            let new: Vec<_> = errors.difference(&known).cloned().collect();
            if new.len() != 1 {
                several.push((key.to_string(), key.span().start().line, new));
            }
        }
    }
    assert!(keys > 200, "only {keys} keys");
    assert!(several.is_empty(), "{several:#?}");
}
