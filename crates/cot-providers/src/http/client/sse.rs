//! A parser for server-sent events in chunks of any size.

/// The byte order mark that a stream may begin with.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// An event of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The data of an event.
    Data(Vec<u8>),
    /// The data of an event with the name `error`, or the value of a field `error`, which is in no standard.
    Error(Vec<u8>),
}

/// The state of the parser. Bytes are split only at line ends, so a character that is split between
/// chunks is restored.
#[derive(Debug, Default)]
pub(super) struct EventParser {
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    is_error: bool,
    /// Whether the last line ended with a carriage return, so that a following line feed belongs to it.
    after_return: bool,
}

impl EventParser {
    /// Parses the next chunk and returns each event that it completes.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) -> Vec<Event> {
        let mut complete = Vec::new();
        if self.after_return && !bytes.is_empty() {
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            self.after_return = false;
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, rest) = bytes.split_at(end);
            self.line.extend_from_slice(line);
            complete.extend(self.end_line());
            self.after_return = rest == b"\r";
            let line_end: &[u8] = if rest.starts_with(b"\r\n") { b"\r\n" } else { &rest[..1] };
            bytes = rest.strip_prefix(line_end).unwrap_or_default();
        }
        self.line.extend_from_slice(bytes);
        complete
    }

    /// Ends the stream and returns the last event if no empty line ended it, complete or not.
    pub(super) fn rest(mut self) -> Option<Event> {
        self.end_line().or_else(|| self.end_event())
    }

    /// Returns the number of buffered bytes of the incomplete event.
    pub(super) fn buffered_len(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    // An empty line ends an event; a line that begins with a colon is a comment.
    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_prefix(MARK).unwrap_or(&line);
        if line.is_empty() {
            return self.end_event();
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.strip_prefix(b":").unwrap_or(value);
        self.take_field(name, value.strip_prefix(b" ").unwrap_or(value));
        None
    }

    fn take_field(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"event" => self.is_error = value == b"error",
            b"data" => self.extend(value),
            b"error" => {
                self.is_error = true;
                self.extend(value);
            }
            _ => {}
        }
    }

    fn extend(&mut self, value: &[u8]) {
        match &mut self.data {
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            None => self.data = Some(value.to_vec()),
        }
    }

    fn end_event(&mut self) -> Option<Event> {
        let is_error = std::mem::take(&mut self.is_error);
        let data = self.data.take()?;
        Some(if is_error { Event::Error(data) } else { Event::Data(data) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a stream in chunks of `piece` bytes. Returns the events and the rest.
    fn read(stream: &str, piece: usize) -> (Vec<String>, Option<String>) {
        let text = |event: Event| match event {
            Event::Data(data) => String::from_utf8(data).unwrap(),
            Event::Error(data) => format!("!{}", String::from_utf8(data).unwrap()),
        };
        let mut events = EventParser::default();
        let pieces = stream.as_bytes().chunks(piece);
        let complete = pieces.flat_map(|piece| events.feed(piece)).map(text).collect();
        (complete, events.rest().map(text))
    }

    #[test]
    fn events_are_found_however_the_stream_is_cut() {
        for (stream, expected, rest) in [
            ("data: a\n\ndata:b\n\ndata:  c\n\n", &["a", "b", " c"][..], None),
            ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", &["a", "b", "c"], None),
            ("data: {\ndata:  1\ndata\ndata: }\n\n", &["{\n 1\n\n}"], None),
            (": ping\n\n:\n\nevent: x\nid: 1\ndata: a\nretry: 9\n\n", &["a"], None),
            ("\u{feff}data: é€😀\n\n\n\n", &["é€😀"], None),
            ("database: a\ndat\ndata a\n\n", &[], None),
            ("data:\n\ndata: \n\n", &["", ""], None),
            ("data: a\n\ndata: b\n", &["a"], Some("b")),
            ("data: a\n\ndata: b\ndata: c", &["a"], Some("b\nc")),
            ("data: a\n\nevent: b", &["a"], None),
            ("event: error\ndata: a\n\ndata: b\n\n", &["!a", "b"], None),
            ("event: error\n\ndata: a\n\n", &["a"], None),
            ("error: {}\n\ndata: b\n\n", &["!{}", "b"], None),
            ("error: a", &[], Some("!a")),
            ("", &[], None),
        ] {
            for piece in 1..=stream.len().max(1) {
                let (complete, left) = read(stream, piece);
                assert_eq!(
                    (complete.as_slice(), left.as_deref()),
                    (&expected.iter().map(|e| (*e).to_owned()).collect::<Vec<_>>()[..], rest),
                    "{stream:?} in {piece}s"
                );
            }
        }
    }

    #[test]
    fn what_is_held_is_counted() {
        let mut events = EventParser::default();
        assert!(events.feed(b"data: abc\ndata: d").is_empty());
        assert_eq!(events.buffered_len(), 3 + 7);
        assert_eq!(events.feed(b"\n\n"), [Event::Data(b"abc\nd".to_vec())]);
        assert_eq!(events.buffered_len(), 0);
    }
}
