//! `retry: { max: 4, backoff: 1s..60s, timeouts }`: how a function is tried again.

use syn::{
    Ident, LitInt, Result, Token, braced,
    ext::IdentExt,
    parse::{Parse, ParseStream},
};

use super::{items::inside, values::Seconds};
use crate::diagnostics::{mistake, one_of, suggest};

/// How a function is tried again.
#[derive(Debug, Default)]
pub(crate) struct RetryItem {
    /// The most retries; 2 when it does not say.
    pub(crate) max: Option<LitInt>,
    /// The first and the longest pause.
    pub(crate) backoff: Option<Backoff>,
    /// Whether an attempt that takes too long is made again.
    pub(crate) timeouts: bool,
}

/// `1s..60s`.
#[derive(Debug)]
pub(crate) struct Backoff {
    pub(crate) first: Seconds,
    pub(crate) longest: Seconds,
}

const KEYS: [&str; 3] = ["max", "backoff", "timeouts"];
const FORM: &str = "write `retry: { max: 4, backoff: 1s..60s, timeouts }`, or some of these";

impl Parse for RetryItem {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let content;
        braced!(content in input);
        let mut retry = Self::default();
        inside(&content, |content| {
            while !content.is_empty() {
                retry.read(content)?;
                if !content.is_empty() {
                    content.parse::<Token![,]>()?;
                }
            }
            Ok(())
        })?;
        Ok(retry)
    }
}

impl RetryItem {
    fn read(&mut self, input: ParseStream<'_>) -> Result<()> {
        let key = input.call(Ident::parse_any)?;
        let is_twice = match key.to_string().as_str() {
            "max" => self.max.replace(value(input)?).is_some(),
            "backoff" => self.backoff.replace(value(input)?).is_some(),
            "timeouts" => std::mem::replace(&mut self.timeouts, true),
            word => {
                let help = match suggest(word, KEYS) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("a retry has {}", one_of(KEYS)),
                };
                return Err(mistake(key.span(), format!("unknown word `{key}` in `retry`"), help));
            }
        };
        match is_twice {
            true => Err(mistake(key.span(), format!("`{key}` is given twice"), FORM)),
            false => Ok(()),
        }
    }
}

fn value<T: Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![:]>()?;
    input.parse()
}

impl Parse for Backoff {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let first: Seconds = input.parse()?;
        let span = input.span();
        if input.parse::<Option<Token![..]>>()?.is_none() {
            let help = "write the first and the longest pause: `backoff: 1s..60s`";
            return Err(mistake(span, "expected `..`", help));
        }
        let span = input.span();
        let longest: Seconds = input.parse()?;
        if longest.0 < first.0 {
            let help = "write the first pause, then the longest: `backoff: 1s..60s`";
            return Err(mistake(span, "the longest pause is shorter than the first", help));
        }
        Ok(Self { first, longest })
    }
}
