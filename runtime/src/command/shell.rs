//! `completions` and `man`: what shells and manual readers want, made from the flags.

use clap::CommandFactory;
use serde_json::{Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use crate::flags::{Completions, Flags};
use crate::output::{Outcome, Run, Style};

pub(super) fn completions(verb: &Completions) -> Outcome {
    let mut bytes = Vec::new();
    clap_complete::generate(verb.shell, &mut Flags::command(), "unisono", &mut bytes);
    finish(Ok(bytes))
}

pub(super) fn man() -> Outcome {
    let mut bytes = Vec::new();
    let written = clap_mangen::Man::new(Flags::command()).render(&mut bytes);
    finish(written.map(|()| bytes))
}

fn finish(bytes: std::io::Result<Vec<u8>>) -> Outcome {
    let mut run = Run::default();
    let text = bytes
        .map_err(|error| error.to_string())
        .and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
    let result: Option<(String, Value)> = match text {
        Ok(text) => {
            let data = json!(text);
            Some((text, data))
        }
        Err(error) => {
            run.diagnostics.push(Diagnostic::new(Code::FileUnwritable, error));
            None
        }
    };
    run.finish(Style::Human, result)
}
