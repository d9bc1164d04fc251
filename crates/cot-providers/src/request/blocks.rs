//! The messages of a request as blocks: joined texts, images and documents, and the breakpoints of a
//! prompt cache.

use std::borrow::Cow;

use cot_model::{Document, Image, Message, MessagePart, ModelRequest, PartName, Role, Stability};

/// The number of breakpoints that Anthropic accepts.
const MAX_BREAKPOINTS: usize = 4;

/// A message whose adjacent texts are joined.
pub(crate) struct BlockMessage<'a> {
    pub(crate) role: Role,
    pub(crate) blocks: Vec<Block<'a>>,
}

/// A part of a message.
pub(crate) struct Block<'a> {
    pub(crate) content: BlockContent<'a>,
    /// Whether the server is asked to cache the request up to the end of this block.
    pub(crate) is_breakpoint: bool,
}

/// The content of a block.
pub(crate) enum BlockContent<'a> {
    Text(Cow<'a, str>),
    Image(&'a Image),
    Document(&'a Document),
}

/// The position of a part: the index of its message, and its own index there.
type Position = (usize, usize);

/// Returns the messages of a request.
///
/// Texts that are not separated by a breakpoint, an image or a document are one block.
pub(crate) fn block_messages(
    request: &ModelRequest,
    with_format: bool,
    has_breakpoints: bool,
) -> Vec<BlockMessage<'_>> {
    let messages = request.messages(with_format);
    let ends = if has_breakpoints { breakpoints(&messages) } else { Vec::new() };
    let messages = messages.into_iter().enumerate();
    let blocks = messages.map(|(at, Message { role, parts })| {
        let blocks = join_parts(parts, |part| ends.contains(&(at, part)));
        BlockMessage { role, blocks }
    });
    blocks.collect()
}

/// Returns the last texts of the system message, of the turns, and of the fixed, the per-run and the growing
/// zone, without the first ones if they are more than [`MAX_BREAKPOINTS`]. Texts that follow a volatile part
/// are not among them.
///
/// A zone of a stability ends before the first part that is less stable. The last turn is one of the ends,
/// since the next request may continue there. Blank texts can't be breakpoints.
fn breakpoints(messages: &[Message<'_>]) -> Vec<Position> {
    let zone = |zone| {
        let parts = messages.iter().enumerate().flat_map(|(at, message)| {
            message.parts.iter().enumerate().map(move |(index, part)| ((at, index), part))
        });
        parts.take_while(move |(_, part)| stability(part) <= zone)
    };
    let systems = usize::from(messages.first().is_some_and(|first| first.role == Role::System));
    let system = last_text(zone(Stability::Growing).filter(|((at, _), _)| *at < systems));
    let turns = last_text(zone(Stability::Growing).filter(|(_, part)| is_turn(part)));
    let zones = [Stability::Fixed, Stability::PerRun, Stability::Growing].map(zone).map(last_text);
    let mut ends: Vec<_> = [system, turns].into_iter().chain(zones).flatten().collect();
    ends.sort_unstable();
    ends.dedup();
    ends.split_off(ends.len().saturating_sub(MAX_BREAKPOINTS))
}

fn last_text<'a>(parts: impl Iterator<Item = (Position, &'a MessagePart<'a>)>) -> Option<Position> {
    parts.filter(|(_, part)| has_text(part)).last().map(|(position, _)| position)
}

fn stability(part: &MessagePart<'_>) -> Stability {
    match part {
        MessagePart::Text { stability, .. }
        | MessagePart::Image { stability, .. }
        | MessagePart::Document { stability, .. } => *stability,
        _ => Stability::Volatile,
    }
}

fn has_text(part: &MessagePart<'_>) -> bool {
    matches!(part, MessagePart::Text { text, .. } if !is_blank(text))
}

fn is_turn(part: &MessagePart<'_>) -> bool {
    matches!(part, MessagePart::Text { part: PartName::Turns, .. })
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Joins adjacent texts, except where the first one ends at a breakpoint.
fn join_parts<'a>(
    parts: Vec<MessagePart<'a>>,
    is_breakpoint: impl Fn(usize) -> bool,
) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::with_capacity(parts.len());
    for (index, part) in parts.into_iter().enumerate() {
        let content = match part {
            MessagePart::Text { text, .. } => {
                push_text(&mut blocks, text, is_breakpoint(index));
                continue;
            }
            MessagePart::Image { image, .. } => BlockContent::Image(image),
            MessagePart::Document { document, .. } => BlockContent::Document(document),
            _ => continue,
        };
        blocks.push(Block { content, is_breakpoint: false });
    }
    // Blank blocks, which some vendors reject, are only left beside images and documents.
    if blocks.len() > 1 {
        blocks
            .retain(|block| !matches!(&block.content, BlockContent::Text(text) if is_blank(text)));
    }
    blocks
}

fn push_text<'a>(blocks: &mut Vec<Block<'a>>, text: &'a str, is_breakpoint: bool) {
    if let Some(Block { content: BlockContent::Text(last), is_breakpoint: is_closed }) =
        blocks.last_mut()
        && (!*is_closed || is_blank(text))
    {
        last.to_mut().push_str(text);
        *is_closed |= is_breakpoint;
        return;
    }
    blocks.push(Block { content: BlockContent::Text(Cow::Borrowed(text)), is_breakpoint });
}
