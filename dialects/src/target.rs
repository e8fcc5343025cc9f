//! Which engine in which version a text is for. In: `flink@1.20`. Out: a `Target`, or a diagnostic with near names.

use std::fmt;

use unisono_compiler::diagnostic::{Code, Diagnostic};

/// Every engine, and the versions whose answers differ: what a test of all texts loops over.
pub const TARGETS: [&str; 9] = [
    "datafusion",
    "duckdb",
    "starrocks",
    "starrocks@4.1",
    "starrocks@4.2",
    "flink",
    "flink@1.20",
    "flink-streaming",
    "flink-streaming@1.20",
];

/// An engine and how it runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Engine {
    /// Apache DataFusion.
    DataFusion,
    /// DuckDB.
    DuckDb,
    /// StarRocks.
    StarRocks,
    /// Apache Flink SQL, `execution.runtime-mode=batch`.
    FlinkBatch,
    /// Apache Flink SQL, `execution.runtime-mode=streaming`.
    FlinkStreaming,
}

impl Engine {
    /// Every engine.
    pub const ALL: [Engine; 5] =
        [Engine::DataFusion, Engine::DuckDb, Engine::StarRocks, Engine::FlinkBatch, Engine::FlinkStreaming];

    /// The word in a target.
    pub fn as_str(self) -> &'static str {
        match self {
            Engine::DataFusion => "datafusion",
            Engine::DuckDb => "duckdb",
            Engine::StarRocks => "starrocks",
            Engine::FlinkBatch => "flink",
            Engine::FlinkStreaming => "flink-streaming",
        }
    }

    /// The version that is meant when none is written.
    pub fn default_version(self) -> Version {
        match self {
            Engine::DataFusion => Version { major: 54, minor: 0 },
            Engine::DuckDb => Version { major: 2, minor: 0 },
            Engine::StarRocks => Version { major: 3, minor: 5 },
            Engine::FlinkBatch | Engine::FlinkStreaming => Version { major: 2, minor: 2 },
        }
    }

    /// The oldest version whose answers were looked at.
    fn oldest_version(self) -> Version {
        match self {
            Engine::DataFusion => Version { major: 54, minor: 0 },
            Engine::DuckDb => Version { major: 1, minor: 0 },
            Engine::StarRocks => Version { major: 3, minor: 3 },
            Engine::FlinkBatch | Engine::FlinkStreaming => Version { major: 1, minor: 20 },
        }
    }

    /// The name in messages.
    pub fn title(self) -> &'static str {
        match self {
            Engine::DataFusion => "DataFusion",
            Engine::DuckDb => "DuckDB",
            Engine::StarRocks => "StarRocks",
            Engine::FlinkBatch => "Flink",
            Engine::FlinkStreaming => "Flink streaming",
        }
    }
}

/// A version, as far as texts depend on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// Before the point.
    pub major: u16,
    /// After it.
    pub minor: u16,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// What a text is emitted for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Target {
    /// The engine.
    pub engine: Engine,
    /// Its version.
    pub version: Version,
}

impl Target {
    /// The engine in the version that is meant when none is written.
    pub fn latest(engine: Engine) -> Target {
        Target { engine, version: engine.default_version() }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.engine.title(), self.version)
    }
}

/// Reads `engine` or `engine@version`, in any case. A version may have further parts, which are not looked at, or only one.
pub fn parse_target(text: &str) -> Result<Target, Diagnostic> {
    let (name, version) = match text.trim().split_once('@') {
        Some((name, version)) => (name.trim(), Some(version.trim())),
        None => (text.trim(), None),
    };
    let Some(engine) = Engine::ALL.into_iter().find(|engine| engine.as_str().eq_ignore_ascii_case(name))
    else {
        let known = Engine::ALL.map(Engine::as_str);
        return Err(Diagnostic::new(Code::UnknownTarget, format!("`{name}` is no target"))
            .suggest(name, known)
            .help(format!("use one of {}, each with an optional `@version`", known.join(", "))));
    };
    let Some(version) = version else { return Ok(Target::latest(engine)) };
    let Some(version) = parse_version(version) else {
        return Err(Diagnostic::new(
            Code::UnknownTarget,
            format!("`{version}` is no version of {}", engine.title()),
        )
        .help(format!("write it as `{}@{}`", engine.as_str(), engine.default_version())));
    };
    if version < engine.oldest_version() {
        return Err(Diagnostic::new(
            Code::UnknownTarget,
            format!(
                "{} {version} is older than {}, the oldest version with known answers",
                engine.title(),
                engine.oldest_version()
            ),
        )
        .help(format!("use `{}@{}` or later", engine.as_str(), engine.oldest_version())));
    }
    Ok(Target { engine, version })
}

fn parse_version(text: &str) -> Option<Version> {
    let mut parts = text.split('.').map(|part| part.parse::<u16>().ok());
    let major = parts.next().flatten()?;
    let minor = match parts.next() {
        None => 0,
        Some(minor) => minor?,
    };
    parts.all(|part| part.is_some()).then_some(Version { major, minor })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_with_and_without_a_version() {
        let version = |major, minor| Version { major, minor };
        assert_eq!(parse_target("flink").map(|target| target.version), Ok(version(2, 2)));
        assert_eq!(parse_target("Flink-Streaming@1.20").map(|target| target.version), Ok(version(1, 20)));
        assert_eq!(parse_target("starrocks@4.1.2").map(|target| target.version), Ok(version(4, 1)));
        assert_eq!(parse_target("duckdb@2").map(|target| target.engine), Ok(Engine::DuckDb));
    }

    #[test]
    fn unknown_targets_and_versions_are_refused_by_name() {
        let unknown = parse_target("duckbd").unwrap_err();
        assert_eq!((unknown.code, unknown.candidates), (Code::UnknownTarget, vec!["duckdb".to_string()]));
        assert_eq!(parse_target("flink@x").unwrap_err().message, "`x` is no version of Flink");
        assert_eq!(
            parse_target("starrocks@2.5").unwrap_err().message,
            "StarRocks 2.5 is older than 3.3, the oldest version with known answers"
        );
    }
}
