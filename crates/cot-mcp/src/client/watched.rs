//! A transport that reports when its connection is lost.

use std::sync::Arc;

use rmcp::{
    RoleClient,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};

use super::link::Link;

/// A transport that reports to its [`Link`] when nothing more can be received, and when it is closed.
pub(crate) struct Watched<T> {
    transport: T,
    link: Arc<Link>,
}

impl<T> Watched<T> {
    pub(crate) const fn new(transport: T, link: Arc<Link>) -> Self {
        Self { transport, link }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Watched<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.transport.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let message = self.transport.receive().await;
        if message.is_none() {
            self.link.lost.cancel();
        }
        message
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.link.lost.cancel();
        self.transport.close().await
    }
}

impl<T> Drop for Watched<T> {
    fn drop(&mut self) {
        self.link.lost.cancel();
        self.link.ended.cancel();
    }
}
