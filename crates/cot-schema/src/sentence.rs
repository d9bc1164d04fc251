//! Errors as sentences.

use std::error::Error;

use crate::text::truncate;

/// Maximum length of a message within a sentence.
const MAX_MESSAGE_BYTES: usize = 4000;

/// Returns the message of an error and those of its sources, separated by colons. A source that a message before
/// it already quotes is left out, and long messages are truncated.
#[must_use]
pub fn sentence(error: &dyn Error) -> String {
    let mut sentence = bounded(error.to_string());
    let mut source = error.source();
    while let Some(cause) = source {
        let message = bounded(cause.to_string());
        if !sentence.contains(&message) {
            sentence.push_str(": ");
            sentence.push_str(&message);
        }
        source = cause.source();
    }
    sentence
}

fn bounded(message: String) -> String {
    if message.len() <= MAX_MESSAGE_BYTES {
        return message;
    }
    format!("{}…", truncate(&message, MAX_MESSAGE_BYTES))
}

/// Implements `Debug` of errors by their [sentence](crate::internal::sentence): a `main` that returns an error
/// shows its `Debug` form.
#[doc(hidden)]
#[macro_export]
macro_rules! debug_as_sentence {
    ($($error:ty),+ $(,)?) => {$(
        impl ::core::fmt::Debug for $error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(&$crate::internal::sentence(self))
            }
        }
    )+};
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;

    struct Link {
        message: String,
        source: Option<Box<Link>>,
    }

    debug_as_sentence!(Link);

    impl fmt::Display for Link {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.message)
        }
    }

    impl Error for Link {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.source.as_deref().map(|source| source as _)
        }
    }

    fn link(message: &str, source: Option<Link>) -> Link {
        Link { message: message.to_owned(), source: source.map(Box::new) }
    }

    #[test]
    fn an_error_is_shown_with_its_causes() {
        let error = link("it failed", Some(link("it broke", Some(link("no disk", None)))));
        assert_eq!(format!("{error:?}"), "it failed: it broke: no disk");
    }

    #[test]
    fn a_cause_that_is_quoted_is_shown_once() {
        let error = link("it failed: no disk", Some(link("no disk", Some(link("EIO", None)))));
        assert_eq!(sentence(&error), "it failed: no disk: EIO");
    }

    #[test]
    fn long_messages_are_truncated() {
        let error = link(&"a".repeat(1 << 20), Some(link("no disk", None)));
        let shown = sentence(&error);
        assert!(shown.len() < 5000 && shown.ends_with("…: no disk"), "{}", shown.len());
    }
}
