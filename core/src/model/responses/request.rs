//! A request's body on its way: read in blocks while it is sent.

use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use recto_protocol::responses::RequestBody;

/// Bytes that are handed to the network at once.
const BLOCK: usize = 64 * 1024;

/// A body of a known length, of which one block at a time is in memory.
#[derive(Debug)]
pub(super) struct StreamedBody {
    body: RequestBody,
    left: u64,
}

impl StreamedBody {
    pub(super) fn new(body: RequestBody) -> Self {
        let left = body.len() as u64;
        Self { body, left }
    }
}

impl Body for StreamedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let size = usize::try_from(self.left).unwrap_or(BLOCK).min(BLOCK);
        if size == 0 {
            return Poll::Ready(None);
        }
        let mut block = vec![0; size];
        Poll::Ready(Some(self.body.read_exact(&mut block).map(|()| {
            self.left -= size as u64;
            Frame::data(Bytes::from(block))
        })))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
