//! The binary `unisono`: arguments in, an exit code out; everything between is in the library.

use std::process::ExitCode;

use clap::Parser;
use unisono_runtime::flags::Flags;
use unisono_runtime::{command, output};

fn main() -> ExitCode {
    match Flags::try_parse() {
        Ok(flags) => output::print(&command::run(&flags), flags.quiet),
        Err(error) => output::print_usage(&error, std::env::args_os()),
    }
}
