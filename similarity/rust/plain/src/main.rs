//! The text-similarity service in Rust, as one writes it first: axum, two regular
//! expressions, maps of strings.
//!
//! `plain [HOST:PORT]` serves `POST /similarity`. Without an argument the address is that
//! of the environment variable `SIMILARITY_ADDR`, or 127.0.0.1:8080. The address that it
//! listens at is the first line that it prints. SIGTERM and Ctrl-C let the requests in
//! flight finish.

mod similarity;

use std::{env, error::Error};

use axum::{Json, Router, extract::DefaultBodyLimit, routing::post};
use serde::{Deserialize, Serialize};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

/// The largest body that is read, in bytes.
const MAX_BODY: usize = 4 << 20;

#[derive(Deserialize)]
struct Request {
    text1: String,
    text2: String,
}

#[derive(Serialize)]
struct Answer {
    similarity: f64,
    interpretation: &'static str,
}

async fn compare(Json(request): Json<Request>) -> Json<Answer> {
    let similarity = similarity::compare(&request.text1, &request.text2);
    Json(Answer {
        similarity,
        interpretation: similarity::interpret(similarity),
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = env::args()
        .nth(1)
        .or_else(|| env::var("SIMILARITY_ADDR").ok())
        .unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let listener = TcpListener::bind(&address)
        .await
        .map_err(|e| format!("cannot listen at {address:?}: {e}; give HOST:PORT"))?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    println!("http://{}", listener.local_addr()?);

    let app = Router::new()
        .route("/similarity", post(compare))
        .layer(DefaultBodyLimit::max(MAX_BODY));
    axum::serve(listener, app)
        .with_graceful_shutdown(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
        .await?;
    Ok(())
}
