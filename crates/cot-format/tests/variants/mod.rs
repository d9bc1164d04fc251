//! Other layouts of files with processes.

use std::ops::Range;

use fastrand::Rng;
use proc_macro2::{TokenStream, TokenTree};

use crate::corpus::{File, each};

/// Returns a file in which the white space of the processes is other white space.
pub(crate) fn spaced(file: &File, random: &mut Rng) -> File {
    change_gaps(file, random, |gap, random| {
        let spaces = [" ", "\n", "\n\n\n", "\t", "  \n \t ", "\r\n"];
        if gap.trim().is_empty() && !gap.is_empty() {
            return (*random.choice(&spaces).unwrap()).to_owned();
        }
        gap.to_owned()
    })
}

/// Returns a file with comments in some of the gaps of its processes.
pub(crate) fn commented(file: &File, random: &mut Rng) -> File {
    let mut number = 0;
    let rarity = *random.choice(&[3_u32, 10, 40]).unwrap();
    change_gaps(file, random, |gap, random| {
        if random.u32(..rarity) > 0 {
            return gap.to_owned();
        }
        number += 1;
        let comment = match random.u32(..6) {
            0 => format!(" /* note_{number} */ "),
            1 => format!(" // note_{number}\n"),
            2 => format!("\n\n // note_{number} }} \" \n\n"),
            3 => format!("/* note_{number}\n    text \n */"),
            4 => format!("\n/* note_{number} */\n"),
            _ => format!(" // note_{number}\n// more\n"),
        };
        if random.bool() { format!("{gap}{comment}") } else { format!("{comment}{gap}") }
    })
}

/// Returns a file that ends anywhere.
pub(crate) fn cut(file: &File, random: &mut Rng) -> File {
    let end = file.text.floor_char_boundary(random.usize(..=file.text.len()));
    File { text: file.text[..end].to_owned(), ..file.clone() }
}

/// Changes the gaps between the tokens of processes, except those within operators.
fn change_gaps(
    file: &File,
    random: &mut Rng,
    mut change: impl FnMut(&str, &mut Rng) -> String,
) -> File {
    let Ok(stream) = file.text.parse::<TokenStream>() else { return file.clone() };
    let mut bodies = Vec::new();
    find(stream, &mut bodies);
    let mut text = String::new();
    let mut at = 0;
    for body in bodies {
        for gap in gaps(&file.text, body) {
            text.push_str(&file.text[at..gap.start]);
            text.push_str(&change(&file.text[gap.clone()], random));
            at = gap.end;
        }
    }
    text.push_str(&file.text[at..]);
    File { text, ..file.clone() }
}

/// Finds the content of invocations.
fn find(stream: TokenStream, found: &mut Vec<(Range<usize>, TokenStream)>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let name = index.checked_sub(2).map(|index| tokens[index].to_string());
        if name.is_some_and(|name| name == "cot_process") {
            let range = group.span_open().byte_range().end..group.span_close().byte_range().start;
            found.push((range, group.stream()));
        } else {
            find(group.stream(), found);
        }
    }
}

fn gaps(text: &str, (range, stream): (Range<usize>, TokenStream)) -> Vec<Range<usize>> {
    let mut gaps = Vec::new();
    let mut at = range.start;
    each(stream, &mut |_, span| {
        let token = span.byte_range();
        // Doc comments are several tokens with one place.
        if token.start >= at {
            gaps.push(at..token.start);
            at = token.end;
        }
    });
    gaps.push(at..range.end);
    gaps.retain(|gap| {
        let before = text[..gap.start].chars().next_back().unwrap_or(' ');
        let after = text[gap.end..].chars().next().unwrap_or(' ');
        let is_part = |c: char| c.is_alphanumeric() || "_'\"#-=>:.&|<!*+".contains(c);
        let is_operator = gap.is_empty() && is_part(before) && is_part(after);
        // A line comment ends with its line.
        let after_doc =
            text[..gap.start].rsplit('\n').next().is_some_and(|line| line.contains("//"));
        !is_operator && !after_doc
    });
    gaps
}
