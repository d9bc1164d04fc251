//! What a misspelled name probably means.

/// Names that are less alike than this are not suggested.
const LIKENESS: f64 = 0.8;
/// Longer names, which are hostile, are like none: the comparison takes the product of the lengths.
const MAX_NAME_BYTES: usize = 100;

/// The known name that is most like one that is not known, whatever the case.
pub fn closest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
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
