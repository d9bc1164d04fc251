//! Messages of rustc without what differs between machines, or changes with code elsewhere.

use std::iter;

/// Returns a message of rustc as the files beside the programs have it: places in other files have no numbers,
/// and paths begin with what they lie in.
pub(crate) fn normalize(message: &str) -> String {
    let mut elsewhere = false;
    let lines = message.lines().filter(|line| !is_about_this_machine(line)).map(|line| {
        let line = line.trim_end();
        if let Some((before, place)) = place(line) {
            let own = place.strip_prefix(concat!(env!("CARGO_MANIFEST_DIR"), "/"));
            elsewhere = own.is_none();
            return format!(
                "{before}{}",
                own.map_or_else(|| elsewhere_place(place), str::to_owned)
            );
        }
        elsewhere &= line
            .trim_start()
            .starts_with(|first: char| first.is_ascii_digit() || "|.".contains(first));
        if elsewhere { without_number(line) } else { line.to_owned() }
    });
    let lines = shorten_lists(lines.collect());
    unindent(&lines).join("\n").trim_end().to_owned()
}

fn is_about_this_machine(line: &str) -> bool {
    line.trim_start().starts_with("= note: the full name for the type has been written to")
}

/// Leaves out the types of a list after the eighth, as there are others whenever a dependency has new ones.
fn shorten_lists(lines: Vec<String>) -> Vec<String> {
    let mut listed = None;
    lines.into_iter().fold(Vec::new(), |mut short, line| {
        let indent = line.len() - line.trim_start().len();
        let others = |indent| format!("{:indent$}and $N others", "");
        listed = match listed {
            Some(listed) if indent >= 12 => Some(listed + 1),
            _ => line.contains("types implement trait").then_some(0),
        };
        match listed {
            Some(9) => short.push(others(indent - 2)),
            Some(10..) => {}
            None if indent >= 10
                && line[indent..].starts_with("and ")
                && line.ends_with(" others") =>
            {
                short.push(others(indent));
            }
            _ => short.push(line),
        }
        short
    })
}

/// Takes apart a line that says where something is: what is up to its arrow, and the place.
fn place(line: &str) -> Option<(&str, &str)> {
    let arrow = line.len() - line.trim_start().len();
    let is_arrow = ["--> ", "::: "].iter().any(|start| line[arrow..].starts_with(start));
    is_arrow.then(|| line.split_at(arrow + 4))
}

/// Returns a place outside of the programs without its numbers, as it is on all machines.
fn elsewhere_place(place: &str) -> String {
    let file = place.trim_end_matches(|last: char| last == ':' || last.is_ascii_digit());
    match file.split_once("/library/") {
        Some((_, file)) => format!("$RUST/{file}"),
        None => format!("$WORKSPACE/{file}"),
    }
}

/// Writes spaces in place of the number of a line.
fn without_number(line: &str) -> String {
    let rest = line.trim_start_matches(|first: char| first == ' ' || first.is_ascii_digit());
    iter::repeat_n(' ', line.len() - rest.len()).chain(rest.chars()).collect()
}

/// Makes the margin of a message as narrow as the numbers that are left need it.
fn unindent(block: &[String]) -> Vec<String> {
    if !block.get(1).is_some_and(|line| line.trim_start().starts_with("--> ")) {
        return block.to_vec();
    }
    let least = block.iter().filter_map(|line| margin(line)).min().unwrap_or(0);
    let cut = |line: &String| match margin(line) {
        Some(_) => {
            let space = line.find(' ').unwrap_or(0);
            format!("{}{}", &line[..space], &line[space + least..])
        }
        None if line.starts_with("           ") => line[least..].to_owned(),
        None => line.clone(),
    };
    block.iter().map(cut).collect()
}

/// Returns how many spaces a line with a margin can lose.
fn margin(line: &str) -> Option<usize> {
    if let Some(rest) = line.strip_prefix("... ") {
        return Some(rest.len() - rest.trim_start().len());
    }
    let rest = line.trim_start();
    let before = line.len() - rest.len();
    let unnumbered = rest.trim_start_matches(|first: char| first.is_ascii_digit());
    let digits = rest.len() - unnumbered.len();
    let rest = unnumbered.trim_start();
    let spaces = before + unnumbered.len() - rest.len();
    let is = |marks: &[&str]| {
        marks.iter().any(|mark| rest == *mark || rest.starts_with(&format!("{mark} ")))
    };
    let has_margin = spaces > 0
        && (is(&["|"])
            || digits > 0 && is(&["~", "+", "-"])
            || digits == 0 && is(&["-->", ":::", "="]));
    has_margin.then(|| spaces - 1)
}
