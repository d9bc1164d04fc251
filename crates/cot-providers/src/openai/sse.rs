//! Server-sent events: finds what each event says in bytes that come in pieces of any size.

/// The byte order mark that a stream may begin with.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// What has come of an event that is not whole yet. The bytes are cut at line ends alone, so a
/// character that is split between two pieces is whole again.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    /// The last line ended with a carriage return; a line feed right after it belongs to it.
    after_return: bool,
}

impl Events {
    /// Takes the next piece, and gives the data of each event that it completes.
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

    /// What came of a last event that no empty line ended: all of it, or the beginning.
    pub(super) fn rest(mut self) -> Option<Vec<u8>> {
        self.end_line().or(self.data)
    }

    /// How many bytes wait for the rest of their event.
    pub(super) fn held(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    // An empty line ends an event; one that begins with a colon is a comment; other fields than
    // `data` are for browsers.
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

    /// Events as texts, and what is left, of a stream in pieces of so many bytes.
    fn read(stream: &str, piece: usize) -> (Vec<String>, Option<String>) {
        let text = |data: Vec<u8>| String::from_utf8(data).unwrap();
        let mut events = Events::default();
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
        let mut events = Events::default();
        assert!(events.feed(b"data: abc\ndata: d").is_empty());
        assert_eq!(events.held(), 3 + 7);
        assert_eq!(events.feed(b"\n\n"), [b"abc\nd"]);
        assert_eq!(events.held(), 0);
    }
}
