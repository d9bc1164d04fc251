//! Collects the markers of a text and extracts its steps.

use super::{
    marker::{Content, Marker, Rank, StepForm, marker},
    step::Step,
    step_number::StepNumber,
};

/// The markers of a text, with their positions.
#[derive(Default)]
pub(super) struct Marks {
    steps: Vec<StepMark>,
    /// The conclusions with clear markers, each with whether its marker is a word for the answer.
    pub(super) conclusions: Vec<(Span, bool)>,
    /// The last conclusion with an unclear marker.
    pub(super) unclear: Option<Span>,
}

struct StepMark {
    number: StepNumber,
    form: StepForm,
    span: Span,
}

/// The position of a marker and its content.
pub(super) struct Span {
    /// The start of the marker's line.
    pub(super) start: usize,
    content: usize,
    /// The range of the closing emphasis mark, which is removed from the content.
    cut: Option<(usize, usize)>,
}

impl Marks {
    pub(super) fn collect(text: &str) -> Self {
        let mut marks = Self::default();
        let mut line_start = Some(0);
        while let Some(start) = line_start {
            let mut scanned = start;
            match marker(text.get(start..).unwrap_or_default()) {
                Some(Marker::Step { number, form, content }) => {
                    let span = Span::new(text, start, &content);
                    scanned = span.content;
                    marks.steps.push(StepMark { number, form, span });
                }
                Some(Marker::Conclusion { rank, content }) => {
                    let span = Span::new(text, start, &content);
                    match rank {
                        Rank::Unclear => marks.unclear = Some(span),
                        rank => marks.conclusions.push((span, rank == Rank::Answer)),
                    }
                }
                None => {}
            }
            line_start = next_line(text, scanned);
        }
        marks
    }

    /// Returns the steps before `end`: numbered ones, or else bullets.
    pub(super) fn steps(&self, text: &str, end: usize) -> Vec<Step> {
        match self.numbered(text, end) {
            Some(steps) => steps.map(|(_, step)| step).collect(),
            None => bullets(text.get(..end).unwrap_or_default()),
        }
    }

    /// Returns whether a step begins after a position.
    pub(super) fn has_step_after(&self, place: usize, text: &str, end: usize) -> bool {
        let last = self.numbered(text, end).and_then(Iterator::last);
        last.is_some_and(|(start, _)| start > place)
    }

    /// Returns the numbered steps before `end` with their start positions, or `None` if there are no
    /// markers.
    fn numbered(&self, text: &str, end: usize) -> Option<impl Iterator<Item = (usize, Step)>> {
        let before = self.steps.partition_point(|mark| mark.span.start < end);
        let marks = self.steps.get(..before).filter(|marks| !marks.is_empty())?;
        let counts = counting(marks);
        let mut marks = marks.iter().filter(move |mark| counts(mark.form)).peekable();
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

/// Selects the step markers that count: if steps are headings or bold, other numbers are part of them.
fn counting(marks: &[StepMark]) -> impl Fn(StepForm) -> bool + use<> {
    let count = |is: fn(&StepForm) -> bool| marks.iter().filter(|mark| is(&mark.form)).count();
    let words = count(|form| form.has_word);
    let decorated_words = count(|form| form.has_word && form.is_decorated);
    let decorated = count(|form| form.is_decorated);
    let only_words = decorated_words > 0 || (words > 0 && decorated > 0);
    let only_decorated = words == 0 && decorated > 1;
    move |form| (form.has_word || !only_words) && (form.is_decorated || !only_decorated)
}

impl Span {
    fn new(text: &str, start: usize, content: &Content<'_>) -> Self {
        let rest = content.rest;
        let begin = text.len() - rest.len();
        let cut = content.close.and_then(|close| {
            let at = begin + closing(rest.split('\n').next()?, close)?;
            Some((at, at + close.len()))
        });
        Self { start, content: begin, cut }
    }

    /// Returns the content up to `end`, without trailing rules, or `None` if it is empty.
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

/// Returns the position in a line of the mark that closes an emphasis: after a character, and not within a word. A
/// mark between blanks, as in `2 * 3`, closes nothing.
fn closing(line: &str, close: &str) -> Option<usize> {
    let is_end = |at: &usize| {
        let (before, after) = line.split_at(*at);
        let next = after.strip_prefix(close).unwrap_or_default().chars().next();
        let is_alone = |c: char| !c.is_alphanumeric() && !close.starts_with(c);
        before.chars().next_back().is_none_or(|c| !c.is_whitespace())
            && (close.len() > 1 || next.is_none_or(is_alone))
    };
    line.match_indices(close).map(|(at, _)| at).find(is_end)
}

/// Removes trailing rules such as `---`.
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

/// Returns the start of the next line.
fn next_line(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.find('\n').map(|newline| from + newline + 1)
}

/// Returns the text after a bullet at the start of a line.
fn after_bullet(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '•'])?;
    rest.chars().next().is_none_or(char::is_whitespace).then_some(rest)
}
