//! Images and documents: what they accept and how they are shown.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

use std::collections::HashSet;

use cot_model::{
    AcceptedMedia, Blob, Digest, Document, Image, Media, MediaError, MediaKind, MediaSource,
    ModelRequest, UrlProblem,
};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n then the pixels";
const JPEG: &[u8] = b"\xff\xd8\xff\xe0 then the pixels";
const GIF: &[u8] = b"GIF89a then the pixels";
const WEBP: &[u8] = b"RIFF\x24\0\0\0WEBPVP8 then the pixels";
const PDF: &[u8] = b"%PDF-1.7\n then the pages";

fn png() -> Image {
    Image::from_bytes(PNG).unwrap()
}

fn image_error(bytes: &[u8]) -> MediaError {
    Image::from_bytes(bytes).unwrap_err()
}

fn url_problem(url: &str) -> UrlProblem {
    match Image::from_url(url).unwrap_err() {
        MediaError::InvalidUrl { problem, .. } => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn images_are_detected_by_their_signature() {
    let old_gif = b"GIF87a then the pixels".as_slice();
    for (bytes, media_type) in [
        (PNG, "image/png"),
        (JPEG, "image/jpeg"),
        (GIF, "image/gif"),
        (old_gif, "image/gif"),
        (WEBP, "image/webp"),
    ] {
        let image = Image::from_bytes(bytes).unwrap();
        assert_eq!(image.media_type(), media_type);
        assert_eq!(image.source(), MediaSource::Bytes(bytes));
        assert_eq!(image.len(), Some(bytes.len()));
    }
}

#[test]
fn bytes_that_are_no_image_are_refused() {
    assert_eq!(image_error(b""), MediaError::Empty { kind: MediaKind::Image });
    for bytes in [PDF, b"\x89PNG", b"RIFF\x24\0\0\0WAVEfmt ", b"<svg></svg>"] {
        let error = image_error(bytes);
        assert_eq!(error, MediaError::UnknownSignature { kind: MediaKind::Image });
        let text = "the bytes are of no accepted media type: images are `image/png`, `image/jpeg`, \
            `image/gif`, `image/webp`";
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn images_and_documents_have_a_maximum_size() {
    let mut bytes = GIF.to_vec();
    bytes.resize(Image::MAX_BYTES, 0);
    assert_eq!(Image::from_bytes(&bytes).unwrap().len(), Some(20 << 20));
    bytes.push(0);
    let (kind, max) = (MediaKind::Image, Image::MAX_BYTES);
    assert_eq!(image_error(&bytes), MediaError::TooLarge { kind, bytes: max + 1, max });
    assert_eq!(
        image_error(&bytes).to_string(),
        "the image has 20971521 bytes, but at most 20971520 are accepted"
    );

    let mut text = " ".repeat(Document::MAX_BYTES);
    assert_eq!(Document::from_text(&text).unwrap().len(), Some(32 << 20));
    text.push(' ');
    let (kind, max) = (MediaKind::Document, Document::MAX_BYTES);
    let error = Document::from_text(&text).unwrap_err();
    assert_eq!(error, MediaError::TooLarge { kind, bytes: max + 1, max });
}

#[test]
fn documents_are_checked_against_their_media_type() {
    let pdf = Document::from_bytes("application/pdf", PDF).unwrap();
    assert_eq!((pdf.media_type(), pdf.text()), ("application/pdf", None));
    for media_type in ["text/plain", "text/markdown", "text/html", "text/csv"] {
        let text = Document::from_bytes(media_type, "Grüße").unwrap();
        assert_eq!((text.media_type(), text.text()), (media_type, Some("Grüße")));
        let error = Document::from_bytes(media_type, b"Gr\xfc\xdfe").unwrap_err();
        assert_eq!(error, MediaError::NotUtf8 { media_type, offset: 2 });
    }
    let error = Document::from_bytes("application/pdf", "a text").unwrap_err();
    assert_eq!(error, MediaError::WrongSignature { media_type: "application/pdf", found: None });
    let text = "the media type is `application/pdf`, but the bytes do not begin with its signature";
    assert_eq!(error.to_string(), text);
    let error = Document::from_bytes("application/msword", "a text").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the media type `application/msword` is not accepted: documents are `application/pdf`, \
         `text/plain`, `text/markdown`, `text/html`, `text/csv`"
    );
    assert_eq!(
        Document::from_text("").unwrap_err(),
        MediaError::Empty { kind: MediaKind::Document }
    );
}

#[test]
fn media_types_are_read_without_case_and_parameters() {
    let text = Document::from_bytes("Text/CSV; charset=UTF-8", "a,b").unwrap();
    assert_eq!(text.media_type(), "text/csv");
    let jpeg = Image::from_bytes(JPEG).unwrap().with_media_type("image/jpg").unwrap();
    assert_eq!(jpeg.media_type(), "image/jpeg");
    let markdown = Document::from_text("# Title").unwrap().with_media_type("text/markdown");
    assert_eq!(markdown.unwrap().media_type(), "text/markdown");
}

#[test]
fn a_media_type_that_is_not_that_of_the_bytes_is_refused() {
    let error = png().with_media_type("image/jpeg").unwrap_err();
    let found = Some("image/png");
    assert_eq!(error, MediaError::WrongSignature { media_type: "image/jpeg", found });
    assert_eq!(error.to_string(), "the media type is `image/jpeg`, but the bytes are `image/png`");
    assert!(matches!(
        png().with_media_type("application/pdf"),
        Err(MediaError::UnsupportedType { kind: MediaKind::Image, .. })
    ));
    assert!(matches!(
        Document::from_text("a text").unwrap().with_media_type("application/pdf"),
        Err(MediaError::WrongSignature { .. })
    ));
}

#[test]
fn addresses_have_the_media_type_of_their_ending() {
    for (url, media_type) in [
        ("https://example.org/a/plan.PNG", "image/png"),
        ("HTTP://example.org/photo.jpg?size=2#top", "image/jpeg"),
        ("https://example.org/photo.jpeg", "image/jpeg"),
        ("https://example.org:8080/a.b/moving.gif", "image/gif"),
        ("https://example.org/x.webp", "image/webp"),
        ("https://example.org", "image/*"),
        ("https://example.org/photo?file=x.png", "image/*"),
        ("https://example.png/", "image/*"),
    ] {
        let image = Image::from_url(url).unwrap();
        assert_eq!(image.media_type(), media_type, "{url}");
        assert_eq!(image.source(), MediaSource::Url(url));
        assert_eq!((image.len(), image.digest()), (None, None));
    }
    for (url, media_type) in [
        ("https://example.org/a.txt", "text/plain"),
        ("https://example.org/a.md", "text/markdown"),
        ("https://example.org/a.html", "text/html"),
        ("https://example.org/a.csv", "text/csv"),
        ("https://example.org/a.pdf", "application/pdf"),
        ("https://example.org/pdf/2401.00001", "application/pdf"),
    ] {
        let document = Document::from_url(url).unwrap();
        assert_eq!((document.media_type(), document.text()), (media_type, None), "{url}");
    }
    let image = Image::from_url("https://example.org/photo").unwrap();
    let image = image.with_media_type("image/webp").unwrap();
    assert_eq!(image.media_type(), "image/webp");
    assert!(matches!(image.with_media_type("image/tiff"), Err(MediaError::UnsupportedType { .. })));
}

#[test]
fn addresses_that_no_engine_can_read_are_refused() {
    for (url, problem) in [
        ("", UrlProblem::Scheme),
        ("plan.png", UrlProblem::Scheme),
        ("file:///etc/passwd", UrlProblem::Scheme),
        ("ftp://example.org/plan.png", UrlProblem::Scheme),
        ("https://", UrlProblem::Host),
        ("https:///plan.png", UrlProblem::Host),
        ("https://:80/plan.png", UrlProblem::Host),
        ("https://example.org/a plan.png", UrlProblem::Character),
        ("https://example.org/plan.png\n", UrlProblem::Character),
        ("https://me:secret@example.org/plan.png", UrlProblem::Credentials),
        ("data:image/png;base64", UrlProblem::NoData),
        ("data:;base64,AAAA", UrlProblem::NoMediaType),
        ("data:,text", UrlProblem::NoMediaType),
        ("data:image/png,%8", UrlProblem::PercentEncoding),
        ("data:image/png,%+1", UrlProblem::PercentEncoding),
    ] {
        assert_eq!(url_problem(url), problem, "{url}");
    }
    let long = format!("https://example.org/{}", "a".repeat(8192));
    assert_eq!(url_problem(&long), UrlProblem::TooLong { max: 8192 });
    let error = Image::from_url("ftp://example.org/a.png?key=secret").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the address `ftp://example.org/a.png` can't be used: it must begin with `http://`, \
         `https://` or `data:`"
    );
    let error = Image::from_url("https://me:secret@example.org/plan.png").unwrap_err();
    assert!(!error.to_string().contains("secret"), "{error}");
    assert!(Image::from_url(&long).unwrap_err().to_string().len() < 300);
}

#[test]
fn data_addresses_are_decoded() {
    let image = Image::from_url("data:image/gif;base64,R0lGODlhIHRoZW4gdGhlIHBpeGVscw==").unwrap();
    assert_eq!(image, Image::from_bytes(GIF).unwrap());
    let unpadded = Image::from_url("DATA:image/gif;base64,R0lGODlhIHRoZW4gdGhlIHBpeGVscw").unwrap();
    assert_eq!(unpadded, image);
    let escaped =
        Image::from_url("data:image/gif;base64,R0lGODlhIHRoZW4gdGhlIHBpeGVscw%3D%3D").unwrap();
    assert_eq!(escaped, image);
    let text = Document::from_url("data:text/plain;charset=utf-8,Gr%C3%BC%C3%9Fe, world").unwrap();
    assert_eq!((text.media_type(), text.text()), ("text/plain", Some("Grüße, world")));

    let error = Image::from_url("data:image/png;base64,R0lG_").unwrap_err();
    assert_eq!(error, MediaError::NotBase64);
    assert_eq!(error.to_string(), "the data are not base64");
    let error = Image::from_url("data:image/png;base64,R0lGODlh").unwrap_err();
    let found = Some("image/gif");
    assert_eq!(error, MediaError::WrongSignature { media_type: "image/png", found });
    let error = Image::from_url("data:text/plain,text").unwrap_err();
    assert!(matches!(error, MediaError::UnsupportedType { .. }));
    let error = Image::from_url("data:image/png;base64,").unwrap_err();
    assert_eq!(error, MediaError::Empty { kind: MediaKind::Image });
}

#[test]
fn the_name_of_a_document_is_one_bounded_line() {
    let document = Document::from_text("a text").unwrap();
    assert_eq!(document.name(), None);
    assert_eq!(document.clone().with_name("terms.txt").name(), Some("terms.txt"));
    assert_eq!(document.clone().with_name("a\r\nb\0.txt").name(), Some("ab.txt"));
    let long = document.clone().with_name("ü".repeat(200));
    assert_eq!(long.name().map(str::len), Some(254));
    assert_eq!(document.with_name("").name(), None);
}

#[test]
fn clones_and_equal_bytes_are_equal() {
    let image = png();
    let digest = "sha256:"; // The form of all digests.
    assert!(image.digest().unwrap().to_string().starts_with(digest));
    assert_eq!(image.digest(), Some(Digest::from_bytes(PNG)));
    assert_eq!(image, image.clone());
    assert_ne!(image, Image::from_bytes(GIF).unwrap());
    assert_eq!(HashSet::from([image.clone(), image.clone(), png()]).len(), 1);
    let (MediaSource::Bytes(one), MediaSource::Bytes(other)) = (image.source(), image.source())
    else {
        panic!("{image}");
    };
    assert_eq!(one.as_ptr(), other.as_ptr());
    let copy = image.clone();
    let MediaSource::Bytes(shared) = copy.source() else { panic!("{copy}") };
    assert_eq!(one.as_ptr(), shared.as_ptr());
    let text = || Document::from_text("a text").unwrap();
    assert_eq!(text(), text());
    assert_ne!(text(), text().with_name("a.txt"));
    assert_ne!(text(), text().with_media_type("text/markdown").unwrap());
}

#[test]
fn media_can_be_sent_to_other_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<(Image, Document, Media, Blob, MediaError)>();
}

#[test]
fn no_form_of_display_shows_bytes_or_the_query_of_an_address() {
    let short = Digest::from_bytes(PNG).short();
    assert_eq!(short.len(), 12);
    assert_eq!(png().placeholder(), format!("[image image/png, 24 bytes, {short}]"));
    assert_eq!(png().to_string(), format!("image/png, 24 bytes, {short}"));
    assert_eq!(format!("{:?}", png()), format!("Image(image/png, 24 bytes, {short})"));
    let media = Media::from(png());
    assert_eq!(media.placeholder(), png().placeholder());
    let source = format!("{:?}", png().source());
    assert_eq!(source, "Bytes(24 bytes)");

    let document = Document::from_text("a secret text").unwrap().with_name("a.txt");
    let short = document.digest().unwrap().short();
    assert_eq!(document.placeholder(), format!("[document text/plain, 13 bytes, {short}]"));
    assert_eq!(format!("{document:?}"), format!("Document(text/plain, 13 bytes, {short})"));

    let image = Image::from_url("https://example.org/plan.png").unwrap();
    assert_eq!(image.placeholder(), "[image image/png, https://example.org/plan.png]");
    let signed = |key| Image::from_url(format!("https://example.org/plan.png?key={key}")).unwrap();
    let (one, other) = (signed("k1").placeholder(), signed("k2").placeholder());
    assert!(one.starts_with("[image image/png, https://example.org/plan.png… "), "{one}");
    assert_ne!(one, other);
    assert!(!format!("{one}{:?}{:?}", signed("k1"), signed("k1").source()).contains("k1"));
    let long = Image::from_url(format!("https://example.org/{}", "a".repeat(5000))).unwrap();
    assert!(long.placeholder().len() < 300);
}

#[test]
fn requests_show_placeholders() {
    let request = ModelRequest::new("Look: ").append_media(png().into());
    assert_eq!(request.prompt(), format!("Look: {}", png().placeholder()));
    let json = serde_json::to_string(&request).unwrap();
    assert_eq!(serde_json::from_str::<ModelRequest>(&json).unwrap(), request);
}

#[test]
fn engines_accept_what_they_say() {
    let (image, document) = (Media::from(png()), Media::from(Document::from_text("a").unwrap()));
    assert!(!AcceptedMedia::NONE.accepts(&image) && !AcceptedMedia::NONE.accepts(&document));
    assert!(AcceptedMedia::IMAGES.accepts(&image) && !AcceptedMedia::IMAGES.accepts(&document));
    assert!(AcceptedMedia::ALL.accepts(&image) && AcceptedMedia::ALL.accepts(&document));
    assert_eq!((image.kind(), document.kind()), (MediaKind::Image, MediaKind::Document));
}
