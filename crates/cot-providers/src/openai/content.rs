//! The messages of a request to the chat completions API.

use std::borrow::Cow;

use cot_model::{Document, Image, ModelRequest, Role};
use serde::Serialize;

use crate::request::{Block, BlockContent, block_messages, file_name, media_url};

/// A message of a request.
#[derive(Serialize)]
pub(super) struct SentMessage<'a> {
    role: Role,
    content: SentContent<'a>,
}

/// The content of a message. Many servers accept text alone only as a string.
#[derive(Serialize)]
#[serde(untagged)]
enum SentContent<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<SentPart<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum SentPart<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheMark>,
    },
    ImageUrl {
        image_url: ImageUrl<'a>,
    },
    File {
        file: File<'a>,
    },
}

/// Anthropic's mark of a prefix to cache, which proxies pass on.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum CacheMark {
    Ephemeral,
}

#[derive(Serialize)]
struct ImageUrl<'a> {
    url: Cow<'a, str>,
}

#[derive(Serialize)]
struct File<'a> {
    filename: Cow<'a, str>,
    file_data: Cow<'a, str>,
}

/// Returns the messages of a request, with the marks of a prompt cache if `breakpoints` is set.
pub(super) fn sent_messages(
    request: &ModelRequest,
    with_format: bool,
    breakpoints: bool,
) -> Vec<SentMessage<'_>> {
    let messages = block_messages(request, with_format, breakpoints).into_iter();
    let sent = messages.map(|message| (message.role, SentContent::new(message.blocks)));
    sent.map(|(role, content)| SentMessage { role, content }).collect()
}

impl<'a> SentContent<'a> {
    fn new(mut blocks: Vec<Block<'a>>) -> Self {
        match blocks.pop() {
            Some(Block { content: BlockContent::Text(text), is_breakpoint: false, .. })
                if blocks.is_empty() =>
            {
                Self::Text(text)
            }
            last => Self::Parts(blocks.into_iter().chain(last).map(SentPart::new).collect()),
        }
    }
}

impl<'a> SentPart<'a> {
    fn new(block: Block<'a>) -> Self {
        match block.content {
            BlockContent::Text(text) => {
                let cache_control = block.is_breakpoint.then_some(CacheMark::Ephemeral);
                Self::Text { text, cache_control }
            }
            BlockContent::Image(image) => Self::ImageUrl { image_url: ImageUrl::new(image) },
            BlockContent::Document(document) => Self::File { file: File::new(document) },
        }
    }
}

impl<'a> ImageUrl<'a> {
    fn new(image: &'a Image) -> Self {
        Self { url: media_url(image.media_type(), image.source()) }
    }
}

impl<'a> File<'a> {
    fn new(document: &'a Document) -> Self {
        let file_data = media_url(document.media_type(), document.source());
        Self { filename: file_name(document), file_data }
    }
}
