//! The steps of a text without its conclusion.

use super::{
    marker::{Content, Kind, Marker, marker},
    step::Step,
    step_number::StepNumber,
};

/// What a text has of markers, each with the places where it begins and ends.
#[derive(Default)]
pub(super) struct Marks {
    steps: Vec<StepMark>,
    /// The conclusions whose markers are clear.
    pub(super) conclusions: Vec<Span>,
    /// The last line that begins with a word that may begin a conclusion.
    pub(super) unclear: Option<Span>,
}

struct StepMark {
    number: StepNumber,
    kind: Kind,
    span: Span,
}

/// What a marker begins, up to where the next one does.
pub(super) struct Span {
    /// Where the line of the marker begins.
    pub(super) start: usize,
    content: usize,
    /// The end of the bold that begins before the marker, which is no part of the content.
    cut: Option<(usize, usize)>,
}

impl Marks {
    pub(super) fn of(text: &str) -> Self {
        let mut marks = Self::default();
        let mut line_start = Some(0);
        while let Some(start) = line_start {
            let mut scanned = start;
            match marker(text.get(start..).unwrap_or_default()) {
                Some(Marker::Step { number, kind, content }) => {
                    let span = Span::new(text, start, &content);
                    scanned = span.content;
                    marks.steps.push(StepMark { number, kind, span });
                }
                Some(Marker::Conclusion { is_clear: true, content }) => {
                    marks.conclusions.push(Span::new(text, start, &content));
                }
                Some(Marker::Conclusion { is_clear: false, content }) => {
                    marks.unclear = Some(Span::new(text, start, &content));
                }
                None => {}
            }
            line_start = next_line(text, scanned);
        }
        marks
    }

    /// The steps before a place, which is the end of the text; where none has a number, the bullets.
    pub(super) fn steps(&self, text: &str, end: usize) -> Vec<Step> {
        match self.numbered(text, end) {
            Some(steps) => steps.map(|(_, step)| step).collect(),
            None => bullets(text.get(..end).unwrap_or_default()),
        }
    }

    /// Whether a step begins after a place.
    pub(super) fn has_step_after(&self, place: usize, text: &str, end: usize) -> bool {
        let last = self.numbered(text, end).and_then(Iterator::last);
        last.is_some_and(|(start, _)| start > place)
    }

    /// The steps before a place, each with where it begins; `None` without any marker.
    fn numbered(&self, text: &str, end: usize) -> Option<impl Iterator<Item = (usize, Step)>> {
        let before = self.steps.partition_point(|mark| mark.span.start < end);
        let marks = self.steps.get(..before).filter(|marks| !marks.is_empty())?;
        let counts = counting(marks);
        let mut marks = marks.iter().filter(move |mark| counts(mark.kind)).peekable();
        Some(std::iter::from_fn(move || {
            loop {
                let mark = marks.next()?;
                let end = marks.peek().map_or(end, |next| next.span.start);
                if let Some(content) = mark.span.content(text, end) {
                    let number = mark.number.clone();
                    return Some((mark.span.start, Step { number, content }));
                }
            }
        }))
    }
}

/// Which markers count: where steps have headings or bold, what else is numbered is a part of them.
fn counting(marks: &[StepMark]) -> impl Fn(Kind) -> bool + use<> {
    let count = |is: fn(&Kind) -> bool| marks.iter().filter(|mark| is(&mark.kind)).count();
    let words = count(|kind| kind.has_word);
    let decorated_words = count(|kind| kind.has_word && kind.is_decorated);
    let decorated = count(|kind| kind.is_decorated);
    let only_words = decorated_words > 0 || (words > 0 && decorated > 0);
    let only_decorated = words == 0 && decorated > 1;
    move |kind| (kind.has_word || !only_words) && (kind.is_decorated || !only_decorated)
}

impl Span {
    fn new(text: &str, start: usize, content: &Content<'_>) -> Self {
        let rest = content.rest;
        let begin = text.len() - rest.len();
        let cut = content.close.and_then(|close| {
            let line = rest.split('\n').next()?;
            let at = begin + line.find(close)?;
            Some((at, at + close.len()))
        });
        Self { start, content: begin, cut }
    }

    /// What it says, up to a place; never empty. Rules at its end, which divide it from what follows, are
    /// no part of it.
    pub(super) fn content(&self, text: &str, end: usize) -> Option<String> {
        let content = without_rules(text.get(self.content..end)?).trim();
        let end = text.len().min(end);
        let content = match self.cut {
            Some((from, to)) if to <= end => {
                let (before, after) = (text.get(self.content..from)?, text.get(to..end)?);
                [before, without_rules(after)].concat().trim().to_owned()
            }
            _ => content.to_owned(),
        };
        (!content.is_empty()).then_some(content)
    }
}

/// A text without the lines of `---` at its end.
fn without_rules(mut text: &str) -> &str {
    loop {
        text = text.trim_end();
        match text.rsplit_once('\n') {
            Some((before, line)) if is_rule(line.trim()) => text = before,
            _ => return text,
        }
    }
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3 && ['-', '*', '_'].iter().any(|sign| line.chars().all(|c| c == *sign))
}

fn bullets(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut start: Option<usize> = None;
    let mut line_start = Some(0);
    while let Some(at) = line_start {
        if let Some(rest) = after_bullet(text.get(at..).unwrap_or_default()) {
            let content = start.replace(text.len() - rest.len()).map(|start| (start, at));
            push_bullet(&mut steps, text, content);
        }
        line_start = next_line(text, at);
    }
    push_bullet(&mut steps, text, start.map(|start| (start, text.len())));
    steps
}

fn push_bullet(steps: &mut Vec<Step>, text: &str, content: Option<(usize, usize)>) {
    let number = StepNumber::from(steps.len() as u64 + 1);
    let content =
        content.and_then(|(start, end)| Some(without_rules(text.get(start..end)?).trim()));
    let content = content.filter(|content| !content.is_empty());
    steps.extend(content.map(|content| Step { number, content: content.to_owned() }));
}

/// Where the line after a place begins.
fn next_line(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.find('\n').map(|newline| from + newline + 1)
}

/// What follows on the bullet that a line begins with.
fn after_bullet(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '•'])?;
    rest.chars().next().is_none_or(char::is_whitespace).then_some(rest)
}
