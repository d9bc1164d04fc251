//! The serialized form of a set of blobs.

use std::collections::BTreeMap;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::blobs::{blob::Blob, digest::Digest, scope::collect, set::BlobSet};

impl Serialize for BlobSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = |blob: &Blob| (!collect(blob)).then(|| BASE64_STANDARD.encode(blob.bytes()));
        let entries = self.0.iter().map(|(digest, blob)| (digest, blob.as_ref().and_then(stored)));
        serializer.collect_map(entries)
    }
}

impl<'de> Deserialize<'de> for BlobSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = BTreeMap::<Digest, Option<String>>::deserialize(deserializer)?;
        let read = |(digest, data): (Digest, Option<String>)| {
            let Some(data) = data else { return Ok((digest, None)) };
            let unreadable =
                |_| D::Error::custom(format_args!("the blob `{digest}` is not base64"));
            let bytes = BASE64_STANDARD.decode(data).map_err(unreadable)?;
            let blob = Blob::from_stored(digest, bytes).map_err(D::Error::custom)?;
            Ok((digest, Some(blob)))
        };
        stored.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }
}
