//! Compile errors, as an editor shows them: underlined words, the text beside one of them, and the list of all.

use super::svg::{Picture, columns, escaped, wrapped};

const SIZE: f64 = 13.0;
const LINE: f64 = 19.0;
const MARGIN: f64 = 16.0;
/// The width of the line numbers.
const GUTTER: f64 = 32.0;
/// The characters of a line of code, and of the text beside a word.
const COLUMNS: u16 = 94;
const HOVER: u16 = 44;

const STYLE: &str = "
.panel { fill: #1f2228 } .pane { fill: #282c34; stroke: #3b4048 } .hover { fill: #2c313a; stroke: #61afef }
text { font: 13px ui-monospace, Menlo, 'DejaVu Sans Mono', monospace; fill: #d7dae0 }
.dim { fill: #7f848e } .key { fill: #c678dd } .string { fill: #98c379 } .error { fill: #ff7b72 } .help { fill: #e5c07b }
.wrong { fill: none; stroke: #ff5f56; stroke-width: 1.4 }
";

/// The words of the language that have a colour.
const KEYS: [&str; 9] = [
    "cot_process",
    "process",
    "task",
    "state",
    "goal",
    "default_return",
    "transitions",
    "prompt",
    "update",
];

/// An error of the compiler, as it is printed.
struct Problem<'a> {
    message: &'a str,
    /// Notes and helps, such as `help: did you mean …`.
    notes: Vec<&'a str>,
    line: u16,
    column: u16,
    /// The number of underlined characters.
    width: usize,
}

/// Draws the process of a source file with the errors that the compiler prints for it. The text of the last one is open.
#[must_use]
pub fn editor(title: &str, source: &str, printed: &str) -> String {
    let problems: Vec<_> = printed.split("\nerror: ").filter_map(problem).collect();
    let mut picture = Picture::new(columns(COLUMNS, SIZE) + GUTTER + 2.0 * MARGIN, STYLE);
    let lines =
        (1_u16..).zip(source.lines()).skip_while(|(_, line)| !line.contains("cot_process!"));
    let mut y = MARGIN + SIZE;
    let mut hover_at = (0.0, 0.0);
    for (number, line) in lines.take_while(|(_, line)| !line.is_empty()) {
        picture.text((MARGIN, y), r#"class="dim""#, &format!("{number:>3}"));
        add_code(&mut picture, y, line);
        for problem in problems.iter().filter(|problem| problem.line == number) {
            let x = x_of(problem.column);
            picture.add(&squiggle((x, y + 3.0), problem.width), y + 5.0);
            hover_at = (x, y + 10.0);
        }
        y += LINE;
    }
    if let Some(problem) = problems.last() {
        add_hover(&mut picture, hover_at, problem);
    }
    add_list(&mut picture, y + LINE, &problems);
    picture.finish(title, MARGIN)
}

/// Reads one error.
fn problem(printed: &str) -> Option<Problem<'_>> {
    let lines = || printed.lines().map(str::trim_start);
    let place = lines().find_map(|line| line.strip_prefix("--> "))?;
    let mut numbers = place.rsplit(':');
    let (column, line) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    Some(Problem {
        message: printed.lines().next()?.trim_start_matches("error: "),
        notes: lines().filter_map(|line| line.strip_prefix("= ")).collect(),
        line,
        column,
        width: lines().find(|line| line.ends_with('^'))?.matches('^').count(),
    })
}

fn x_of(column: u16) -> f64 {
    MARGIN + GUTTER + columns(column.saturating_sub(1), SIZE)
}

/// Adds a line of code, whose width does not depend on the font, so that the right word is underlined.
fn add_code(picture: &mut Picture, y: f64, line: &str) {
    let code = line.trim_start();
    let length = |text: &str| u16::try_from(text.chars().count()).unwrap_or(u16::MAX);
    let (x, width) = (x_of(length(line) - length(code) + 1), columns(length(code), SIZE));
    let words = words(code)
        .into_iter()
        .map(|(class, word)| format!(r#"<tspan class="{class}">{}</tspan>"#, escaped(word)));
    let text = words.collect::<String>();
    let element = format!(
        r#"<text x="{x:.1}" y="{y:.1}" xml:space="preserve" textLength="{width:.1}">{text}</text>"#
    );
    picture.add(&element, y);
}

/// Splits a line of code into pieces with the class of each.
fn words(code: &str) -> Vec<(&'static str, &str)> {
    let mut words = Vec::new();
    // Each second piece is within quotes.
    for (index, piece) in code.split('"').enumerate() {
        if index % 2 == 1 {
            words.extend([("string", "\""), ("string", piece), ("string", "\"")]);
            continue;
        }
        for word in piece.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_')) {
            let name = word.trim_end_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
            let class = if KEYS.contains(&name) { "key" } else { "code" };
            words.extend([(class, name), ("code", &word[name.len()..])]);
        }
    }
    words.retain(|(_, word)| !word.is_empty());
    words
}

/// A wavy line below so many characters.
fn squiggle((x, y): (f64, f64), width: usize) -> String {
    let end = x + columns(u16::try_from(width).unwrap_or(u16::MAX), SIZE);
    let mut way = format!("M{x:.1} {y:.1}");
    let mut at = x;
    while at < end {
        way += "q1.5 -3 3 0t3 0";
        at += 6.0;
    }
    format!(r#"<path class="wrong" d="{way}"/>"#)
}

/// Adds the box with the text of an error, below its word.
fn add_hover(picture: &mut Picture, (x, y): (f64, f64), problem: &Problem<'_>) {
    let notes = problem.notes.iter().map(|note| ("help", *note));
    let texts = std::iter::once(("error", problem.message)).chain(notes);
    let lines: Vec<_> = texts
        .flat_map(|(class, text)| {
            wrapped(text, usize::from(HOVER)).into_iter().map(move |line| (class, line))
        })
        .collect();
    let width = columns(HOVER, SIZE) + 16.0;
    let height = f64::from(u16::try_from(lines.len()).unwrap_or(u16::MAX)).mul_add(LINE, 12.0);
    let x = x.min(x_of(COLUMNS) - width);
    picture.rectangle((x, y), (width, height), "hover");
    for (index, (class, line)) in (1_u16..).zip(lines) {
        let y = f64::from(index).mul_add(LINE, y);
        picture.text((x + 8.0, y), &format!(r#"class="{class}""#), &line);
    }
}

/// Adds the list of all errors.
fn add_list(picture: &mut Picture, top: f64, problems: &[Problem<'_>]) {
    let count = problems.len();
    picture.text((MARGIN, top + LINE), r#"class="dim""#, &format!("PROBLEMS {count}"));
    for (index, problem) in (2_u16..).zip(problems) {
        let y = f64::from(index).mul_add(LINE, top);
        picture.text((MARGIN, y), r#"class="error""#, "●");
        let place = format!("Ln {}, Col {}", problem.line, problem.column);
        picture.text((MARGIN + GUTTER, y), "", problem.message);
        picture.text((x_of(COLUMNS - 14), y), r#"class="dim""#, &place);
    }
}
