//! Why Flink gave no answer. In: what the client saw, or the body of an error answer. Out: one typed error with Flink's innermost cause.

use std::time::Duration;

use serde::Deserialize;

use unisono_compiler::diagnostic::{Code, Diagnostic};

use crate::engine::EngineError;

/// Why a gateway gave no answer.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum FlinkError {
    /// The project file's address cannot be used.
    #[error("the gateway's address {0}")]
    Address(String),
    /// A setting of the project file would change what answers mean.
    #[error("the setting `{0}` belongs to this program: remove it from `session`")]
    Setting(String),
    /// Nobody answers there.
    #[error("no gateway answers at {address}: {why}")]
    Unreachable {
        /// Where.
        address: String,
        /// What the connection said.
        why: String,
    },
    /// An answer that is no success and not in the gateway's form.
    #[error("the gateway answered with HTTP {status}: {text}")]
    Http {
        /// The status.
        status: u16,
        /// The start of the answer.
        text: String,
    },
    /// An answer of success that is not what the protocol says.
    #[error("the gateway's answer is not understood: {0}")]
    Malformed(String),
    /// The session is not there: it was idle for too long, or the gateway was started anew.
    #[error(
        "the gateway does not know the session any more: it was idle for too long, or the gateway was started anew"
    )]
    UnknownSession,
    /// Flink refused the statement, or it failed while it ran; the innermost cause.
    #[error("{0}")]
    Failed(String),
    /// The client's own deadline.
    #[error("the statement ran longer than {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// More than the client takes.
    #[error("the answer has more than {most} bytes")]
    TooLarge {
        /// The bound.
        most: usize,
    },
    /// A value that is not one of its column's type, or that the language cannot hold exactly.
    #[error("the column `{column}` of type {logical_type} has the value `{text}`, which {why}")]
    Value {
        /// The column.
        column: String,
        /// Flink's name for the type.
        logical_type: String,
        /// As it came.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Changes that do not add up to rows.
    #[error("the changes that came do not add up to an answer: {0}")]
    Changelog(&'static str),
}

/// The body of an answer that is no success.
#[derive(Deserialize)]
struct Body {
    errors: Vec<String>,
}

/// How much of a foreign answer is shown.
const SHOWN: usize = 200;

impl FlinkError {
    /// The error of an answer that is no success.
    pub(super) fn of_answer(status: u16, body: &[u8]) -> FlinkError {
        let text = String::from_utf8_lossy(body);
        let Ok(Body { errors }) = serde_json::from_str::<Body>(&text) else {
            let line = text.lines().next().unwrap_or_default();
            return FlinkError::Http { status, text: line.chars().take(SHOWN).collect() };
        };
        let cause = innermost_cause(&errors);
        if cause.contains("Session '") && cause.ends_with("' does not exist.") {
            return FlinkError::UnknownSession;
        }
        match status {
            500 => FlinkError::Failed(cause),
            _ => FlinkError::Http { status, text: cause },
        }
    }
}

/// The last line that begins with `Caused by:`, without the packages of the exception's class; without one the first line of the last text.
pub(super) fn innermost_cause(errors: &[String]) -> String {
    let all = errors.join("\n");
    let caused = all.lines().filter_map(|line| line.trim().strip_prefix("Caused by:")).next_back();
    let line = caused.or_else(|| {
        let last = errors.last()?;
        last.lines().find(|line| !line.trim().is_empty() && !line.starts_with("<Exception on server side"))
    });
    match line.map(str::trim) {
        Some(line) => without_packages(line).to_string(),
        None => "no cause was given".to_string(),
    }
}

/// `org.example.SomeException: words` as `SomeException: words`.
fn without_packages(line: &str) -> &str {
    let class = line.split(':').next().unwrap_or_default();
    let is_class = class.contains('.')
        && class.chars().all(|character| character.is_ascii_alphanumeric() || "._$".contains(character));
    match class.rfind('.') {
        Some(at) if is_class => &line[at + 1..],
        Some(_) | None => line,
    }
}

impl FlinkError {
    /// Whether the project file is at fault, and no engine.
    pub fn is_of_project_file(&self) -> bool {
        matches!(self, FlinkError::Address(_) | FlinkError::Setting(_))
    }

    /// The finding that users see.
    pub fn diagnostic(self) -> Diagnostic {
        if self.is_of_project_file() {
            return Diagnostic::new(Code::Usage, self.to_string()).about("engines");
        }
        if matches!(self, FlinkError::Unreachable { .. }) {
            return Diagnostic::new(Code::EngineUnreachable, format!("Flink: {self}"))
                .help("start the gateway, or mend its address under `engines:`");
        }
        let help = match &self {
            FlinkError::Failed(cause) if cause.contains(NO_PAIMON) => {
                Some("put the jar of paimon-flink last on the class path of Flink and its gateway")
            }
            FlinkError::Address(_)
            | FlinkError::Setting(_)
            | FlinkError::Unreachable { .. }
            | FlinkError::Http { .. }
            | FlinkError::Malformed(_)
            | FlinkError::UnknownSession
            | FlinkError::Failed(_)
            | FlinkError::Timeout(_)
            | FlinkError::TooLarge { .. }
            | FlinkError::Value { .. }
            | FlinkError::Changelog(_) => None,
        };
        let finding = EngineError::from(self).diagnostic("Flink");
        match help {
            Some(help) => finding.help(help),
            None => finding,
        }
    }
}

/// What Flink says of a catalogue whose jar it does not have.
const NO_PAIMON: &str = "Could not find any factory for identifier 'paimon'";

impl From<FlinkError> for EngineError {
    fn from(error: FlinkError) -> Self {
        match error {
            FlinkError::Timeout(time) => EngineError::Timeout(time),
            FlinkError::TooLarge { .. } => EngineError::TooLarge(error.to_string()),
            FlinkError::Address(_)
            | FlinkError::Setting(_)
            | FlinkError::Unreachable { .. }
            | FlinkError::Http { .. }
            | FlinkError::Malformed(_)
            | FlinkError::UnknownSession
            | FlinkError::Failed(_)
            | FlinkError::Value { .. }
            | FlinkError::Changelog(_) => EngineError::Failed(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, body: &str) -> FlinkError {
        FlinkError::of_answer(status, body.as_bytes())
    }

    #[test]
    fn the_innermost_cause_is_the_last_one() {
        let body = r#"{"errors":["Internal server error.","<Exception on server side:\norg.apache.flink.table.gateway.api.utils.SqlGatewayException: Failed to fetchResults.\n\tat a.B.c(B.java:1)\nCaused by: org.apache.flink.table.api.ValidationException: SQL validation failed. From line 1\n\t... 7 more\nCaused by: org.apache.calcite.sql.validate.SqlValidatorException: Object 'nope' not found\n\t... 8 more\nEnd of exception on server side>"]}"#;
        assert_eq!(
            of(500, body),
            FlinkError::Failed("SqlValidatorException: Object 'nope' not found".to_string())
        );
        let body = r#"{"errors":["Internal server error.","<Exception on server side:\nCaused by: java.lang.ArithmeticException: / by zero\n"]}"#;
        assert_eq!(of(500, body), FlinkError::Failed("ArithmeticException: / by zero".to_string()));
        let body = r#"{"errors":["Internal server error.","<Exception on server side:\nCaused by: java.lang.NumberFormatException: For input string: 'x'. Invalid character found.\n"]}"#;
        let words = "NumberFormatException: For input string: 'x'. Invalid character found.";
        assert_eq!(of(500, body), FlinkError::Failed(words.to_string()));
        // Without one, what the server said first.
        let body = r#"{"errors":["Internal server error.","<Exception on server side:\njava.lang.IllegalStateException: shut down\n\tat a.B.c(B.java:1)\n"]}"#;
        assert_eq!(of(500, body), FlinkError::Failed("IllegalStateException: shut down".to_string()));
        assert_eq!(of(500, r#"{"errors":[]}"#), FlinkError::Failed("no cause was given".to_string()));
    }

    #[test]
    fn nobody_there_is_told_from_a_statement_that_failed() {
        let address = "http://127.0.0.1:1".to_string();
        let finding = FlinkError::Unreachable { address, why: "refused".to_string() }.diagnostic();
        assert_eq!(
            (finding.code, finding.message.as_str()),
            (Code::EngineUnreachable, "Flink: no gateway answers at http://127.0.0.1:1: refused")
        );
        assert_eq!(FlinkError::Failed("/ by zero".to_string()).diagnostic().code, Code::EngineFailed);
    }

    #[test]
    fn an_unknown_session_is_told_from_other_failures() {
        let body = r#"{"errors":["Internal server error.","<Exception on server side:\nCaused by: org.apache.flink.table.gateway.api.utils.SqlGatewayException: Session '1e759d68-348f-42a5-9049-599475cfe6f1' does not exist.\n"]}"#;
        assert_eq!(of(500, body), FlinkError::UnknownSession);
    }

    #[test]
    fn answers_that_are_not_the_gateways_keep_their_status() {
        assert_eq!(
            of(404, r#"{"errors":["Not found: /v9/info"]}"#),
            FlinkError::Http { status: 404, text: "Not found: /v9/info".to_string() }
        );
        assert_eq!(
            of(502, "<html>\nBad Gateway"),
            FlinkError::Http { status: 502, text: "<html>".to_string() }
        );
        let body = r#"{"errors":["org.apache.flink.runtime.rest.handler.RestHandlerException: Bad request, could not parse parameters: no uuid"]}"#;
        let text = "RestHandlerException: Bad request, could not parse parameters: no uuid".to_string();
        assert_eq!(of(400, body), FlinkError::Http { status: 400, text });
    }
}
