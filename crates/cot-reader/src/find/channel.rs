//! Finds the answer in a reply of several channels.

/// The mark of a channel, followed by its name.
const CHANNEL: &str = "<|channel|>";
/// The mark between the head of a channel and its text.
const MESSAGE: &str = "<|message|>";
/// The marks after the text of a channel.
const ENDS: [&str; 4] = ["<|return|>", "<|end|>", "<|start|>", CHANNEL];

/// Returns the text of the last `final` channel of a reply, or a reply without channels as it is. Other channels
/// are thoughts, but for a call of a tool, which is returned with its marks.
pub(crate) fn answer_channel(text: &str) -> &str {
    if !text.contains(CHANNEL) {
        return without_marks(text);
    }
    let last = |name: &str| {
        text.rmatch_indices(CHANNEL).find_map(|(at, mark)| {
            let head = text.get(at + mark.len()..)?;
            head.starts_with(name).then_some((at, head))
        })
    };
    if let Some((_, head)) = last("final") {
        let (_, answer) = head.split_once(MESSAGE).unwrap_or_default();
        let end = ENDS.iter().filter_map(|end| answer.find(end)).min();
        return end.and_then(|end| answer.get(..end)).unwrap_or(answer);
    }
    last("commentary to=").and_then(|(at, _)| text.get(at..)).unwrap_or_default()
}

/// Returns the answer of a reply from which a server dropped the marks: `analysis…assistantfinal…`.
fn without_marks(text: &str) -> &str {
    let is_marked = text.trim_start().starts_with("analysis");
    let answer = || text.rsplit_once("assistantfinal").map(|(_, answer)| answer);
    is_marked.then(answer).flatten().unwrap_or(text)
}
