//! Mistakes in numbers, literals, options and keys.

use fastrand::Rng;

use super::{
    Mistake,
    Right::{Read, Refused},
    page::{Is, Page, Token},
};

pub(super) const ALL: &[Mistake] = &[
    Mistake("a literal of Python", Read, |page, rng| {
        let at = page.any(rng, |token| !is_number(token) && token.is == Is::Word)?;
        Some(page.with(
            at,
            match page.tokens[at].text.as_str() {
                "true" => *rng.choice(&["True", "TRUE"]).unwrap(),
                "false" => *rng.choice(&["False", "FALSE"]).unwrap(),
                _ => *rng.choice(&["None", "NULL", "Null", "undefined", "nil"]).unwrap(),
            },
        ))
    }),
    Mistake("a literal in quotes", Read, |page, rng| {
        let at = page.any(rng, |token| {
            !is_number(token) && matches!(token.text.as_str(), "true" | "false")
        })?;
        let is_true = page.tokens[at].text == "true";
        let text = *rng
            .choice(if is_true { &["true", "True", "yes"] } else { &["false", "False", "no"] })
            .unwrap();
        Some(page.with(at, format!("\"{text}\"")))
    }),
    Mistake("a number in quotes", Read, |page, rng| {
        number(page, rng, |text| format!("\"{text}\""))
    }),
    Mistake("a number with separators in quotes", Read, |page, rng| {
        let at = page.any(rng, |token| is_number(token) && grouped(&token.text, ",").is_some())?;
        let sign = *rng.choice(&[",", " ", "'", "_", "\u{202f}"]).unwrap();
        Some(page.with(at, format!("\"{}\"", grouped(&page.tokens[at].text, sign)?)))
    }),
    Mistake("a number with separators", Read, |page, rng| {
        let at = page.any(rng, |token| {
            is_number(token) && !token.in_list && grouped(&token.text, ",").is_some()
        })?;
        let sign = *rng.choice(&[",", ",", "_"]).unwrap();
        Some(page.with(at, grouped(&page.tokens[at].text, sign)?))
    }),
    Mistake("a number with separators in a list", Refused, |page, rng| {
        let at = page.any(rng, |token| {
            is_number(token) && token.in_list && grouped(&token.text, ",").is_some()
        })?;
        let sign = *rng.choice(&[",", ",\u{2060}", ",\u{200b}"]).unwrap();
        Some(page.with(at, grouped(&page.tokens[at].text, sign)?))
    }),
    Mistake("a leading zero", Refused, |page, rng| {
        let at = page.any(rng, |token| {
            is_number(token) && token.text.starts_with(|c: char| c.is_ascii_digit() && c != '0')
        })?;
        Some(page.with(at, format!("0{}", page.tokens[at].text)))
    }),
    Mistake("a plus", Read, |page, rng| {
        let at = page.any(rng, |token| is_number(token) && !token.text.starts_with('-'))?;
        Some(page.with(at, format!("+{}", page.tokens[at].text)))
    }),
    Mistake("a point at the end", Read, |page, rng| {
        let at = page.any(rng, |token| is_number(token) && !token.text.contains('.'))?;
        Some(page.with(at, format!("{}.", page.tokens[at].text)))
    }),
    Mistake("a number in a call", Read, |page, rng| {
        let name = *rng.choice(&["NumberLong", "NumberInt", "int", "Decimal", "float"]).unwrap();
        let quote = if rng.bool() { "\"" } else { "" };
        number(page, rng, |text| format!("{name}({quote}{text}{quote})"))
    }),
    Mistake("a suffix", Read, |page, rng| {
        let at = page.any(rng, |token| is_number(token) && !token.text.contains('.'))?;
        Some(page.with(at, format!("{}{}", page.tokens[at].text, rng.choice(&["n", "L"]).unwrap())))
    }),
    Mistake("a unit", Refused, |page, rng| {
        let unit = *rng.choice(&[" kg", " min", " USD", "px"]).unwrap();
        number(page, rng, |text| format!("\"{text}{unit}\""))
    }),
    Mistake("an option in another case", Read, |page, rng| {
        let at = page.any(rng, |token| {
            matches!(token.raw.as_str(), "low" | "in_progress" | "drop_everything")
        })?;
        let text = &page.tokens[at].raw;
        let text = match rng.u8(..4) {
            0 => text.to_uppercase(),
            1 => text.replace('_', " "),
            2 => text.replace('_', "-"),
            _ => format!("{}{}", text[..1].to_uppercase(), &text[1..]),
        };
        Some(page.with(at, format!("\"{text}\"")))
    }),
    Mistake("a key in another case", Read, |page, rng| {
        let at = page.any(rng, |token| {
            token.is == Is::Key && token.raw.len() > 3 && token.raw != "long name"
        })?;
        let key = &page.tokens[at].raw;
        let key = match rng.u8(..3) {
            0 => key.to_uppercase(),
            1 => format!("{}{}", key[..1].to_uppercase(), &key[1..]),
            _ => key.replace("minutesNeeded", "minutes_needed").replace("due_date", "dueDate"),
        };
        Some(page.with(at, format!("\"{key}\"")))
    }),
    Mistake("a key without a value", Refused, |page, rng| {
        let at =
            page.any(rng, |token| !token.in_list && matches!(token.is, Is::Text | Is::Word))?;
        Some(page.with(at, ""))
    }),
    Mistake("a number that is none", Refused, |page, rng| {
        let word = *rng.choice(&["NaN", "Infinity", "-Infinity", "TBD", "?"]).unwrap();
        number(page, rng, |_| word.to_owned())
    }),
    Mistake("one item for a list", Read, |page, rng| {
        let at = page.any(rng, |token| token.text == "[" && token.depth > 0 && !token.in_list)?;
        let end = page.end(at);
        let is_one = !page.tokens[at..end]
            .iter()
            .any(|token| token.is == Is::Comma && token.depth == page.tokens[at].depth + 1);
        // A string with commas may enumerate several items.
        let is_list = page.tokens[at..end]
            .iter()
            .any(|token| token.is == Is::Text && token.raw.contains([',', ';', '\n', '[', '{']));
        (is_one && !is_list).then(|| {
            format!(
                "{}{}{}",
                page.slice(0, at),
                page.slice(at + 1, end).trim(),
                page.slice(end + 1, page.tokens.len())
            )
        })
    }),
    Mistake("keys without quotes that are words", Read, |page, rng| {
        let at = page.any(rng, |token| {
            token.is == Is::Key && matches!(token.raw.as_str(), "5" | "a" | "De")
        })?;
        Some(page.with(at, page.tokens[at].raw.clone()))
    }),
];

fn is_number(token: &Token) -> bool {
    token.is == Is::Word && !matches!(token.text.as_str(), "true" | "false" | "null")
}

fn number(page: &Page, rng: &mut Rng, write: impl Fn(&str) -> String) -> Option<String> {
    let at = page.any(rng, is_number)?;
    Some(page.with(at, write(&page.tokens[at].text)))
}

/// Inserts a group separator into a number.
fn grouped(text: &str, sign: &str) -> Option<String> {
    let digits = text.len();
    let is_whole = text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_whole || digits < 4 {
        return None;
    }
    let groups =
        text.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    Some(groups.collect::<Vec<_>>().join(sign))
}
