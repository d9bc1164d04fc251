//! A server that is a program, and speaks over its standard input and output.

use std::{io, process::Stdio, sync::Arc, time::Duration};

use rmcp::{
    RoleClient,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use tokio::{
    io::AsyncReadExt,
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
};

use super::{group, limited::LimitedLines, link::Link};
use crate::clock::{wait, within};

/// The time that a program has to end after its standard input was closed, and again after it was asked to.
/// Then it is killed.
const GRACE: Duration = Duration::from_secs(2);

/// A program that runs until the transport is closed or dropped.
pub(crate) struct ChildTransport {
    lines: AsyncRwTransport<RoleClient, LimitedLines<ChildStdout>, ChildStdin>,
    /// Killed when it is dropped, and reaped by the runtime.
    child: Child,
}

impl ChildTransport {
    /// Starts the program. Messages that are longer than the limit close the connection.
    pub(crate) fn spawn(
        command: &mut Command,
        max_message: usize,
        link: &Arc<Link>,
    ) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = group::spawn(command)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the program has no standard input and output"));
        };
        if let Some(errors) = child.stderr.take() {
            tokio::spawn(keep_end(errors, Arc::clone(link)));
        }
        let output = LimitedLines::new(output, max_message, Arc::clone(link));
        // The limit of the transport skips a message and leaves its call waiting: ours comes first.
        let lines = AsyncRwTransport::new(output, input).with_max_line_length(usize::MAX);
        Ok(Self { lines, child })
    }
}

/// Reads what a program writes to its standard error, and keeps the end of it for messages.
async fn keep_end(mut errors: ChildStderr, link: Arc<Link>) {
    let _end = link.all_written.clone().drop_guard();
    let mut buffer = [0; 1024];
    let read = async {
        while let Ok(count @ 1..) = errors.read(&mut buffer).await {
            link.add_written(&buffer[..count]);
        }
    };
    // Programs that the server has started may keep it open.
    let ended = async {
        link.ended.cancelled().await;
        wait(GRACE).await;
    };
    tokio::select! {
        () = read => {}
        () = ended => {}
    }
}

impl Transport<RoleClient> for ChildTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.lines.send(item)
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleClient>>> + Send {
        self.lines.receive()
    }

    /// Closes the standard input of the program, which ends a server. One that continues is asked to end, and
    /// then killed.
    async fn close(&mut self) -> Result<(), Self::Error> {
        // A message that the program does not read keeps the standard input open.
        let closed = within(GRACE, self.lines.close()).await;
        if closed.is_some() && within(GRACE, self.child.wait()).await.is_some() {
            return Ok(());
        }
        group::terminate(&self.child);
        if within(GRACE, self.child.wait()).await.is_some() {
            return Ok(());
        }
        group::kill(&mut self.child);
        self.child.wait().await.map(|_| ())
    }
}

impl Drop for ChildTransport {
    fn drop(&mut self) {
        // A program that was waited for is reaped, and the others have no more time.
        group::kill(&mut self.child);
    }
}
