//! `demo`: the whole story on a small market, each command printed and really run. In: a folder to keep, or none. Out: the session as
//! a person would have typed it, and what to try next.

mod story;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use unisono_compiler::diagnostic::{Code, Diagnostic};

use self::story::{STORY, Step};
use crate::demo::market::{MINUTES, SEED, market};
use crate::demo::project::FILES;
use crate::flags::Demo;
use crate::output::{Outcome, Run, Style};

pub(super) fn run(verb: &Demo) -> Outcome {
    let mut run = Run::default();
    let result = match &verb.keep {
        Some(folder) => run.check(prepare(folder)).and_then(|()| told(&mut run, folder, true)),
        None => {
            let folder = std::env::temp_dir().join(format!("unisono-demo-{}", std::process::id()));
            let result = run.check(prepare(&folder)).and_then(|()| told(&mut run, &folder, false));
            // What cannot be removed from the temporary folder is the system's to remove.
            let _ = fs::remove_dir_all(&folder);
            result
        }
    };
    run.finish(Style::Human, result)
}

/// Writes the project and its data into a folder that is empty or new.
fn prepare(folder: &Path) -> Result<(), Vec<Diagnostic>> {
    let failed = |path: &Path, error: &std::io::Error| {
        vec![Diagnostic::new(
            Code::FileUnwritable,
            format!("`{}` cannot be written: {error}", path.display()),
        )]
    };
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) || folder.is_file() {
        return Err(vec![
            Diagnostic::new(Code::FileUnwritable, format!("`{}` is not empty", folder.display()))
                .help("name a new folder: the demo overwrites nothing"),
        ]);
    }
    for (path, text) in FILES {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
        }
        fs::write(&path, text).map_err(|error| failed(&path, &error))?;
    }
    let data = folder.join("data");
    fs::create_dir_all(&data).map_err(|error| failed(&data, &error))?;
    market(SEED, MINUTES).write_csv(&data).map_err(|error| failed(&data, &error))
}

/// Runs the story in a folder and prints it as it goes.
fn told(run: &mut Run, folder: &Path, kept: bool) -> Option<(String, Value)> {
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => {
            run.diagnostics.push(Diagnostic::new(
                Code::Internal,
                format!("this program's own file is not known: {error}"),
            ));
            return None;
        }
    };
    for step in STORY {
        match step {
            Step::Say(text) => say(&format!("\n# {}\n", text.replace('\n', "\n# "))),
            Step::Unisono { arguments, exit } => {
                say(&format!("\n$ unisono {arguments}\n"));
                run.check(command(&program, folder, arguments, *exit))?;
            }
            Step::Copy { from, to } => {
                say(&format!("\n$ cp {from} {to}\n"));
                if let Err(error) = fs::copy(folder.join(from), folder.join(to)) {
                    run.diagnostics.push(Diagnostic::new(
                        Code::FileUnwritable,
                        format!("`{to}` cannot be written: {error}"),
                    ));
                    return None;
                }
            }
        }
    }
    say(&ending(folder, kept));
    Some((String::new(), Value::Null))
}

/// Runs this program; its words are the demo's. Another exit than the story's ends it.
fn command(program: &PathBuf, folder: &Path, arguments: &str, exit: i32) -> Result<(), Vec<Diagnostic>> {
    let output = Command::new(program)
        .args(words(arguments))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| vec![Diagnostic::new(Code::Internal, format!("unisono cannot be run: {error}"))])?;
    say(&String::from_utf8_lossy(&output.stdout));
    say(&String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(exit) {
        if exit != 0 {
            say(&format!("(exit {exit})\n"));
        }
        return Ok(());
    }
    let code = output.status.code().map_or("no exit code".to_string(), |code| format!("exit code {code}"));
    Err(vec![Diagnostic::new(Code::Internal, format!("`unisono {arguments}` ended with {code}, not {exit}"))])
}

/// The words of a command line of the story, which quotes with double quotes only.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(ToString::to_string));
        }
    }
    words
}

/// Prints at once: the story is read while it goes on.
fn say(text: &str) {
    let mut stdout = std::io::stdout().lock();
    // A reader that closed its end ends nothing.
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

fn ending(folder: &Path, kept: bool) -> String {
    let place = if kept {
        format!(
            "The project is kept in {}: run any command above there, after `rm -r warehouse` and\n`cp changes/start.yaml models/candles.yaml` from the first one on.\n",
            folder.display()
        )
    } else {
        "Keep the project to try it yourself: unisono demo --keep DIR\n".to_string()
    };
    format!(
        "\n# What next\n{place}Start your own project:              unisono init DIR\nSee how a metric becomes SQL:        unisono sql --metrics vwap --by symbols.sector --dialect flink, in a kept project\nRead on:                             docs/getting-started.md\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(
            words("query --metrics a,b --where \"x = 'y z'\""),
            ["query", "--metrics", "a,b", "--where", "x = 'y z'"]
        );
    }
}
