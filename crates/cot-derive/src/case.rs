//! The cases of `rename_all`, with the rules of `serde`.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

const NAMES: &[(&str, Case)] = &[
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
];

impl Case {
    pub(super) fn parse(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, case)| *case)
    }

    /// Converts the name of a field, which is in snake case in Rust.
    pub(super) fn rename_field(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal(name),
            Self::Camel => first_lowered(&pascal(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Converts the name of a variant, which is in Pascal case in Rust.
    pub(super) fn rename_variant(self, name: &str) -> String {
        match self {
            Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => first_lowered(name),
            Self::Snake => snake(name),
            Self::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Self::Kebab => snake(name).replace('_', "-"),
            Self::ScreamingKebab => snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn pascal(name: &str) -> String {
    name.split('_').map(first_raised).collect()
}

fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for (position, character) in name.char_indices() {
        if position > 0 && character.is_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

fn first_raised(word: &str) -> String {
    with_first(word, |first| first.to_ascii_uppercase())
}

fn first_lowered(word: &str) -> String {
    with_first(word, |first| first.to_ascii_lowercase())
}

fn with_first(word: &str, change: impl Fn(char) -> char) -> String {
    let mut characters = word.chars();
    characters.next().map(change).into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renames_as_serde_does() {
        let fields: Vec<_> =
            NAMES.iter().map(|(_, case)| case.rename_field("step_after")).collect();
        assert_eq!(
            fields,
            [
                "step_after",
                "STEP_AFTER",
                "StepAfter",
                "stepAfter",
                "step_after",
                "STEP_AFTER",
                "step-after",
                "STEP-AFTER"
            ]
        );
        let variants: Vec<_> =
            NAMES.iter().map(|(_, case)| case.rename_variant("StepAfter")).collect();
        assert_eq!(
            variants,
            [
                "stepafter",
                "STEPAFTER",
                "StepAfter",
                "stepAfter",
                "step_after",
                "STEP_AFTER",
                "step-after",
                "STEP-AFTER"
            ]
        );
    }
}
