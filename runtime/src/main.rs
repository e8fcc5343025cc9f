//! The binary `unisono`: arguments in, an exit code out; everything between is in the library.

use std::process::ExitCode;

use clap::Parser;
use unisono_runtime::flags::Flags;
use unisono_runtime::{command, output};

/// DataFusion plans a statement by walking down its steps, and a model's fields may be a hundred steps; only what is used becomes memory.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    match std::thread::Builder::new().stack_size(STACK).spawn(run) {
        // A panic was printed where it happened; the code is the one that a panic of the main thread has.
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        Err(_) => run(),
    }
}

fn run() -> ExitCode {
    match Flags::try_parse() {
        Ok(flags) => output::print(&command::run(&flags), flags.quiet),
        Err(error) => output::print_usage(&error, std::env::args_os()),
    }
}
