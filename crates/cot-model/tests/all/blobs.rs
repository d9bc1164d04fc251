//! Images and documents as JSON, with their bytes and with references to blobs.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use cot_model::{
    Blob, BlobSet, Digest, Document, Image,
    internal::{collect_blobs, with_blobs},
};
use serde_json::{Value, json};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n then the pixels";
const GIF: &[u8] = b"GIF89a then the pixels";
const PDF: &[u8] = b"%PDF-1.7\n then the pages";

fn png() -> Image {
    Image::from_bytes(PNG).unwrap()
}

#[test]
fn media_serialize_with_their_bytes() {
    let gif = Image::from_bytes(GIF).unwrap();
    let json = serde_json::to_value(&gif).unwrap();
    let data = "R0lGODlhIHRoZW4gdGhlIHBpeGVscw==";
    assert_eq!(json, json!({ "mediaType": "image/gif", "data": data }));
    assert_eq!(serde_json::from_value::<Image>(json).unwrap(), gif);

    let text = Document::from_text("a,b").unwrap().with_media_type("text/csv").unwrap();
    let text = text.with_name("a.csv");
    let json = serde_json::to_value(&text).unwrap();
    assert_eq!(json, json!({ "mediaType": "text/csv", "name": "a.csv", "data": "YSxi" }));
    assert_eq!(serde_json::from_value::<Document>(json).unwrap(), text);

    // Images have no names.
    let named = json!({ "mediaType": "image/gif", "data": data, "name": "a.gif" });
    assert_eq!(serde_json::from_value::<Image>(named).unwrap(), gif);

    let url = Image::from_url("https://example.org/plan?id=1").unwrap();
    let json = serde_json::to_value(&url).unwrap();
    let expected = json!({ "mediaType": "image/*", "url": "https://example.org/plan?id=1" });
    assert_eq!(json, expected);
    assert_eq!(serde_json::from_value::<Image>(json).unwrap(), url);
}

fn read_error(json: Value) -> String {
    serde_json::from_value::<Image>(json).unwrap_err().to_string()
}

#[test]
fn media_from_files_are_checked() {
    let gif = "R0lGODlhIHRoZW4gdGhlIHBpeGVscw==";
    for (json, message) in [
        (json!({ "mediaType": "image/gif" }), "expected one of `data`, `blob` and `url`"),
        (
            json!({ "mediaType": "image/gif", "data": gif, "url": "https://example.org" }),
            "expected one of `data`, `blob` and `url`",
        ),
        (json!({ "mediaType": "image/gif", "data": "R0lG*" }), "the data are not base64"),
        (json!({ "mediaType": "image/gif", "data": "" }), "the image is empty"),
        (
            json!({ "mediaType": "image/png", "data": gif }),
            "the media type is `image/png`, but the bytes are `image/gif`",
        ),
        (
            json!({ "mediaType": "image/png", "url": "file:///etc/passwd" }),
            "the address `file:///etc/passwd` can't be used",
        ),
        (json!({ "mediaType": "image/png", "blob": "sha256:12" }), "a digest is `sha256:`"),
        (json!({ "data": gif }), "missing field `mediaType`"),
    ] {
        let error = read_error(json.clone());
        assert!(error.contains(message), "{json}: {error}");
    }
    let unsupported = json!({ "mediaType": "image/tiff", "url": "https://example.org" });
    assert!(read_error(unsupported).contains("`image/tiff` is not accepted"));
    let text = json!({ "mediaType": "text/plain", "data": "/w==" });
    let error = serde_json::from_value::<Document>(text).unwrap_err().to_string();
    assert!(error.contains("not UTF-8 from offset 0 on"), "{error}");
}

#[test]
fn in_a_scope_blobs_are_collected_once_and_looked_up_again() {
    let images = [png(), png(), Image::from_bytes(GIF).unwrap()];
    let (json, blobs) = collect_blobs(|| serde_json::to_value(&images).unwrap());
    let digest = Digest::from_bytes(PNG);
    let expected =
        json!({ "mediaType": "image/png", "blob": digest.to_string(), "bytes": PNG.len() });
    assert_eq!(json[0], expected);
    assert_eq!(blobs.iter().count(), 2);
    assert_eq!(blobs.get(digest).map(Blob::bytes), Some(PNG));

    let read = with_blobs(&blobs, || serde_json::from_value::<[Image; 3]>(json.clone()));
    assert_eq!(read.unwrap(), images);
    let error = serde_json::from_value::<[Image; 3]>(json).unwrap_err().to_string();
    assert_eq!(error, format!("the blob `{digest}` is missing"));
}

#[test]
fn a_blob_must_fit_what_refers_to_it() {
    let pdf = BlobSet::from_iter([Blob::new(PDF)]);
    let digest = Digest::from_bytes(PDF);
    let read = |json: Value| with_blobs(&pdf, || read_error(json));
    let error = read(json!({ "mediaType": "image/png", "blob": digest, "bytes": PDF.len() }));
    assert_eq!(
        error,
        "the media type is `image/png`, but the bytes do not begin with its signature"
    );
    let error = read(json!({ "mediaType": "image/png", "blob": digest, "bytes": 7 }));
    assert_eq!(error, format!("the blob `{digest}` has {} bytes instead of 7", PDF.len()));
}

#[test]
fn scopes_nest() {
    let gif = Image::from_bytes(GIF).unwrap();
    let ((inner_json, inner), outer) = collect_blobs(|| {
        let inner = collect_blobs(|| serde_json::to_value(&gif).unwrap());
        serde_json::to_value(png()).unwrap();
        inner
    });
    let digests = |blobs: &BlobSet| blobs.iter().map(Blob::digest).collect::<Vec<_>>();
    assert_eq!(digests(&inner), [Digest::from_bytes(GIF)]);
    assert_eq!(digests(&outer), [Digest::from_bytes(PNG)]);
    // Blobs of the outer scope are found in an inner one.
    let read = with_blobs(&inner, || {
        with_blobs(&outer, || serde_json::from_value::<Image>(inner_json.clone()))
    });
    assert_eq!(read.unwrap(), gif);
    // After the scopes, bytes are serialized again.
    assert!(serde_json::to_value(&gif).unwrap()["data"].is_string());
}

#[test]
fn a_panic_ends_its_scopes() {
    let blobs = BlobSet::from_iter([Blob::new(PNG)]);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        collect_blobs(|| with_blobs(&blobs, || panic!("while serializing")))
    }));
    assert!(panicked.is_err());
    assert!(serde_json::to_value(png()).unwrap()["data"].is_string());
    let reference = json!({ "mediaType": "image/png", "blob": Digest::from_bytes(PNG) });
    assert!(read_error(reference).contains("is missing"));
}

#[test]
fn a_scope_is_that_of_its_thread() {
    let (json, _) = collect_blobs(|| {
        std::thread::scope(|threads| threads.spawn(|| serde_json::to_value(png()).unwrap()).join())
    });
    assert!(json.unwrap()["data"].is_string());
}

#[test]
fn sets_of_blobs_serialize_with_their_bytes_or_in_a_scope_without() {
    let set = BlobSet::from_iter([Blob::new(PNG), Blob::new(GIF)]);
    let json = serde_json::to_value(&set).unwrap();
    let gif = Digest::from_bytes(GIF);
    assert_eq!(json[gif.to_string()], "R0lGODlhIHRoZW4gdGhlIHBpeGVscw==");
    assert_eq!(serde_json::from_value::<BlobSet>(json).unwrap(), set);

    let (json, blobs) = collect_blobs(|| serde_json::to_value(&set).unwrap());
    assert_eq!((&json[gif.to_string()], &blobs), (&Value::Null, &set));
    let mut read: BlobSet = serde_json::from_value(json).unwrap();
    assert_eq!(read.missing().count(), 2);
    assert!(read.get(gif).is_none());
    read.merge(blobs);
    assert_eq!((read.missing().count(), read == set), (0, true));
    // What is known stays known.
    read.merge(serde_json::from_value(json!({ gif.to_string(): null })).unwrap());
    assert_eq!(read, set);
}

#[test]
fn changed_and_unreadable_blobs_are_named() {
    let digest = Digest::from_bytes(GIF);
    let error = Blob::from_stored(digest, PNG).unwrap_err();
    assert_eq!((error.expected, error.found), (digest, Digest::from_bytes(PNG)));
    let text = error.to_string();
    assert!(text.starts_with(&format!("the blob `{digest}` was changed after it was stored")));
    let read = |json: Value| serde_json::from_value::<BlobSet>(json).unwrap_err().to_string();
    assert_eq!(read(json!({ digest.to_string(): "iVBORw0KGgo=" })).matches("sha256:").count(), 2);
    let error = read(json!({ digest.to_string(): "*" }));
    assert_eq!(error, format!("the blob `{digest}` is not base64"));
    assert!(read(json!({ "x": null })).contains("a digest is `sha256:` and 64"));
    for bad in ["", "sha256:", "SHA256:00", "sha256:0g"] {
        assert!(bad.parse::<Digest>().is_err(), "{bad}");
    }
    let upper = digest.to_string().to_uppercase().replace("SHA256", "sha256");
    assert!(upper.parse::<Digest>().is_err());
    assert_eq!(digest.to_string().parse(), Ok(digest));
    assert_eq!(format!("{:?}", Blob::new(GIF)), format!("Blob({digest}, {} bytes)", GIF.len()));
}

#[test]
fn digests_are_sha_256() {
    let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(Digest::from_bytes(b"abc").to_hex(), hex);
    assert_eq!(Digest::from_bytes(b"abc").short(), "ba7816bf8f01");
    assert_eq!(Digest::from_bytes(b"abc").to_string(), format!("sha256:{hex}"));
}
