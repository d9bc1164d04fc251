//! Text and shapes of a picture.

/// The width of a character of the monospaced fonts, as a share of their size.
const CHARACTER: f64 = 0.602;

/// A picture that grows while it is drawn.
#[derive(Debug)]
pub(super) struct Picture {
    width: f64,
    height: f64,
    style: &'static str,
    body: String,
}

impl Picture {
    /// Starts a picture.
    pub(super) const fn new(width: f64, style: &'static str) -> Self {
        Self { width, height: 0.0, style, body: String::new() }
    }

    /// Adds an element that ends at a height.
    pub(super) fn add(&mut self, element: &str, bottom: f64) {
        self.body += element;
        self.body.push('\n');
        self.height = self.height.max(bottom);
    }

    /// Adds a line of text; `attributes` has its class and more.
    pub(super) fn text(&mut self, (x, y): (f64, f64), attributes: &str, text: &str) {
        let text = escaped(text);
        let element = format!(
            r#"<text x="{x:.1}" y="{y:.1}" xml:space="preserve" {attributes}>{text}</text>"#
        );
        self.add(&element, y);
    }

    /// Adds a rectangle with rounded corners.
    pub(super) fn rectangle(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        class: &str,
    ) {
        let element = format!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="6" class="{class}"/>"#
        );
        self.add(&element, y + height);
    }

    /// Returns the picture, on a panel, with a title for those who can't see it.
    pub(super) fn finish(self, title: &str, margin: f64) -> String {
        let (width, height) = (self.width, self.height + margin);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n<style>{}</style>\n\
             <rect width=\"{width:.0}\" height=\"{height:.0}\" rx=\"8\" class=\"panel\"/>\n{}</svg>\n",
            escaped(title),
            self.style,
            self.body
        )
    }
}

/// Returns the width of so many characters of a monospaced font.
pub(super) fn columns(count: u16, size: f64) -> f64 {
    f64::from(count) * CHARACTER * size
}

/// Breaks a line at spaces and behind commas; what follows is indented.
pub(super) fn wrapped(line: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split_inclusive([' ', ',']) {
        let last = lines.last().map_or(0, |last| last.chars().count());
        if last > 2 && last + word.trim_end().chars().count() > columns {
            lines.push("  ".to_owned());
        }
        if let Some(last) = lines.last_mut() {
            last.push_str(word);
        }
    }
    lines
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
