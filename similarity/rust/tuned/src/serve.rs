//! Connections. hyper is used as it is, since a single route needs no router. With axum a
//! request takes as long, within the noise of measuring it.

use std::{io, net::TcpListener};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::{rt::TokioIo, server::graceful::GracefulShutdown};
use tokio::{
    runtime,
    signal::unix::{SignalKind, signal},
};

use crate::answer::answer;

/// Serves the connections of a listener on this thread, until SIGTERM or Ctrl-C. Requests
/// in flight are finished. `ready` is called when signals are heard.
pub fn run(listener: TcpListener, ready: impl FnOnce()) -> io::Result<()> {
    runtime::Builder::new_current_thread()
        .enable_io()
        .build()?
        .block_on(accept(listener, ready))
}

async fn accept(listener: TcpListener, ready: impl FnOnce()) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    ready();
    let open = GracefulShutdown::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                // What fails here is a connection, not the listener.
                let Ok((stream, _)) = accepted else {
                    tokio::task::yield_now().await;
                    continue;
                };
                let _ = stream.set_nodelay(true);
                let connection = http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service_fn(answer));
                let connection = open.watch(connection);
                tokio::spawn(async move {
                    let _ = connection.await; // the client is gone
                });
            }
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
        }
    }
    drop(listener);
    open.shutdown().await;
    Ok(())
}
