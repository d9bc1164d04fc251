//! The serialized form of images and documents.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;

use crate::{
    blobs::{digest::Digest, scope, set::BlobSet},
    media::{
        content::{Content, Source},
        error::MediaError,
        kind::MediaKind,
        url::check_url,
    },
};

/// The JSON of an image or a document: with its bytes, with a reference to them, or with an address.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Media", rename_all = "camelCase")]
struct StoredMedia {
    media_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The bytes in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<String>,
    /// The digest of the bytes, which are stored elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blob: Option<Digest>,
    /// The number of these bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

/// Puts the bytes of images and documents in the place of the references to them, in any JSON.
pub fn inline_blobs(json: &mut Value, blobs: &BlobSet) {
    if let Some(media) = inlined(json, blobs) {
        *json = media;
        return;
    }
    match json {
        Value::Array(items) => items.iter_mut().for_each(|item| inline_blobs(item, blobs)),
        Value::Object(members) => {
            members.values_mut().for_each(|member| inline_blobs(member, blobs));
        }
        _ => {}
    }
}

fn inlined(json: &Value, blobs: &BlobSet) -> Option<Value> {
    let mut stored = StoredMedia::deserialize(json).ok()?;
    let (digest, _) = (stored.blob.take()?, stored.bytes.take()?);
    stored.data = Some(BASE64_STANDARD.encode(blobs.get(digest)?.bytes()));
    serde_json::to_value(stored).ok()
}

impl Content {
    pub(super) fn store<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut stored = StoredMedia {
            media_type: self.media_type.to_owned(),
            name: self.name.as_deref().map(str::to_owned),
            data: None,
            blob: None,
            bytes: None,
            url: None,
        };
        match &self.source {
            Source::Bytes(blob) if scope::collect(blob) => {
                (stored.blob, stored.bytes) = (Some(blob.digest()), Some(blob.bytes().len()));
            }
            Source::Bytes(blob) => stored.data = Some(BASE64_STANDARD.encode(blob.bytes())),
            Source::Url(url) => stored.url = Some(url.to_string()),
        }
        stored.serialize(serializer)
    }

    pub(super) fn read<'de, D: Deserializer<'de>>(
        kind: MediaKind,
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let stored = StoredMedia::deserialize(deserializer)?;
        let media_type = &stored.media_type;
        let content = match (&stored.data, stored.blob, &stored.url) {
            (Some(data), None, None) => {
                let bytes = BASE64_STANDARD.decode(data).map_err(|_| MediaError::NotBase64);
                let content = bytes.and_then(|it| Self::from_bytes(kind, Some(media_type), &it));
                content.map_err(D::Error::custom)?
            }
            (None, Some(digest), None) => {
                let Some(blob) = scope::find(digest) else {
                    return Err(D::Error::custom(format_args!("the blob `{digest}` is missing")));
                };
                let found = blob.bytes().len();
                if let Some(bytes) = stored.bytes.filter(|bytes| *bytes != found) {
                    return Err(D::Error::custom(format_args!(
                        "the blob `{digest}` has {found} bytes instead of {bytes}"
                    )));
                }
                Self::from_blob(kind, media_type, blob).map_err(D::Error::custom)?
            }
            (None, None, Some(url)) => {
                let media_type = check_url(url).and_then(|_| kind.find_url_type(media_type));
                let media_type = media_type.map_err(D::Error::custom)?;
                Self { media_type, name: None, source: Source::Url(url.as_str().into()) }
            }
            _ => return Err(D::Error::custom("expected one of `data`, `blob` and `url`")),
        };
        Ok(match &stored.name {
            Some(name) if kind == MediaKind::Document => content.with_name(name),
            _ => content,
        })
    }
}
