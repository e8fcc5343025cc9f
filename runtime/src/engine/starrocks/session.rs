//! Sessions of a front end and the statements in them. In: an address, SQL, the compiled columns, limits. Out: tables. What does not end well
//! is killed at the server, and the next statement has a new connection that begins the same way.

use std::fmt;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use unisono_compiler::diagnostic::Diagnostic;
use unisono_dialects::{Engine, Target, Version, parse_target};

use super::address::Address;
use super::connection::{Bounds, Connection, connect};
use super::fault::StarRocksError;
use crate::engine::Limits;
use crate::table::{Column, Table, Value};

/// UPPER and LOWER beyond ASCII.
const UTF8_CASE: Version = Version { major: 3, minor: 5 };
/// The longest limit of time that the server takes, in seconds.
const LONGEST: u64 = 259_200;
/// What a statement that begins a session may take.
const OPENING: Duration = Duration::from_secs(30);
/// Rows of a statement that begins a session.
const FEW: usize = 1_000;

/// How sessions begin.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// A query of one row: the server's version, and the number by which the connection is killed.
    pub who: &'static str,
    /// The settings after that, names and literals, by version and by the time that each query has.
    pub settings: fn(&str, Duration) -> Vec<(&'static str, String)>,
    /// Bytes of all values of one answer.
    pub bytes: usize,
}

/// How sessions of a StarRocks begin.
pub const STARROCKS: Setup =
    Setup { who: "SELECT current_version(), connection_id()", settings, bytes: 512 << 20 };

/// What decides what answers mean, and when the server gives up by itself. Values are literals: StarRocks takes nothing else.
fn settings(version: &str, time: Duration) -> Vec<(&'static str, String)> {
    let seconds = (time.as_secs() + u64::from(time.subsec_nanos() > 0)).clamp(1, LONGEST);
    let mut settings = vec![
        ("time_zone", "'UTC'".to_string()),
        ("sql_mode", "'ONLY_FULL_GROUP_BY,ERROR_IF_OVERFLOW'".to_string()),
        // Without these, answers could be cut where nobody asked for it, or come from a view that lags.
        ("group_concat_max_len", "2147483647".to_string()),
        ("sql_select_limit", "9223372036854775807".to_string()),
        ("enable_materialized_view_rewrite", "false".to_string()),
        ("query_timeout", seconds.to_string()),
    ];
    if target_of(version).map_or(true, |target| target.version >= UTF8_CASE) {
        settings.push(("lower_upper_support_utf8", "true".to_string()));
    }
    settings
}

/// The target of a version such as `3.5.2-8b3d1a0` or `3.5.2 8b3d1a0`.
fn target_of(version: &str) -> Result<Target, Diagnostic> {
    let number = version.split([' ', '-']).next().unwrap_or_default();
    parse_target(&format!("{}@{number}", Engine::StarRocks.as_str()))
}

/// A front end and how its sessions begin.
#[derive(Clone, Debug)]
pub struct FrontEnd {
    address: Address,
    setup: Setup,
}

/// What answers there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// The server's words for its version.
    pub version: String,
    /// The number of the connection at the server.
    pub connection: u64,
}

/// A session. It should be closed.
pub struct Session {
    front_end: FrontEnd,
    connection: Option<Connection>,
    info: Info,
    time: Duration,
    state: State,
}

/// What the connection of a session does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It was made just now.
    Fresh,
    /// A statement has ended on it, perhaps long ago.
    Idle,
    /// A statement runs on it, or rows are under way.
    Running,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "session {:?} at {:?}", self.info, self.front_end.address)
    }
}

impl Info {
    /// The target whose texts the server reads; an error for a version whose answers were never looked at.
    pub fn target(&self) -> Result<Target, Diagnostic> {
        target_of(&self.version)
    }
}

impl FrontEnd {
    /// A front end at an address; nothing is sent yet.
    pub fn new(address: Address) -> FrontEnd {
        FrontEnd::with(address, STARROCKS)
    }

    /// A server of the same protocol whose sessions begin in another way.
    pub fn with(address: Address, setup: Setup) -> FrontEnd {
        FrontEnd { address, setup }
    }

    /// Where it is.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// A new session, each statement of which the server ends by itself after a time.
    pub async fn open(&self, time: Duration) -> Result<Session, StarRocksError> {
        let begun = tokio::time::timeout(time, self.begin(time)).await;
        let (connection, info) = begun.unwrap_or(Err(StarRocksError::Timeout(time)))?;
        Ok(Session { front_end: self.clone(), connection: Some(connection), info, time, state: State::Fresh })
    }

    async fn begin(&self, time: Duration) -> Result<(Connection, Info), StarRocksError> {
        let mut connection = connect(&self.address).await?;
        let end = Instant::now() + OPENING;
        let begun = timeout_at(end, self.set_up(&mut connection, time)).await;
        match begun.unwrap_or(Err(StarRocksError::Timeout(OPENING))) {
            Ok(info) => Ok((connection, info)),
            Err(error) => {
                connection.close().await;
                Err(error)
            }
        }
    }

    async fn set_up(&self, connection: &mut Connection, time: Duration) -> Result<Info, StarRocksError> {
        let bounds = Bounds { rows: FEW, bytes: self.setup.bytes, time: OPENING };
        let who = connection.rows(self.setup.who, &[], bounds).await?;
        let info = match who.rows.as_slice() {
            [row] => match row.as_slice() {
                [version, Value::Integer(id)] => {
                    u64::try_from(*id).ok().map(|connection| Info { version: version.text(), connection })
                }
                _ => None,
            },
            _ => None,
        };
        let info = info.ok_or_else(|| {
            StarRocksError::Malformed("it did not say its version and the connection's number".to_string())
        })?;
        for (name, literal) in (self.setup.settings)(&info.version, time) {
            connection.rows(&format!("SET {name} = {literal}"), &[], bounds).await?;
        }
        Ok(info)
    }
}

impl Session {
    /// What answers.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// What the session was told at its beginning.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        (self.front_end.setup.settings)(&self.info.version, self.time)
    }

    /// Runs one statement to its end and reads its rows as the compiled columns; without any, as the server's types. When the time is up, or
    /// anything else goes wrong, or there are more rows than asked for, what still runs is killed. A call that is dropped before its end
    /// leaves the statement running: `cancel` ends it.
    pub async fn execute(
        &mut self,
        sql: &str,
        compiled: &[Column],
        limits: Limits,
    ) -> Result<Table, StarRocksError> {
        let time = limits.time.min(self.time);
        let end = Instant::now() + time;
        let bounds = Bounds { rows: limits.rows, bytes: self.front_end.setup.bytes, time };
        let late = || StarRocksError::Timeout(time);
        let outcome = match timeout_at(end, self.connected()).await {
            Ok(Ok(connection)) => {
                let ran = timeout_at(end, connection.rows(sql, compiled, bounds)).await;
                ran.unwrap_or_else(|_| Err(late()))
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Err(late()),
        };
        match &outcome {
            Ok(table) if !table.truncated => self.state = State::Idle,
            Err(error) if error.leaves_session() => self.state = State::Idle,
            // Its number may belong to another by now; the server's own limit of time remains.
            Err(StarRocksError::Lost { .. }) => self.connection = None,
            Ok(_) | Err(_) => self.cancel().await,
        }
        outcome
    }

    /// Ends the statement that still runs, if one does: at the server, by a KILL from a second connection.
    pub async fn cancel(&mut self) {
        if let Some(connection) = self.connection.take() {
            match self.state {
                State::Running => connection.kill(self.info.connection).await,
                State::Fresh | State::Idle => connection.close().await,
            }
        }
    }

    /// The connection of the session, or a new one if it was closed meanwhile: a server closes what is idle for long, and may be started anew.
    async fn connected(&mut self) -> Result<&mut Connection, StarRocksError> {
        let is_usable = match (&mut self.connection, self.state) {
            (None, _) | (Some(_), State::Running) => false,
            (Some(_), State::Fresh) => true,
            (Some(connection), State::Idle) => connection.is_alive().await,
        };
        if !is_usable {
            self.cancel().await;
            let (connection, info) = self.front_end.begin(self.time).await?;
            // What was compiled is for the version that answered first.
            if info.version != self.info.version {
                connection.close().await;
                let (now, was) = (info.version, &self.info.version);
                return Err(StarRocksError::Malformed(format!(
                    "version {now} answers now, and it was {was}"
                )));
            }
            self.info = info;
            self.connection = Some(connection);
        }
        self.state = State::Running;
        match &mut self.connection {
            Some(connection) => Ok(connection),
            None => Err(StarRocksError::Malformed("a session without a connection".to_string())),
        }
    }

    /// Ends the session.
    pub async fn close(mut self) {
        self.cancel().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_literals_and_follow_the_version() {
        let said = |version, time| -> Vec<String> {
            settings(version, time).iter().map(|(name, literal)| format!("{name} = {literal}")).collect()
        };
        assert_eq!(
            said("3.5.2-8b3d1a0", Duration::from_millis(1_500)),
            [
                "time_zone = 'UTC'",
                "sql_mode = 'ONLY_FULL_GROUP_BY,ERROR_IF_OVERFLOW'",
                "group_concat_max_len = 2147483647",
                "sql_select_limit = 9223372036854775807",
                "enable_materialized_view_rewrite = false",
                "query_timeout = 2",
                "lower_upper_support_utf8 = true",
            ]
        );
        let old = said("3.3.0 0782ad7", Duration::from_secs(1_000_000));
        assert!(old.contains(&"query_timeout = 259200".to_string()), "{old:?}");
        assert!(!old.iter().any(|setting| setting.contains("lower_upper")), "{old:?}");
    }

    #[test]
    fn a_session_is_told_what_the_dialect_wants() {
        for version in ["3.3.0", "3.5.2", "4.1.0"] {
            let told = settings(version, Duration::from_secs(1));
            let told = told.iter().map(|(name, literal)| format!("SET {name} = {literal}"));
            let told: Vec<String> = told.collect();
            for setting in unisono_dialects::session_settings(&target_of(version).unwrap()) {
                assert!(told.contains(&setting.statement.to_string()), "{version}: {}", setting.statement);
            }
        }
    }

    #[test]
    fn versions_become_targets() {
        let of = |version: &str| target_of(version).ok().map(|target| target.to_string());
        assert_eq!(of("3.5.2-8b3d1a0").as_deref(), Some("StarRocks 3.5"));
        assert_eq!(of("4.1.0 rc1").as_deref(), Some("StarRocks 4.1"));
        assert_eq!(of("2.1.2 0782ad7"), None);
        assert_eq!(of("main-8b3d1a0"), None);
    }
}
