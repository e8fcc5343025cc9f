//! What a verb has to say, and the one place that prints it: results on stdout, everything else on stderr.
//! In: an `Outcome`. Out: an exit code that programs can rely on (docs: exit codes).

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::render::{
    diagnostics_json, diagnostics_sarif, render_github, render_human, render_line,
};
use unisono_compiler::diagnostic::{Code, Diagnostic, Severity, has_errors};
use unisono_compiler::source::SourceMap;

/// The exit codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// 0.
    Good,
    /// 1: files or answers differ.
    Difference,
    /// 2: usage, model or request.
    Refused,
    /// 3: some verdict could not be formed, and none is a difference.
    Undecided,
    /// 4: an engine or the lakehouse failed.
    EngineFailed,
}

/// How results and findings are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Text; findings with excerpts.
    Human,
    /// The same, and above it `E_CODE: message` for each error, a line each, for programs.
    Line,
    /// One JSON object for both.
    Json,
    /// Findings only, as SARIF.
    Sarif,
    /// Findings only, as annotations.
    Github,
}

/// What a verb has to say.
pub struct Outcome {
    /// How it is written.
    pub style: Style,
    /// How it ended.
    pub exit: Exit,
    /// The result for people and pipes.
    pub text: String,
    /// A result that is no text; it follows the text, which is then empty.
    pub bytes: Vec<u8>,
    /// The result under `data`.
    pub data: Value,
    /// All findings.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that findings point into.
    pub sources: SourceMap,
    /// Remarks for people.
    pub notes: Vec<String>,
}

/// Collects texts and findings while a verb works.
#[derive(Default)]
pub struct Run {
    /// Every text read.
    pub sources: SourceMap,
    /// Every finding.
    pub diagnostics: Vec<Diagnostic>,
    /// Remarks for people.
    pub notes: Vec<String>,
    /// A result that is no text.
    pub bytes: Vec<u8>,
    /// An engine gave no answer, whatever the code of the finding is.
    pub engine_failed: bool,
}

impl Run {
    /// The output of a stage, if it had no errors; its findings are kept.
    pub fn stage<T>(&mut self, (output, findings): (Option<T>, Vec<Diagnostic>)) -> Option<T> {
        let failed = has_errors(&findings);
        self.diagnostics.extend(findings);
        if failed { None } else { output }
    }

    /// The value, or its findings are kept.
    pub fn check<T>(&mut self, result: Result<T, Vec<Diagnostic>>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(findings) => {
                self.diagnostics.extend(findings);
                None
            }
        }
    }

    /// Nothing if a finding since a count of findings is an error.
    pub fn check_since(&self, before: usize) -> Option<()> {
        (!has_errors(&self.diagnostics[before..])).then_some(())
    }

    /// The end: a text with its data, or nothing because of the findings.
    pub fn finish(self, style: Style, result: Option<(String, Value)>) -> Outcome {
        let exit = if self.engine_failed {
            Exit::EngineFailed
        } else if result.is_none() || has_errors(&self.diagnostics) {
            Exit::Refused
        } else {
            Exit::Good
        };
        let (text, data) = result.unwrap_or_default();
        Outcome {
            style,
            exit,
            text,
            bytes: self.bytes,
            data,
            diagnostics: self.diagnostics,
            sources: self.sources,
            notes: self.notes,
        }
    }
}

/// Prints and returns the exit code. A reader that closed its end is no error.
pub fn print(outcome: &Outcome, quiet: bool) -> ExitCode {
    let stdout = stdout_text(outcome);
    let stderr = stderr_text(outcome, quiet, use_color());
    let mut out = std::io::stdout().lock();
    let written = out.write_all(stdout.as_bytes()).and_then(|()| out.write_all(&outcome.bytes));
    drop(out);
    let _ = std::io::stderr().lock().write_all(stderr.as_bytes());
    match written.and_then(|()| std::io::stdout().lock().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr().lock(), "error: the output cannot be written: {error}");
            ExitCode::from(4)
        }
        Ok(()) | Err(_) => ExitCode::from(match outcome.exit {
            Exit::Good => 0,
            Exit::Difference => 1,
            Exit::Refused => 2,
            Exit::Undecided => 3,
            Exit::EngineFailed => 4,
        }),
    }
}

fn stdout_text(outcome: &Outcome) -> String {
    let findings = &outcome.diagnostics;
    match outcome.style {
        Style::Human | Style::Line => outcome.text.clone(),
        Style::Json => {
            let object = json!({
                "ok": outcome.exit == Exit::Good,
                "data": outcome.data,
                "diagnostics": diagnostics_json(findings, &outcome.sources),
            });
            pretty(&object)
        }
        Style::Sarif => pretty(&diagnostics_sarif(findings, &outcome.sources)),
        Style::Github => render_github(findings, &outcome.sources),
    }
}

fn stderr_text(outcome: &Outcome, quiet: bool, color: bool) -> String {
    let shown: Vec<Diagnostic> = outcome
        .diagnostics
        .iter()
        .filter(|found| !quiet || found.severity() == Severity::Error || found.code == Code::ResultTruncated)
        .cloned()
        .collect();
    let mut text = match outcome.style {
        Style::Human => render_human(&shown, &outcome.sources, color),
        Style::Line => error_lines(&shown, &outcome.sources) + &render_human(&shown, &outcome.sources, color),
        Style::Json | Style::Sarif | Style::Github => return String::new(),
    };
    if !quiet {
        for note in &outcome.notes {
            text.push_str(note);
            text.push('\n');
        }
    }
    text
}

/// The code of each error at the start of a line.
fn error_lines(findings: &[Diagnostic], sources: &SourceMap) -> String {
    let errors = findings.iter().filter(|found| found.severity() == Severity::Error);
    errors.map(|found| render_line(found, sources) + "\n").collect()
}

/// Prints what is wrong with the arguments, or the help that they asked for. Where they ask for JSON, it is JSON.
pub fn print_usage(error: &clap::Error, arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.collect();
    let wants_json = arguments.iter().any(|argument| argument == "--format=json")
        || arguments.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json");
    if !error.use_stderr() || !wants_json {
        // A closed stdout is no error here either.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
    }
    let text = error.to_string();
    let message = text.lines().next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let mut run = Run::default();
    run.diagnostics.push(Diagnostic::new(Code::Usage, message).help("see `unisono help`"));
    print(&run.finish(Style::Json, None), false)
}

/// JSON for people and programs: indented, with a newline at the end.
pub fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).map_or_else(|error| error.to_string(), |text| text + "\n")
}

fn use_color() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    std::io::stderr().is_terminal()
        && !set("NO_COLOR")
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(style: Style) -> Outcome {
        let mut run = Run::default();
        run.diagnostics.push(Diagnostic::new(Code::CountStarGrain, "w"));
        run.diagnostics.push(
            Diagnostic::new(Code::NoPath, "no path").suggest("abc", ["abd"]).help("add a\nrelationship"),
        );
        run.notes.push("a note".to_string());
        run.finish(style, None)
    }

    #[test]
    fn a_refusal_is_a_line_with_the_report_below_and_nothing_on_stdout() {
        let outcome = outcome(Style::Line);
        assert_eq!(outcome.exit, Exit::Refused);
        assert_eq!(stdout_text(&outcome), "");
        let warning = "warning[W_COUNT_STAR_GRAIN]: w\n |\n = docs: unisono explain W_COUNT_STAR_GRAIN\n";
        let error = "error[E_NO_PATH]: no path\n |\n = help: did you mean `abd`?\n = help: add a relationship\n = docs: unisono explain E_NO_PATH\n";
        assert_eq!(
            stderr_text(&outcome, false, false),
            ["E_NO_PATH: no path\n", warning, "\n", error, "a note\n"].concat()
        );
        assert_eq!(stderr_text(&outcome, true, false), ["E_NO_PATH: no path\n", error].concat());
    }

    #[test]
    fn json_is_one_object_in_every_case() {
        let outcome = outcome(Style::Json);
        let object: Value = serde_json::from_str(&stdout_text(&outcome)).unwrap();
        assert_eq!(object["ok"], false);
        assert_eq!(object["data"], Value::Null);
        assert_eq!(object["diagnostics"][1]["code"], "E_NO_PATH");
        assert_eq!(stderr_text(&outcome, false, false), "");
    }

    #[test]
    fn a_failed_engine_has_its_own_exit_code() {
        let run = Run { engine_failed: true, ..Run::default() };
        assert_eq!(run.finish(Style::Line, None).exit, Exit::EngineFailed);
    }
}
