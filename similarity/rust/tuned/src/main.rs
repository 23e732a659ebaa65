//! The text-similarity service in Rust, tuned by hand.
//!
//! `tuned [HOST:PORT]` serves `POST /similarity`. Without an argument the address is that
//! of the environment variable `SIMILARITY_ADDR`, or 127.0.0.1:8080. The address that it
//! listens at is the first line that it prints. SIGTERM and Ctrl-C let the requests in
//! flight finish.
//!
//! The way of a request:
//!
//! ```text
//! serve.rs ─► answer.rs ─► normalise.rs ─► words.rs ─► cosine.rs ─► answer.rs
//! ```
//!
//! Each thread has a runtime of its own, and takes connections from the same listener: no
//! request moves between threads. Their number is that of the CPUs that the process may
//! use, or `TOKIO_WORKER_THREADS`.

mod answer;
mod cosine;
mod normalise;
mod serve;
mod words;

use std::{env, error::Error, io, net::TcpListener, thread};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let address = env::args()
        .nth(1)
        .or_else(|| env::var("SIMILARITY_ADDR").ok())
        .unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let threads = threads()?;
    let listener = TcpListener::bind(&address)
        .map_err(|e| format!("cannot listen at {address:?}: {e}; give HOST:PORT"))?;
    listener.set_nonblocking(true)?;
    let url = format!("http://{}", listener.local_addr()?);

    let others = (1..threads)
        .map(|_| {
            let listener = listener.try_clone()?;
            Ok(thread::spawn(|| serve::run(listener, || ())))
        })
        .collect::<io::Result<Vec<_>>>()?;
    serve::run(listener, || println!("{url}"))?;
    for other in others {
        other.join().expect("a panic aborts")?;
    }
    Ok(())
}

/// Returns how many threads serve.
fn threads() -> Result<usize, Box<dyn Error>> {
    match env::var("TOKIO_WORKER_THREADS") {
        Err(_) => Ok(thread::available_parallelism()?.get()),
        Ok(n) => match n.parse() {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(format!("TOKIO_WORKER_THREADS is {n:?}; give a number from 1 on").into()),
        },
    }
}
