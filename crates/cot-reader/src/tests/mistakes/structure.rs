//! Mistakes in brackets and separators.

use fastrand::Rng;

use super::{
    Mistake,
    Right::{Read, Refused},
    page::{Is, Page, Token},
};

pub(super) const ALL: &[Mistake] = &[
    Mistake("a trailing comma", Read, |page, rng| {
        let at = page.one(rng, Is::Close)?;
        let before = page.beside(at, -1)?;
        (page.tokens[before].is != Is::Open)
            .then(|| page.with(before, format!("{},", page.tokens[before].text)))
    }),
    Mistake("all trailing commas", Read, |page, _| {
        let mut page = page.clone();
        for at in 0..page.tokens.len() {
            if page.tokens[at].is == Is::Close {
                let before = page.beside(at, -1)?;
                if page.tokens[before].is != Is::Open {
                    page.tokens[before].text += ",";
                }
            }
        }
        Some(page.json())
    }),
    Mistake("a missing comma", Read, |page, rng| {
        let at = page.one(rng, Is::Comma)?;
        Some(page.with(at, ""))
    }),
    Mistake("no commas at all", Read, |page, _| {
        page.is_pretty.then(|| {
            page.each(
                |token| if token.is == Is::Comma { String::new() } else { token.text.clone() },
            )
        })
    }),
    Mistake("two commas", Read, |page, rng| Some(page.with(page.one(rng, Is::Comma)?, ",,"))),
    Mistake("a leading comma", Read, |page, rng| {
        let at = page.one(rng, Is::Open)?;
        Some(page.with(at, format!("{},", page.tokens[at].text)))
    }),
    Mistake("a semicolon for a comma", Read, |page, rng| {
        Some(page.with(page.one(rng, Is::Comma)?, ";"))
    }),
    Mistake("a full-width comma", Read, |page, rng| {
        Some(page.with(page.one(rng, Is::Comma)?, "，"))
    }),
    Mistake("a full-width colon", Read, |page, rng| {
        Some(page.with(page.one(rng, Is::Colon)?, "："))
    }),
    Mistake("full-width signs", Read, |page, _| {
        Some(page.each(|token| match token.is {
            Is::Comma => "，".to_owned(),
            Is::Colon => "：".to_owned(),
            _ => token.text.clone(),
        }))
    }),
    Mistake("a missing colon", Read, |page, rng| {
        let at = page.one(rng, Is::Colon)?;
        Some(page.with(at, if rng.bool() { " " } else { "" }))
    }),
    Mistake("two colons", Read, |page, rng| Some(page.with(page.one(rng, Is::Colon)?, "::"))),
    Mistake("= for a colon", Read, |page, rng| {
        let sign = *rng.choice(&["=", " =", " =>", "=>"]).unwrap();
        Some(page.with(page.one(rng, Is::Colon)?, sign))
    }),
    Mistake("=> for all colons", Read, |page, _| {
        Some(page.each(
            |token| if token.is == Is::Colon { " =>".to_owned() } else { token.text.clone() },
        ))
    }),
    Mistake("a missing closer at the end", Read, |page, _| {
        let last = page.tokens.last()?;
        // A list may be incomplete.
        (last.text == "}").then(|| page.with(page.tokens.len() - 1, "").trim_end().to_owned())
    }),
    Mistake("all closers missing", Refused, |page, _| {
        let end =
            page.tokens.iter().rposition(|token| !matches!(token.is, Is::Close | Is::Blank))?;
        page.tokens.last().filter(|last| last.is == Is::Close)?;
        let is_list = page.tokens[end].in_list || page.tokens[0].text == "[";
        is_list.then(|| page.slice(0, end + 1))
    }),
    Mistake("a missing closer inside", Read, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Close && token.depth > 0)?;
        Some(page.with(at, ""))
    }),
    Mistake("a closer too many at the end", Read, |page, rng| {
        let last = page.tokens.last().filter(|last| last.is == Is::Close)?;
        let more = *rng.choice(&["}", "]", "\n}", "}}"]).unwrap();
        Some(format!("{}{more}", page.slice(0, page.tokens.len() - 1) + &last.text))
    }),
    Mistake("a closer twice inside", Read, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Close && token.depth > 0)?;
        Some(page.with(at, page.tokens[at].text.repeat(2)))
    }),
    Mistake("another closer", Read, |page, rng| {
        let at = page.one(rng, Is::Close)?;
        Some(page.with(at, if page.tokens[at].text == "}" { "]" } else { "}" }))
    }),
    Mistake("a missing opener", Read, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Open)?;
        Some(page.with(at, ""))
    }),
    Mistake("an opener twice", Read, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Open)?;
        Some(page.with(at, page.tokens[at].text.repeat(2)))
    }),
    Mistake("braces doubled", Read, |page, _| {
        Some(page.each(|token| match token.text.as_str() {
            brace @ ("{" | "}") => brace.repeat(2),
            text => text.to_owned(),
        }))
    }),
    Mistake("a tuple", Read, |page, rng| brackets(page, rng, "(", ")")),
    Mistake("a set", Read, |page, rng| brackets(page, rng, "{", "}")),
    Mistake("full-width brackets", Read, |page, rng| brackets(page, rng, "［", "］")),
    Mistake("an ellipsis at the end of a list", Refused, |page, rng| {
        let at = list_item(page, rng)?;
        let end = page.end(at);
        let dots =
            *rng.choice(&["...", "…", "... ", "// ... more", "/* ... */", "# ... rest"]).unwrap();
        let line = if dots.starts_with(['/', '#']) { "\n" } else { "" };
        Some(format!(
            "{}, {dots}{line}{}",
            page.slice(0, end + 1),
            page.slice(end + 1, page.tokens.len())
        ))
    }),
    Mistake("an ellipsis for items", Refused, |page, rng| {
        let at = list_item(page, rng)?;
        let end = page.end(at);
        let dots = *rng.choice(&["...", "…", "[...]", "{...}", "\"...\", ...", ""]).unwrap();
        if dots.is_empty() {
            return Some(format!(
                "{} // ... rest of the items\n{}",
                page.slice(0, end + 1),
                page.slice(end + 1, page.tokens.len())
            ));
        }
        Some(format!("{}{dots}{}", page.slice(0, at), page.slice(end + 1, page.tokens.len())))
    }),
    Mistake("an ellipsis for fields", Refused, |page, rng| {
        let at = page.one(rng, Is::Key)?;
        let value = page.beside(page.beside(at, 1)?, 1)?;
        let (end, dots) =
            (page.end(value), *rng.choice(&["...", "…", "// ... other fields\n"]).unwrap());
        Some(format!("{}{dots}{}", page.slice(0, at), page.slice(end + 1, page.tokens.len())))
    }),
    Mistake("an ellipsis for a value", Refused, |page, rng| {
        let at =
            page.any(rng, |token| matches!(token.is, Is::Text | Is::Word) && !token.in_list)?;
        Some(page.with(at, *rng.choice(&["...", "…"]).unwrap()))
    }),
    Mistake("cut off", Refused, |page, rng| {
        let json = page.json();
        let text = json.get(..json.floor_char_boundary(rng.usize(1..json.len())))?.to_owned();
        is_cut(page, &text).then_some(text)
    }),
    Mistake("cut off in a fence", Refused, |page, rng| {
        let json = page.json();
        let text = json.get(..json.floor_char_boundary(rng.usize(1..json.len())))?;
        is_cut(page, text).then(|| format!("```json\n{text}"))
    }),
    Mistake("a field twice, equal", Read, |page, rng| {
        let (at, end) = member(page, rng)?;
        let member = page.slice(at, end + 1);
        Some(format!(
            "{}, {member}{}",
            page.slice(0, end + 1),
            page.slice(end + 1, page.tokens.len())
        ))
    }),
    Mistake("a field twice, not equal", Refused, |page, rng| {
        let (at, end) = member(page, rng)?;
        let key = &page.tokens[at].text;
        let other = *rng.choice(&["\"another\"", "77777", "null"]).unwrap();
        (page.slice(end, end + 1) != other).then(|| {
            format!(
                "{}, {key}: {other}{}",
                page.slice(0, end + 1),
                page.slice(end + 1, page.tokens.len())
            )
        })
    }),
    Mistake("a field that is not known", Refused, |page, rng| {
        let first = page.any(rng, |token| token.text == "{")?;
        let is_map = page.tokens.get(first.wrapping_sub(1)).is_some_and(|_| {
            let key = page.tokens[..first].iter().rev().find(|token| token.is == Is::Key);
            key.is_some_and(|key| matches!(key.raw.as_str(), "notes" | "names"))
        });
        let field = *rng
            .choice(&["\"confidence\": 0.9", "\"explanation\": \"it says so\"", "\"sources\": [1]"])
            .unwrap();
        let comma = if page.tokens[page.beside(first, 1)?].is == Is::Close { "" } else { "," };
        (!is_map).then(|| page.with(first, format!("{{{field}{comma}")))
    }),
    Mistake("a comment at the end of a line", Read, |page, rng| {
        let at = page.any(rng, |token| token.text.starts_with('\n'))?;
        let sign = *rng.choice(&["//", "#"]).unwrap();
        Some(page.with(at, format!(" {sign} {}{}", remark(rng), page.tokens[at].text)))
    }),
    Mistake("a comment on its line", Read, |page, rng| {
        let at = page.any(rng, |token| token.text.starts_with('\n'))?;
        let (sign, blank) = (*rng.choice(&["//", "#"]).unwrap(), &page.tokens[at].text);
        Some(page.with(at, format!("{blank}{sign} {}{blank}", remark(rng))))
    }),
    Mistake("a comment in between", Read, |page, rng| {
        let at = page.any(rng, |token| token.is != Is::Blank)?;
        Some(page.with(at, format!("/* {} */ {}", remark(rng), page.tokens[at].text)))
    }),
    Mistake("odd blanks", Read, |page, rng| {
        let blank = *rng
            .choice(&["\u{a0}", "\u{200b}", "\u{3000}", "\u{2060}", "\u{feff}", "\u{200e}"])
            .unwrap();
        let at = page.any(rng, |token| token.is != Is::Blank)?;
        Some(page.with(at, format!("{blank}{}", page.tokens[at].text)))
    }),
];

fn remark(rng: &mut Rng) -> &'static str {
    rng.choice(&[
        "as reported",
        "it's a guess",
        "e.g. \"x\"",
        "was: {1, 2}",
        "keep, please",
        "see [1]: ok",
        "好的",
    ])
    .unwrap()
}

fn list_item(page: &Page, rng: &mut Rng) -> Option<usize> {
    page.any(rng, |token| token.in_list && matches!(token.is, Is::Text | Is::Word | Is::Open))
}

/// Returns the range of an object member.
fn member(page: &Page, rng: &mut Rng) -> Option<(usize, usize)> {
    let at = page.one(rng, Is::Key)?;
    let value = page.beside(page.beside(at, 1)?, 1)?;
    Some((at, page.end(value)))
}

/// Replaces the brackets of a list.
fn brackets(page: &Page, rng: &mut Rng, open: &str, close: &str) -> Option<String> {
    let at = page.any(rng, |token: &Token| token.text == "[")?;
    let end = page.end(at);
    let is_one = page.tokens[at..end].iter().all(|token| token.is != Is::Comma);
    if is_one && open == "(" {
        return None;
    }
    let mut page = page.clone();
    page.tokens[at].text = open.to_owned();
    page.tokens[end].text = close.to_owned();
    Some(page.json())
}

/// Returns whether more than closing braces is missing.
fn is_cut(page: &Page, text: &str) -> bool {
    let json = page.json();
    let rest = json.get(text.len()..).unwrap_or_default();
    !rest.trim_matches(|c: char| c.is_whitespace() || c == '}').is_empty()
}
