//! Shared parts of the requests: the blocks of messages, images and documents, and the checks before
//! anything is sent.

mod blocks;
mod checks;
mod media;
mod tools;

pub(crate) use blocks::{Block, BlockContent, BlockMessage, block_messages};
pub(crate) use checks::{check_media, check_settings, refuse_media};
pub(crate) use media::file_name;
#[cfg(any(feature = "anthropic", feature = "genai"))]
pub(crate) use media::in_base64;
#[cfg(feature = "openai")]
pub(crate) use media::media_url;
#[cfg(any(feature = "anthropic", feature = "genai"))]
pub(crate) use tools::plain_id;
#[cfg(any(feature = "genai", feature = "openai"))]
pub(crate) use tools::result_text;
pub(crate) use tools::tool_schema;
