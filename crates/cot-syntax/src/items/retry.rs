//! `retry: { max: 4, backoff: 1s..60s, timeouts }`: how a function is tried again.

use syn::{
    Ident, LitInt, Result, Token, braced,
    ext::IdentExt,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::{error_at, one_of, suggest};
use crate::parse::table::inside;
use crate::values::duration::Seconds;

/// How a function is tried again.
#[derive(Debug, Default)]
pub struct RetryItem {
    /// The most retries; 2 when it does not say.
    pub max: Option<LitInt>,
    /// The first and the longest pause.
    pub backoff: Option<Backoff>,
    /// Whether an attempt that takes too long is made again.
    pub timeouts: bool,
}

/// `1s..60s`.
#[derive(Debug)]
pub struct Backoff {
    pub first: Seconds,
    pub longest: Seconds,
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
                return Err(error_at(key.span(), format!("unknown word `{key}` in `retry`"), help));
            }
        };
        match is_twice {
            true => Err(error_at(key.span(), format!("`{key}` is given twice"), FORM)),
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
            return Err(error_at(span, "expected `..`", help));
        }
        let span = input.span();
        let longest: Seconds = input.parse()?;
        if longest.0 < first.0 {
            let help = "write the first pause, then the longest: `backoff: 1s..60s`";
            return Err(error_at(span, "the longest pause is shorter than the first", help));
        }
        Ok(Self { first, longest })
    }
}
