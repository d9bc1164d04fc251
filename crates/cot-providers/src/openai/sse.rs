//! A parser for server-sent events in chunks of any size.

/// The byte order mark that a stream may begin with.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The state of the parser. Bytes are split only at line ends, so a character that is split between
/// chunks is restored.
#[derive(Debug, Default)]
pub(super) struct EventParser {
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    /// Whether the last line ended with a carriage return, so that a following line feed belongs to it.
    after_return: bool,
}

impl EventParser {
    /// Parses the next chunk and returns the data of each event that it completes.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) -> Vec<Vec<u8>> {
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

    /// Ends the stream and returns the data of the last event if no empty line ended it, complete or
    /// not.
    pub(super) fn rest(mut self) -> Option<Vec<u8>> {
        self.end_line().or(self.data)
    }

    /// Returns the number of buffered bytes of the incomplete event.
    pub(super) fn buffered_len(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    // An empty line ends an event; a line that begins with a colon is a comment; fields other than
    // `data` are ignored.
    fn end_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_prefix(MARK).unwrap_or(&line);
        if line.is_empty() {
            return self.data.take();
        }
        let said = line.strip_prefix(b"data")?;
        let said = match said.strip_prefix(b":") {
            Some(value) => value.strip_prefix(b" ").unwrap_or(value),
            None if said.is_empty() => said,
            None => return None,
        };
        match &mut self.data {
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(said);
            }
            None => self.data = Some(said.to_vec()),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a stream in chunks of `piece` bytes. Returns the events and the rest.
    fn read(stream: &str, piece: usize) -> (Vec<String>, Option<String>) {
        let text = |data: Vec<u8>| String::from_utf8(data).unwrap();
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
        assert_eq!(events.feed(b"\n\n"), [b"abc\nd"]);
        assert_eq!(events.buffered_len(), 0);
    }
}
