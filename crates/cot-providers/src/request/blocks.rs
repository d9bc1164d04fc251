//! The messages of a request as blocks: joined texts, images and documents, and the breakpoints of a
//! prompt cache.

use std::borrow::Cow;

use cot_model::{
    Document, Image, Message, MessagePart, ModelRequest, PartName, Role, Stability, ToolCall,
    ToolResult,
};

use super::tools::CallIds;

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
    /// Whether further text begins a block of its own.
    is_closed: bool,
}

/// The content of a block.
pub(crate) enum BlockContent<'a> {
    Text(Cow<'a, str>),
    Image(&'a Image),
    Document(&'a Document),
    ToolCall {
        call: &'a ToolCall,
        id: Cow<'a, str>,
    },
    ToolResult {
        #[cfg_attr(
            not(feature = "genai"),
            expect(dead_code, reason = "the other protocols need ids alone")
        )]
        call: &'a ToolCall,
        id: Cow<'a, str>,
        result: &'a ToolResult,
    },
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
    let mut messages = request.messages(with_format);
    let mut ends = Vec::new();
    if has_breakpoints {
        split_growing(&mut messages);
        let has_tools = !request.tools.is_empty() || messages.iter().any(has_round);
        ends = breakpoints(&messages, has_tools);
    }
    let ids = CallIds::new(&request.rounds);
    let messages = messages.into_iter().enumerate();
    let blocks = messages.map(|(at, Message { role, parts })| {
        let blocks = join_parts(parts, has_breakpoints, &ids, |part| ends.contains(&(at, part)));
        BlockMessage { role, blocks }
    });
    blocks.collect()
}

/// The size of the blocks of a growing text, in bytes.
const GROWING_BLOCK_BYTES: usize = 2048;

/// Splits the growing texts of the prompt into blocks of a fixed size, and a rest, which counts as volatile.
///
/// A vendor finds an entry of its cache only where a block ends in both requests. The end of a growing text is
/// another one in each request, but the ends of its blocks are the same.
fn split_growing(messages: &mut [Message<'_>]) {
    for message in messages.iter_mut().filter(|message| message.role == Role::User) {
        let parts = std::mem::take(&mut message.parts);
        message.parts = parts.into_iter().flat_map(split_part).collect();
    }
}

fn split_part(part: MessagePart<'_>) -> Vec<MessagePart<'_>> {
    let MessagePart::Text { text, part: name, stability: Stability::Growing } = part else {
        return vec![part];
    };
    if matches!(name, PartName::Turns | PartName::Rounds) {
        return vec![part];
    }
    let (mut rest, mut parts) = (text, Vec::new());
    while rest.len() > GROWING_BLOCK_BYTES {
        let (text, after) = rest.split_at(rest.floor_char_boundary(GROWING_BLOCK_BYTES));
        parts.push(MessagePart::Text { text, part: name, stability: Stability::Growing });
        rest = after;
    }
    parts.push(MessagePart::Text { text: rest, part: name, stability: Stability::Volatile });
    parts
}

/// Returns the last texts of the system message, of the turns, and of the fixed, the per-run and the growing
/// zone, and in a conversation with tools those of the prompt and of the last message, without the first ones if
/// they are more than [`MAX_BREAKPOINTS`]. Other texts that follow a volatile part are not among them.
///
/// A zone of a stability ends before the first part that is less stable. The last turn is one of the ends,
/// since the next request may continue there; so are the prompt and the last result. Blank texts can't be
/// breakpoints.
fn breakpoints(messages: &[Message<'_>], has_tools: bool) -> Vec<Position> {
    let all = || {
        messages.iter().enumerate().flat_map(|(at, message)| {
            message.parts.iter().enumerate().map(move |(index, part)| ((at, index), part))
        })
    };
    let zone = |zone| all().take_while(move |(_, part)| part.stability() <= zone);
    let systems = usize::from(messages.first().is_some_and(|first| first.role == Role::System));
    let system = last_text(zone(Stability::Growing).filter(|((at, _), _)| *at < systems));
    let turns = last_text(zone(Stability::Growing).filter(|(_, part)| is_turn(part)));
    let zones = [Stability::Fixed, Stability::PerRun, Stability::Growing].map(zone).map(last_text);
    let prompt = last_text(all().filter(|(_, part)| !is_round(part)));
    let last = [prompt, last_text(all())].map(|end| end.filter(|_| has_tools));
    let mut ends: Vec<_> = [system, turns].into_iter().chain(zones).chain(last).flatten().collect();
    ends.sort_unstable();
    ends.dedup();
    ends.split_off(ends.len().saturating_sub(MAX_BREAKPOINTS))
}

fn last_text<'a>(parts: impl Iterator<Item = (Position, &'a MessagePart<'a>)>) -> Option<Position> {
    parts.filter(|(_, part)| has_text(part)).last().map(|(position, _)| position)
}

fn has_text(part: &MessagePart<'_>) -> bool {
    match part {
        MessagePart::Text { text, .. } => !is_blank(text),
        MessagePart::ToolResult { .. } => true,
        _ => false,
    }
}

fn has_round(message: &Message<'_>) -> bool {
    message.parts.iter().any(is_round)
}

fn is_round(part: &MessagePart<'_>) -> bool {
    matches!(
        part,
        MessagePart::Text { part: PartName::Rounds, .. }
            | MessagePart::ToolCall { .. }
            | MessagePart::ToolResult { .. }
    )
}

fn is_turn(part: &MessagePart<'_>) -> bool {
    matches!(part, MessagePart::Text { part: PartName::Turns, .. })
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Joins adjacent texts, except where the first one is a block of a growing text or ends at a breakpoint.
fn join_parts<'a>(
    parts: Vec<MessagePart<'a>>,
    has_breakpoints: bool,
    ids: &CallIds<'a>,
    is_breakpoint: impl Fn(usize) -> bool,
) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::with_capacity(parts.len());
    for (index, part) in parts.into_iter().enumerate() {
        let is_breakpoint = is_breakpoint(index);
        let content = match part {
            MessagePart::Text { text, stability, .. } => {
                let is_closed = is_breakpoint || has_breakpoints && stability == Stability::Growing;
                push_text(&mut blocks, text, is_breakpoint, is_closed);
                continue;
            }
            MessagePart::Image { image, .. } => BlockContent::Image(image),
            MessagePart::Document { document, .. } => BlockContent::Document(document),
            MessagePart::ToolCall { call, number } => {
                BlockContent::ToolCall { call, id: ids.get(number) }
            }
            MessagePart::ToolResult { call, number, result } => {
                BlockContent::ToolResult { call, id: ids.get(number), result }
            }
            _ => continue,
        };
        blocks.push(Block { content, is_breakpoint, is_closed: false });
    }
    // Blank blocks, which some vendors reject, are only left beside images and documents.
    if blocks.len() > 1 {
        blocks
            .retain(|block| !matches!(&block.content, BlockContent::Text(text) if is_blank(text)));
    }
    blocks
}

fn push_text<'a>(blocks: &mut Vec<Block<'a>>, text: &'a str, is_breakpoint: bool, is_closed: bool) {
    if let Some(last) = blocks.last_mut()
        && (!last.is_closed || is_blank(text))
        && let BlockContent::Text(joined) = &mut last.content
    {
        joined.to_mut().push_str(text);
        last.is_breakpoint |= is_breakpoint;
        last.is_closed |= is_closed;
        return;
    }
    let content = BlockContent::Text(Cow::Borrowed(text));
    blocks.push(Block { content, is_breakpoint, is_closed });
}
