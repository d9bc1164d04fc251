//! Suggestions for misspelled names.

/// Minimum similarity of a suggestion.
const LIKENESS: f64 = 0.8;
/// Maximum length of a name that is compared: the comparison takes time in the product of the lengths.
const MAX_NAME_BYTES: usize = 100;

/// Returns the known name that is most similar to `name`, ignoring case, or `None` if none is similar
/// enough.
pub fn closest_name<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    let name = name.trim().to_lowercase();
    known
        .into_iter()
        .filter(|known| known.len() <= MAX_NAME_BYTES)
        .map(|known| (known, strsim::jaro_winkler(&name, &known.to_lowercase())))
        .filter(|(_, likeness)| *likeness > LIKENESS)
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(known, _)| known)
}
