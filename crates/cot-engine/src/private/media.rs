//! Images and documents in templates: `image(x)` and `document(x)`.

use std::{collections::VecDeque, sync::Arc};

use cot_model::{Document, Image, Media, Stability};

use cot_template::PromptWriter;

/// The way in which a value of its own is shown.
#[derive(Debug)]
pub struct Plain;

/// The way in which the items of an iterator are shown.
#[derive(Debug)]
pub struct Iterated;

/// A value that a helper can show by reference: a medium `M`, an `Option`, or a list of them.
#[diagnostic::on_unimplemented(
    message = "expected `{M}`, found `{Self}` [COT0104]",
    label = "can't be shown by this helper",
    note = "`image(…)` shows an `Image` and `document(…)` a `Document`: one, an `Option`, a list or an iterator"
)]
pub trait ShowMedia<M> {
    /// Passes each medium to a function, in order.
    fn each(&self, show: &mut dyn FnMut(&M));
}

/// A value that a helper can show: a medium `M`, an `Option`, a list or an iterator of them. `Way` distinguishes
/// iterators.
#[diagnostic::on_unimplemented(
    message = "expected `{M}`, found `{Self}` [COT0104]",
    label = "can't be shown by this helper",
    note = "`image(…)` shows an `Image` and `document(…)` a `Document`: one, an `Option`, a list or an iterator"
)]
pub trait IntoMedia<M, Way> {
    /// Passes each medium to a function, in order.
    fn into_each(self, show: &mut dyn FnMut(&M));
}

#[diagnostic::do_not_recommend]
impl ShowMedia<Self> for Image {
    fn each(&self, show: &mut dyn FnMut(&Self)) {
        show(self);
    }
}

#[diagnostic::do_not_recommend]
impl ShowMedia<Self> for Document {
    fn each(&self, show: &mut dyn FnMut(&Self)) {
        show(self);
    }
}

#[diagnostic::do_not_recommend]
impl<M, T: ShowMedia<M> + ?Sized> ShowMedia<M> for &T {
    fn each(&self, show: &mut dyn FnMut(&M)) {
        (**self).each(show);
    }
}

#[diagnostic::do_not_recommend]
impl<M, T: ShowMedia<M> + ?Sized> ShowMedia<M> for Box<T> {
    fn each(&self, show: &mut dyn FnMut(&M)) {
        (**self).each(show);
    }
}

#[diagnostic::do_not_recommend]
impl<M, T: ShowMedia<M> + ?Sized> ShowMedia<M> for Arc<T> {
    fn each(&self, show: &mut dyn FnMut(&M)) {
        (**self).each(show);
    }
}

#[diagnostic::do_not_recommend]
impl<M, T: ShowMedia<M>> ShowMedia<M> for Option<T> {
    fn each(&self, show: &mut dyn FnMut(&M)) {
        self.iter().for_each(|item| item.each(show));
    }
}

#[diagnostic::do_not_recommend]
impl<M, T: ShowMedia<M>> ShowMedia<M> for [T] {
    fn each(&self, show: &mut dyn FnMut(&M)) {
        self.iter().for_each(|item| item.each(show));
    }
}

#[diagnostic::do_not_recommend]
impl<M, T: ShowMedia<M>, const LENGTH: usize> ShowMedia<M> for [T; LENGTH] {
    fn each(&self, show: &mut dyn FnMut(&M)) {
        self.iter().for_each(|item| item.each(show));
    }
}

#[diagnostic::do_not_recommend]
impl<M, T: ShowMedia<M>> ShowMedia<M> for Vec<T> {
    fn each(&self, show: &mut dyn FnMut(&M)) {
        self.iter().for_each(|item| item.each(show));
    }
}

#[diagnostic::do_not_recommend]
impl<M, T: ShowMedia<M>> ShowMedia<M> for VecDeque<T> {
    fn each(&self, show: &mut dyn FnMut(&M)) {
        self.iter().for_each(|item| item.each(show));
    }
}

#[diagnostic::do_not_recommend]
impl<M, T: ShowMedia<M>> IntoMedia<M, Plain> for T {
    fn into_each(self, show: &mut dyn FnMut(&M)) {
        self.each(show);
    }
}

#[diagnostic::do_not_recommend]
impl<M, I: Iterator<Item: ShowMedia<M>>> IntoMedia<M, Iterated> for I {
    fn into_each(self, show: &mut dyn FnMut(&M)) {
        self.for_each(|item| item.each(show));
    }
}

/// Writes the images of a place: `image(x)`. `fields` are the state fields that it is made of.
pub fn show_images<T: ShowMedia<Image> + ?Sized>(
    out: &mut PromptWriter,
    fields: &[&'static str],
    stability: Stability,
    value: &T,
) {
    show_media(out, fields, stability, value);
}

/// Writes the documents of a place: `document(x)`. `fields` are the state fields that it is made of.
pub fn show_documents<T: ShowMedia<Document> + ?Sized>(
    out: &mut PromptWriter,
    fields: &[&'static str],
    stability: Stability,
    value: &T,
) {
    show_media(out, fields, stability, value);
}

/// Writes the images of a value: `image(x)`. `fields` are the state fields that it is made of. The value is in
/// brackets, so that errors are reported at the template.
pub fn show_image_value<Way, T: IntoMedia<Image, Way>>(
    out: &mut PromptWriter,
    fields: &[&'static str],
    stability: Stability,
    [value]: [T; 1],
) {
    show_media(out, fields, stability, value);
}

/// Writes the documents of a value: `document(x)`. `fields` are the state fields that it is made of. The value is
/// in brackets, so that errors are reported at the template.
pub fn show_document_value<Way, T: IntoMedia<Document, Way>>(
    out: &mut PromptWriter,
    fields: &[&'static str],
    stability: Stability,
    [value]: [T; 1],
) {
    show_media(out, fields, stability, value);
}

fn show_media<M: Clone + Into<Media>, Way>(
    out: &mut PromptWriter,
    fields: &[&'static str],
    stability: Stability,
    value: impl IntoMedia<M, Way>,
) {
    let mut media = Vec::new();
    value.into_each(&mut |medium| media.push(medium.clone().into()));
    out.write_media(media, fields, stability);
}

#[cfg(test)]
mod tests {
    use cot_model::PartName;

    use super::*;

    fn image(name: &str) -> Image {
        Image::from_url(format!("https://a.b/{name}.png")).unwrap()
    }

    fn names(text: &str) -> Vec<&str> {
        text.split("a.b/").skip(1).filter_map(|rest| rest.get(..1)).collect()
    }

    #[track_caller]
    fn check<Way>(value: impl IntoMedia<Image, Way>, expected: &[&str]) {
        let mut out = PromptWriter::new(PartName::Prompt, 0);
        show_image_value(&mut out, &["photos"], Stability::PerRun, [value]);
        let text = out.into_request_text();
        assert_eq!(names(&text.text), expected, "{text:?}");
        assert_eq!(text.media.len(), expected.len());
        let shown = text.pieces.iter().filter(|piece| piece.is_media);
        assert_eq!(shown.count(), expected.len());
        assert!(text.pieces.iter().all(|piece| piece.stability == Stability::PerRun));
    }

    #[test]
    fn values_references_options_and_lists_are_shown() {
        let (a, b) = (image("a"), image("b"));
        let list = vec![a.clone(), b.clone()];
        let (reference, slice, some) = (&&a, &&list[..], Some(a.clone()));
        let nested = Some(vec![Some(a.clone()), None]);
        check(&a, &["a"]);
        check(reference, &["a"]);
        check(a.clone(), &["a"]);
        check(Arc::new(a.clone()), &["a"]);
        check(Some(&a), &["a"]);
        check(&some, &["a"]);
        check(None::<&Image>, &[]);
        check(&list, &["a", "b"]);
        check(slice, &["a", "b"]);
        check([&b, &a], &["b", "a"]);
        check(&nested, &["a"]);
        check(VecDeque::from([b.clone()]), &["b"]);
        check(list.iter().rev(), &["b", "a"]);
        check(list.iter().filter(|image| image.len().is_none()), &["a", "b"]);
        check(list.clone().into_iter(), &["a", "b"]);
        check(vec![list.clone(), vec![b]], &["a", "b", "b"]);
    }

    #[test]
    fn places_are_shown_by_reference() {
        let document = Document::from_text("the text").unwrap();
        let mut out = PromptWriter::new(PartName::Intro, 0);
        show_documents(&mut out, &[], Stability::Fixed, &Some(document.clone()));
        assert_eq!(out.into_request_text().media, [Media::Document(document)]);
    }
}
