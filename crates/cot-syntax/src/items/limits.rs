//! `{ bound: number, … }`: the bounds of the history and the budget of a run.

use syn::{
    Ident, Lit, LitInt, Result, Token, braced,
    ext::IdentExt,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::{error_at, one_of, suggest};
use crate::parse::table::inside;

/// The value of `history`.
#[derive(Debug)]
pub enum HistoryItem {
    None,
    Limits { max_items: Option<LitInt>, state_max_items: Option<LitInt> },
}

/// What one run may use up.
#[derive(Debug, Default)]
pub struct BudgetItem {
    pub tokens: Option<LitInt>,
    pub calls: Option<LitInt>,
    /// In the unit that the engines' prices are given in.
    pub cost: Option<Lit>,
}

const HISTORY: &str = "write `history: none` or `history: { max_items: 20 }`";
const BUDGET: &str = "write `budget: { tokens: 100000, calls: 50, cost: 2.5 }`, or some of these";

impl Parse for HistoryItem {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if !input.peek(syn::token::Brace) {
            let word = input.call(Ident::parse_any)?;
            return if word == "none" {
                Ok(Self::None)
            } else {
                Err(error_at(word.span(), format!("unknown history `{word}`"), HISTORY))
            };
        }
        let (mut max_items, mut state_max_items) = (None, None);
        bounds(input, |key, input| match key.to_string().as_str() {
            "max_items" => once(&mut max_items, key, input, HISTORY),
            "state_max_items" => once(&mut state_max_items, key, input, HISTORY),
            _ => {
                let message = format!("unknown bound `{key}` of the history");
                Err(error_at(key.span(), message, HISTORY))
            }
        })?;
        Ok(Self::Limits { max_items, state_max_items })
    }
}

impl Parse for BudgetItem {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        const KEYS: [&str; 3] = ["tokens", "calls", "cost"];
        let mut budget = Self::default();
        bounds(input, |key, input| match key.to_string().as_str() {
            "tokens" => once(&mut budget.tokens, key, input, BUDGET),
            "calls" => once(&mut budget.calls, key, input, BUDGET),
            "cost" => once(&mut budget.cost, key, input, BUDGET),
            word => {
                let help = match suggest(word, KEYS) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("a budget has {}", one_of(KEYS)),
                };
                Err(error_at(key.span(), format!("unknown bound `{key}` of the budget"), help))
            }
        })?;
        Ok(budget)
    }
}

/// Reads `{ key: value, … }`; the value is read by what knows its key.
fn bounds(
    input: ParseStream<'_>,
    mut read: impl FnMut(&Ident, ParseStream<'_>) -> Result<()>,
) -> Result<()> {
    let content;
    braced!(content in input);
    inside(&content, |content| {
        while !content.is_empty() {
            let key = content.call(Ident::parse_any)?;
            content.parse::<Token![:]>()?;
            read(&key, content)?;
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        }
        Ok(())
    })
}

fn once<T: Parse>(
    slot: &mut Option<T>,
    key: &Ident,
    input: ParseStream<'_>,
    help: &str,
) -> Result<()> {
    match slot.replace(input.parse()?) {
        Some(_) => Err(error_at(key.span(), format!("`{key}` is given twice"), help)),
        None => Ok(()),
    }
}
