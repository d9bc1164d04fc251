//! A reader of lines of a bounded length.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, ReadBuf};

use super::link::Link;

/// Reads the messages of a server, one a line, and fails at the first that is longer than the limit.
pub(crate) struct LimitedLines<R> {
    reader: R,
    link: Arc<Link>,
    limit: usize,
    /// The length of the line that is being read.
    line: usize,
}

impl<R> LimitedLines<R> {
    pub(crate) const fn new(reader: R, limit: usize, link: Arc<Link>) -> Self {
        Self { reader, link, limit, line: 0 }
    }

    /// Counts bytes that were read, and returns whether all lines are within the limit.
    fn count(&mut self, bytes: &[u8]) -> bool {
        let mut lines = bytes.split(|byte| *byte == b'\n');
        // The first one continues the line that is being read.
        self.line += lines.next().map_or(0, <[u8]>::len);
        let mut is_within = self.line <= self.limit;
        for line in lines {
            self.line = line.len();
            is_within &= self.line <= self.limit;
        }
        is_within
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for LimitedLines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.reader).poll_read(cx, buffer))?;
        if self.count(&buffer.filled()[before..]) {
            return Poll::Ready(Ok(()));
        }
        // A read that fails fills nothing.
        buffer.set_filled(before);
        self.link.refuse_long_message();
        Poll::Ready(Err(io::Error::other("the message is too long")))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    async fn read(text: &str, limit: usize) -> (String, bool) {
        let link = Arc::new(Link::default());
        let mut lines = LimitedLines::new(text.as_bytes(), limit, Arc::clone(&link));
        let mut all = String::new();
        // The error of a line that is too long is in the link as well.
        let _ = lines.read_to_string(&mut all).await;
        (all, link.has_refused_long_message())
    }

    #[tokio::test]
    async fn lines_are_limited_and_not_the_whole() {
        assert_eq!(read("abc\ndef\n\nab", 3).await, ("abc\ndef\n\nab".into(), false));
        assert!(read("abc\ndefg\n", 3).await.1);
        assert!(read(&"a".repeat(100_000), 99_999).await.1);
        assert!(!read(&"aaaaaaaaa\n".repeat(100_000), 9).await.1);
    }
}
