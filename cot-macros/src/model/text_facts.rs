//! Counts what is known of a text before it is written: its fixed text, and its values by their stability.

use std::hash::Hasher;

use cot_syntax::{Piece, Template, TemplateText};
use fnv::FnvHasher;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Expr;

use super::{
    media::called_name,
    process::Model,
    stability::{expr_stability, shows_itself},
    state_writes::Stability,
    task::Task,
    uses::Uses,
};

/// The facts of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TextFacts {
    /// The length of its fixed text, in bytes.
    pub(crate) fixed: usize,
    /// The length of the fixed text before the first value.
    pub(crate) prefix: usize,
    /// The length of the white space at the end.
    trailing: usize,
    /// The numbers of values that are per run, growing and volatile.
    pub(crate) values: [usize; 3],
    /// Hash of its source and of the parts that it shows.
    pub(crate) hash: u64,
}

impl TextFacts {
    /// Returns how stable the least stable value is.
    pub(crate) const fn stability(&self) -> Stability {
        match self.values {
            [0, 0, 0] => Stability::Fixed,
            [_, 0, 0] => Stability::PerRun,
            [_, _, 0] => Stability::Growing,
            _ => Stability::Volatile,
        }
    }

    /// Returns the facts of the text without white space at the end.
    pub(crate) fn trimmed(mut self) -> Self {
        self.fixed -= self.trailing;
        self.prefix = self.prefix.min(self.fixed);
        self.trailing = 0;
        self
    }

    /// Adds a value.
    pub(crate) fn add_value(&mut self, stability: Stability) {
        self.trailing = 0;
        match stability {
            Stability::Fixed => {}
            Stability::PerRun => self.values[0] += 1,
            Stability::Growing => self.values[1] += 1,
            Stability::Volatile => self.values[2] += 1,
        }
    }

    /// Adds a text that follows.
    pub(crate) fn append(&mut self, text: Self) {
        let is_fixed = |facts: &Self| facts.values == [0; 3];
        if is_fixed(self) {
            self.prefix += text.prefix;
        }
        let is_blank = is_fixed(&text) && text.trailing == text.fixed;
        self.trailing = if is_blank { self.trailing + text.trailing } else { text.trailing };
        self.fixed += text.fixed;
        for (count, more) in self.values.iter_mut().zip(text.values) {
            *count += more;
        }
        let mut hasher = FnvHasher::with_key(self.hash);
        hasher.write_u64(text.hash);
        self.hash = hasher.finish();
    }

    fn from_literal(text: &str) -> Self {
        let trailing = text.len() - text.trim_ascii_end().len();
        Self { fixed: text.len(), prefix: text.len(), trailing, ..Self::default() }
    }
}

impl Model<'_> {
    /// Returns the facts of a template. `task` is the task whose standard parts a `full_prompt` shows.
    pub(crate) fn text_facts(&self, template: &Template, task: Option<&Task<'_>>) -> TextFacts {
        let mut facts = TextFacts::default();
        let mut hasher = FnvHasher::default();
        match template {
            Template::Function(path) => {
                hasher.write(path.to_token_stream().to_string().as_bytes());
                // A constant can't be told from a function but by its name. Its length is not known.
                let is_constant = path.segments.last().is_some_and(|last| {
                    !last.ident.to_string().contains(|letter: char| letter.is_lowercase())
                });
                facts.add_value(if is_constant { Stability::Fixed } else { Stability::Volatile });
            }
            Template::Text(text) => {
                hasher.write(text.source.as_bytes());
                self.add_pieces(text, task, &mut facts);
            }
        }
        hasher.write_u64(facts.hash);
        facts.hash = hasher.finish();
        facts
    }

    fn add_pieces(&self, text: &TemplateText, task: Option<&Task<'_>>, facts: &mut TextFacts) {
        for piece in &text.pieces {
            match piece {
                Piece::Text(text) => facts.append(TextFacts::from_literal(text)),
                Piece::Expr { expr, .. } => match self.shown_part(expr, task) {
                    Some(part) => facts.append(part),
                    None => facts.add_value(expr_stability(self, expr)),
                },
            }
        }
    }

    /// Returns the facts of the part that an expression shows, if it is `part(name)` of a known text.
    fn shown_part(&self, expr: &Expr, task: Option<&Task<'_>>) -> Option<TextFacts> {
        called_name(expr).filter(|name| *name == "part")?;
        let [Expr::Path(path)] = &Uses::from_expr(expr).parts[..] else { return None };
        let name = path.path.get_ident()?;
        if let Some(part) = self.parts.iter().find(|part| part.name == *name) {
            return (!shows_itself(self, name)).then(|| self.text_facts(&part.template, None));
        }
        let items = &task?.syntax.items;
        let standard = match name.to_string().as_str() {
            "intro" => self.syntax.items.intro.as_ref(),
            "prompt" => items.prompt.as_ref(),
            _ => return None,
        };
        let facts = standard.map(|item| self.text_facts(&item.value, None).trimmed());
        Some(facts.unwrap_or_default())
    }
}

impl ToTokens for TextFacts {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { fixed, prefix, values: [per_run, growing, volatile], hash, .. } = self;
        tokens.extend(quote! {
            ::cot_core::__private::TextFacts::new(
                #fixed, #prefix, [#per_run, #growing, #volatile], #hash,
            )
        });
    }
}
