//! The order of the parts of a prompt.

use cot_model::{PartName, Stability};

use crate::process::{
    tables::{Definition, TaskIndex},
    texts::TextFacts,
};

/// A section of a prompt that is placed as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Part(PartName),
    /// The text before the transitions, apart from their list.
    TransitionsPrimer,
    /// The list of visible transitions, apart from the text before it.
    TransitionsList,
}

impl Section {
    /// Returns the part to which the section belongs.
    pub(crate) const fn part(self) -> PartName {
        match self {
            Self::Part(part) => part,
            Self::TransitionsPrimer | Self::TransitionsList => PartName::Transitions,
        }
    }
}

/// Returns the sections of the prompt of a task in order: in that of the process, or by default the stable
/// ones first, so that a server's prompt cache serves the longest prefix.
pub(crate) fn sections(
    definition: &Definition,
    task: TaskIndex,
) -> impl Iterator<Item = Section> + use<> {
    let mut sections = [None; SECTIONS];
    let mut places = sections.iter_mut();
    let mut add = |section| places.next().into_iter().for_each(|place| *place = Some(section));
    match definition.order {
        Some(order) => order.iter().copied().map(Section::Part).for_each(add),
        None => stable_first(definition, task, &mut add),
    }
    sections.into_iter().flatten()
}

/// The number of sections of a prompt, if the transitions are two.
const SECTIONS: usize = PartName::PROMPT_PARTS.len() + 1;

/// Passes the sections of the prompt of a task to a function, the stable ones first.
fn stable_first(definition: &Definition, task: TaskIndex, add: &mut impl FnMut(Section)) {
    let section_zone = |section| zone(stability(definition, task, section));
    let is_split =
        section_zone(Section::TransitionsPrimer) != section_zone(Section::TransitionsList);
    let whole = Section::Part(PartName::Transitions);
    let (primer, list) = match is_split {
        true => (Section::TransitionsPrimer, Some(Section::TransitionsList)),
        false => (whole, None),
    };
    let in_reading_order = [
        Some(Section::Part(PartName::Intro)),
        Some(Section::Part(PartName::Goal)),
        Some(Section::Part(PartName::Prompt)),
        Some(primer),
        Some(Section::Part(PartName::Output)),
        Some(Section::Part(PartName::History)),
        list,
        Some(Section::Part(PartName::Errors)),
    ];
    let zoned = in_reading_order.map(|section| Some((section_zone(section?), section?)));
    for zone in 0..ZONES {
        let here = zoned.iter().flatten().filter(|(of_section, _)| *of_section == zone);
        here.for_each(|(_, section)| add(*section));
    }
}

/// The number of zones of a prompt.
const ZONES: u8 = 3;

/// Returns the position of a stability in the order: what a run does not change stays in the order in which it
/// reads best.
const fn zone(stability: Stability) -> u8 {
    match stability {
        Stability::Fixed | Stability::PerRun => 0,
        Stability::Growing => 1,
        Stability::Volatile => 2,
    }
}

/// Returns the least stable text of a section.
fn stability(definition: &Definition, task: TaskIndex, section: Section) -> Stability {
    let texts = &definition.texts;
    let own = &definition.task(task).texts;
    let text = |facts: Option<TextFacts>| facts.map_or(Stability::Fixed, |it| it.stability());
    match section {
        Section::Part(PartName::Intro) => text(texts.intro),
        Section::Part(PartName::Goal) => text(texts.goal_primer).max(Stability::PerRun),
        Section::Part(PartName::Prompt) => text(own.prompt),
        Section::Part(PartName::Output) => text(texts.output_primer),
        Section::Part(PartName::History) => text(texts.history_primer).max(Stability::Growing),
        Section::TransitionsPrimer => text(texts.transitions_primer),
        Section::TransitionsList => text(own.labels),
        Section::Part(PartName::Transitions) => {
            text(texts.transitions_primer).max(text(own.labels))
        }
        Section::Part(_) => Stability::Volatile,
    }
}
