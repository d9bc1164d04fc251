//! Mistakes in strings and their quotes.

use fastrand::Rng;

use super::{
    Mistake,
    Right::{Read, Refused},
    page::{Is, Page, Token},
};

pub(super) const ALL: &[Mistake] = &[
    Mistake("single quotes on a key", Read, |page, rng| quoted(page, rng, Is::Key, "'", "'")),
    Mistake("single quotes on a text", Read, |page, rng| quoted(page, rng, Is::Text, "'", "'")),
    Mistake("single quotes on all", Read, |page, _| {
        Some(page.each(|token| in_quotes(token, "'", "'")))
    }),
    Mistake("Python", Read, |page, _| Some(page.each(python))),
    Mistake("backticks", Read, |page, rng| quoted(page, rng, Is::Text, "`", "`")),
    Mistake("curly quotes on a text", Read, |page, rng| quoted(page, rng, Is::Text, "“", "”")),
    Mistake("curly quotes on all", Read, |page, _| {
        Some(page.each(|token| in_quotes(token, "“", "”")))
    }),
    Mistake("straight and curly", Read, |page, rng| quoted(page, rng, Is::Text, "\"", "”")),
    Mistake("curly and straight", Read, |page, rng| quoted(page, rng, Is::Text, "“", "\"")),
    Mistake("straight and curly on a key", Read, |page, rng| quoted(page, rng, Is::Key, "\"", "”")),
    Mistake("low and high", Read, |page, rng| quoted(page, rng, Is::Text, "„", "“")),
    Mistake("guillemets", Read, |page, rng| quoted(page, rng, Is::Text, "«", "»")),
    Mistake("full-width quotes", Read, |page, rng| quoted(page, rng, Is::Text, "＂", "＂")),
    Mistake("doubled quotes", Read, |page, rng| quoted(page, rng, Is::Text, "\"\"", "\"\"")),
    Mistake("triple quotes", Read, |page, rng| {
        let at = page.one(rng, Is::Text)?;
        let raw = &page.tokens[at].raw;
        (!raw.contains(['\\', '"']) && !raw.is_empty())
            .then(|| page.with(at, format!("\"\"\"{raw}\"\"\"")))
    }),
    Mistake("escaped quotes on a text", Read, |page, rng| {
        quoted(page, rng, Is::Text, "\\\"", "\\\"")
    }),
    Mistake("escaped quotes on a key", Read, |page, rng| {
        quoted(page, rng, Is::Key, "\\\"", "\\\"")
    }),
    Mistake("no opening quote on a key", Read, |page, rng| {
        unquoted(page, rng, Is::Key, true, false)
    }),
    Mistake("no closing quote on a key", Read, |page, rng| {
        unquoted(page, rng, Is::Key, false, true)
    }),
    Mistake("no quotes on a key", Read, |page, rng| unquoted(page, rng, Is::Key, true, true)),
    Mistake("no quotes on all keys", Read, |page, _| {
        let is_word =
            |token: &Token| token.raw.chars().all(|c| c.is_alphanumeric() || "_- ".contains(c));
        Some(page.each(|token| {
            if token.is == Is::Key && is_word(token) {
                token.raw.clone()
            } else {
                token.text.clone()
            }
        }))
    }),
    Mistake("no opening quote on a text", Read, |page, rng| {
        unquoted(page, rng, Is::Text, true, false)
    }),
    Mistake("no closing quote on a text", Read, |page, rng| {
        unquoted(page, rng, Is::Text, false, true)
    }),
    Mistake("no quotes on a text", Read, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Text && is_plain(&token.raw))?;
        Some(page.with(at, page.tokens[at].raw.clone()))
    }),
    Mistake("no quotes on an odd text", Refused, |page, rng| {
        let at = page.any(rng, |token| {
            // Digits around a comma are two items of valid JSON.
            token.is == Is::Text
                && !is_plain(&token.raw)
                && has_words(&token.raw)
                && token.raw != "1,234"
        })?;
        Some(page.with(at, page.tokens[at].raw.clone()))
    }),
    Mistake("inner quotes", Read, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Text && token.raw.contains('"'))?;
        Some(page.with(at, page.tokens[at].text.replace("\\\"", "\"")))
    }),
    Mistake("one inner quote", Read, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Text && token.raw.contains('"'))?;
        Some(page.with(at, page.tokens[at].text.replacen("\\\"", "\"", 1)))
    }),
    Mistake("bare backslashes", Read, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Text && token.raw.contains('\\'))?;
        Some(page.with(at, page.tokens[at].text.replace("\\\\", "\\")))
    }),
    Mistake("all bare backslashes", Read, |page, _| {
        let json = page.json();
        let bare = json.replace("\\\\", "\\");
        (bare != json).then_some(bare)
    }),
    Mistake("a raw line break", Read, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Text && token.raw.contains(['\n', '\t']))?;
        Some(page.with(at, page.tokens[at].text.replace("\\n", "\n").replace("\\t", "\t")))
    }),
    Mistake("a text in pieces", Read, |page, rng| {
        let at = page.any(rng, |token| {
            token.is == Is::Text && token.raw.contains(' ') && !token.raw.contains('\\')
        })?;
        let plus = *rng.choice(&["\" + \"", "\"+\"", "\" +\n    \""]).unwrap();
        Some(page.with(at, page.tokens[at].text.replacen(' ', &format!(" {plus}"), 1)))
    }),
    Mistake("an escaped apostrophe", Read, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Text && token.raw.contains('\''))?;
        Some(page.with(at, page.tokens[at].text.replace('\'', "\\'")))
    }),
    // The backslashes before other signs are kept: they may be those of code or of a path.
    Mistake("escaped backticks", Read, |page, rng| {
        let at = page.any(rng, |token| {
            token.is == Is::Text && token.raw.contains('`') && !token.raw.contains('\\')
        })?;
        Some(page.with(at, page.tokens[at].text.replace('`', "\\`")))
    }),
    Mistake("a prefix of Python", Read, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Text && !token.raw.contains('\\'))?;
        let prefix = *rng.choice(&["u", "b", "r", "f"]).unwrap();
        Some(page.with(at, format!("{prefix}{}", page.tokens[at].text)))
    }),
    Mistake("a continued line", Read, |page, rng| {
        let at = page.any(rng, |token| {
            token.is == Is::Text && token.raw.contains(' ') && !token.raw.contains('\\')
        })?;
        Some(page.with(at, page.tokens[at].text.replacen(' ', " \\\n", 1)))
    }),
    Mistake("a call around a text", Read, |page, rng| {
        let name = *rng.choice(&["ObjectId", "ISODate", "str", "UUID", "new Date"]).unwrap();
        let at = page.one(rng, Is::Text)?;
        Some(page.with(at, format!("{name}({})", page.tokens[at].text)))
    }),
    Mistake("quotes of HTML in a text", Read, |page, rng| {
        let at = page.one(rng, Is::Text)?;
        let text = &page.tokens[at].raw;
        (!text.contains(['"', '\\', '&'])).then(|| page.with(at, format!("&quot;{text}&quot;")))
    }),
];

/// Returns whether a text without quotes is more than structure, and has the end that it has with quotes.
fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric) && !text.ends_with([',', ' '])
}

fn is_plain(text: &str) -> bool {
    let is_word = |c: char| c.is_alphabetic() || " -_".contains(c);
    text.len() > 2 && text.chars().all(is_word) && !matches!(text, "true" | "null")
}

fn quoted(page: &Page, rng: &mut Rng, is: Is, open: &str, close: &str) -> Option<String> {
    let at = page.one(rng, is)?;
    Some(page.with(at, in_quotes(&page.tokens[at], open, close)))
}

/// Replaces the quotes of a string or key and keeps the escapes inside.
fn in_quotes(token: &Token, open: &str, close: &str) -> String {
    if !matches!(token.is, Is::Key | Is::Text) {
        return token.text.clone();
    }
    let inside = &token.text[1..token.text.len() - 1];
    let inside = if open.contains('"') || close.contains('"') {
        inside.to_owned()
    } else {
        inside.replace("\\\"", "\"")
    };
    format!("{open}{inside}{close}")
}

/// Formats a token like Python.
fn python(token: &Token) -> String {
    match (token.is, token.text.as_str()) {
        (Is::Key | Is::Text, text) => {
            let quote =
                if token.raw.contains('\'') && !token.raw.contains('"') { '"' } else { '\'' };
            let inside = text[1..text.len() - 1].replace("\\\"", "\"");
            let inside = if quote == '\'' { inside.replace('\'', "\\'") } else { inside };
            format!("{quote}{inside}{quote}")
        }
        (_, "true") => "True".to_owned(),
        (_, "false") => "False".to_owned(),
        (_, "null") => "None".to_owned(),
        (_, text) => text.to_owned(),
    }
}

fn unquoted(page: &Page, rng: &mut Rng, is: Is, open: bool, close: bool) -> Option<String> {
    let at = page.any(rng, |token| {
        let has_words = || token.raw.contains(char::is_alphanumeric);
        token.is == is && !token.raw.is_empty() && (!open || has_words())
    })?;
    let text = &page.tokens[at].text;
    Some(page.with(at, &text[usize::from(open)..text.len() - usize::from(close)]))
}
