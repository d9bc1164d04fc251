//! Parses `extra: { "member": value }`: a JSON object.

use syn::{
    Ident, Lit, LitStr, Result, Token, braced, bracketed, ext::IdentExt, parse::ParseStream, token,
};

use crate::{
    diagnostics::{Errors, error_at},
    parse::{list::parse_inside, row::ItemValue, value_syntax::ValueSyntax},
};

/// A JSON object of additional members of a request.
#[derive(Debug)]
pub struct JsonObject {
    /// The object as compact JSON.
    pub text: String,
}

/// The members that the library writes itself, with what to write instead.
const RESERVED: [(&str, &str); 15] = [
    ("model", "the model client sets it: choose the engine with `model: \"engine id\"`"),
    ("messages", "the library writes it: use `system`, `prompt`, `turns` or `examples`"),
    ("stream", "the runner streams where an observer wants the deltas"),
    ("stream_options", "the runner streams where an observer wants the deltas"),
    ("temperature", "write `temperature: 0.7`, outside of `extra`"),
    ("top_p", "write `top_p: 0.9`, outside of `extra`"),
    ("max_tokens", "write `max_tokens: 1000`, outside of `extra`"),
    ("max_completion_tokens", "write `max_tokens: 1000`, outside of `extra`"),
    ("stop", "write `stop: [\"text\"]`, outside of `extra`"),
    ("stop_sequences", "write `stop: [\"text\"]`, outside of `extra`"),
    ("seed", "write `seed: 42`, outside of `extra`"),
    ("effort", "write `effort: low`, outside of `extra`"),
    ("reasoning_effort", "write `effort: low`, outside of `extra`"),
    ("system", "write `system: \"template\"` in the process"),
    ("response_format", "the output type of the task determines it"),
];

const FORM: &str = "write the members as in JSON: `extra: { \"member\": value }`";

impl ItemValue for JsonObject {
    const SYNTAX: ValueSyntax = ValueSyntax::Json;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        if !input.peek(token::Brace) {
            return Err(error_at(input.span(), "expected a JSON object", FORM));
        }
        let mut text = String::new();
        for key in parse_object(input, &mut text)? {
            let name = key.value();
            if let Some((_, help)) = RESERVED.iter().find(|(reserved, _)| *reserved == name) {
                errors.add_with_help(key.span(), format!("`extra` can't set `{name}`"), help);
            }
        }
        Ok(Self { text })
    }
}

/// Appends a JSON value.
fn parse_value(input: ParseStream<'_>, text: &mut String) -> Result<()> {
    if input.peek(token::Brace) {
        return parse_object(input, text).map(drop);
    }
    if input.peek(token::Bracket) {
        return parse_array(input, text);
    }
    let span = input.span();
    let expected = |_| error_at(span, "expected a JSON value", VALUES);
    if input.peek(Ident::peek_any) && !input.peek(syn::LitBool) {
        let word = input.call(Ident::parse_any)?;
        if word != "null" {
            return Err(error_at(word.span(), format!("`{word}` is not a JSON value"), VALUES));
        }
        text.push_str("null");
        return Ok(());
    }
    match input.parse::<Lit>().map_err(expected)? {
        Lit::Str(literal) => push_text(&literal.value(), text),
        Lit::Bool(literal) => text.push_str(if literal.value { "true" } else { "false" }),
        literal => text.push_str(&number(&literal)?),
    }
    Ok(())
}

const VALUES: &str = "write a text, a number, `true`, `false`, `null`, `[ … ]` or `{ … }`; a value that is known only at \
                      run time can't be part of a declaration";

/// Returns a number literal as JSON.
fn number(literal: &Lit) -> Result<String> {
    let json = match literal {
        Lit::Int(number) if number.suffix().is_empty() => {
            let digits = number.base10_digits();
            let fits = digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok();
            fits.then(|| digits.to_owned())
        }
        Lit::Float(number) if number.suffix().is_empty() => {
            let value = number.base10_parse::<f64>().ok().filter(|value| value.is_finite());
            value.map(|value| format!("{value:?}"))
        }
        _ => None,
    };
    json.ok_or_else(|| error_at(literal.span(), "this is not a JSON value", VALUES))
}

/// Appends a JSON object, and returns its keys.
fn parse_object(input: ParseStream<'_>, text: &mut String) -> Result<Vec<LitStr>> {
    let content;
    braced!(content in input);
    let mut keys: Vec<LitStr> = Vec::new();
    parse_inside(&content, |content| {
        text.push('{');
        while !content.is_empty() {
            let span = content.span();
            let key: LitStr =
                content.parse().map_err(|_| error_at(span, "expected a key", FORM))?;
            if keys.iter().any(|other| other.value() == key.value()) {
                let message = format!("the key \"{}\" is given twice", key.value());
                return Err(error_at(key.span(), message, "remove one of the two"));
            }
            push_comma(keys.is_empty(), text);
            push_text(&key.value(), text);
            keys.push(key);
            content.parse::<Token![:]>()?;
            text.push(':');
            parse_value(content, text)?;
            parse_comma(content)?;
        }
        text.push('}');
        Ok(())
    })?;
    Ok(keys)
}

fn parse_array(input: ParseStream<'_>, text: &mut String) -> Result<()> {
    let content;
    bracketed!(content in input);
    parse_inside(&content, |content| {
        text.push('[');
        let mut is_first = true;
        while !content.is_empty() {
            push_comma(is_first, text);
            is_first = false;
            parse_value(content, text)?;
            parse_comma(content)?;
        }
        text.push(']');
        Ok(())
    })
}

fn parse_comma(input: ParseStream<'_>) -> Result<()> {
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok(())
}

fn push_comma(is_first: bool, text: &mut String) {
    if !is_first {
        text.push(',');
    }
}

/// Appends a text as a JSON string.
fn push_text(value: &str, text: &mut String) {
    text.push('"');
    for character in value.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            character if character < ' ' => {
                text.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            character => text.push(character),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use syn::parse::Parser;

    use super::*;

    fn read(source: &str) -> Result<String> {
        let errors = Errors::new();
        let parser = |input: ParseStream<'_>| JsonObject::parse_value(input, &errors);
        let object = parser.parse_str(source)?;
        match errors.into_distinct().next() {
            Some(error) => Err(error),
            None => Ok(object.text),
        }
    }

    #[test]
    fn objects_become_compact_json() {
        let source =
            r#"{ "a": [1, -2.5, 1e3, true, null,], "b": { "c": "\"\\\n" }, "d": {}, "e": [] }"#;
        let json = r#"{"a":[1,-2.5,1000.0,true,null],"b":{"c":"\"\\\u000a"},"d":{},"e":[]}"#;
        assert_eq!(read(source).unwrap(), json);
        assert_eq!(read("{}").unwrap(), "{}");
        assert_eq!(
            read(r#"{"n": 18446744073709551615}"#).unwrap(),
            r#"{"n":18446744073709551615}"#
        );
    }

    #[test]
    fn other_values_are_refused() {
        for source in [
            "[1]",
            "{ a: 1 }",
            "{ \"a\": b }",
            "{ \"a\": 1u8 }",
            "{ \"a\": 'c' }",
            "{ \"a\": 18446744073709551616 }",
            "{ \"a\": 1e999 }",
            "{ \"a\": 1, \"a\": 2 }",
            "{ \"a\": 1 + 2 }",
            "{ \"a\" 1 }",
            "{ \"seed\": 1 }",
        ] {
            assert!(read(source).is_err(), "{source}");
        }
        // Only members of the request itself are reserved.
        assert!(read("{ \"options\": { \"seed\": 1 } }").is_ok());
    }
}
