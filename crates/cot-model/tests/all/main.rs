//! Media, blobs and tools of requests.

mod blobs;
mod media;
mod tools;
