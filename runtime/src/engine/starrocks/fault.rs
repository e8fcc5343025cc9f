//! Why StarRocks gave no answer. In: what the client of the protocol saw. Out: one typed error; no password is in any of them.

use std::time::Duration;

use mysql_async::{DriverError, Error, IoError, ServerError};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::address::{Address, Encryption};
use crate::engine::EngineError;

/// Why a front end gave no answer.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum StarRocksError {
    /// The project file's address cannot be used.
    #[error("the address of the front end {0}")]
    Address(String),
    /// Nobody answers there in MySQL's protocol.
    #[error("no front end answers at {address}: {why}")]
    Unreachable {
        /// Where.
        address: String,
        /// What the connection said.
        why: String,
    },
    /// The server cannot encrypt; nothing but its greeting was exchanged.
    #[error("the front end at {0} offers no encryption")]
    NoEncryption(String),
    /// The server takes encrypted connections only, and that was switched off by hand.
    #[error("the front end at {0} takes encrypted connections only")]
    EncryptionDemanded(String),
    /// Its certificate is not one that counts; no password was sent.
    #[error("the certificate of the front end at {address} does not count: {why}")]
    Untrusted {
        /// Where.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// The account was refused.
    #[error("the front end at {address} refused the account: {why}")]
    Login {
        /// Where.
        address: String,
        /// The server's words.
        why: String,
    },
    /// The connection broke before the answer was whole.
    #[error("the connection to {address} was lost: {why}")]
    Lost {
        /// Where.
        address: String,
        /// What the connection said.
        why: String,
    },
    /// The server refused the statement, or it failed while it ran.
    #[error("{text} (error {code})")]
    Failed {
        /// The server's number.
        code: u16,
        /// Its words.
        text: String,
    },
    /// Somebody else ended the statement.
    #[error("the statement was killed at the server: {0}")]
    Killed(String),
    /// The client's own deadline, or the server's, which is the same.
    #[error("the statement ran longer than {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// More than the client takes.
    #[error("the answer has more than {most} bytes")]
    TooLarge {
        /// The bound.
        most: usize,
    },
    /// An answer that is not what the protocol or the statement says.
    #[error("the front end's answer is not understood: {0}")]
    Malformed(String),
    /// A value that is not one of its column's type, or that the language cannot hold exactly.
    #[error("the column `{column}` of type {data_type} has the value `{text}`, which {why}")]
    Value {
        /// The column.
        column: String,
        /// The type that was compiled.
        data_type: String,
        /// As it came.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// Numbers with which servers of the protocol refuse an account: access denied, to a database, without a password, expired.
const REFUSED: [u16; 6] = [1044, 1045, 1251, 1698, 1820, 1862];
/// StarRocks takes encrypted connections only.
const SECURE_TRANSPORT: u16 = 5205;
/// A statement was killed.
const KILLED: u16 = 1317;
/// MariaDB's and MySQL's own limit of a statement's time.
const TIME_LIMIT: [u16; 2] = [1969, 3024];
/// The server goes down, or closed this connection.
const CLOSED: [u16; 3] = [1053, 1927, 1152];
/// Numbers for what the account may not do: StarRocks', MySQL's.
const DENIED: [u16; 5] = [5203, 1044, 1142, 1143, 1227];

impl StarRocksError {
    /// The error of a connection that was not made.
    pub(super) fn of_connecting(error: Error, address: &Address) -> StarRocksError {
        let place = address.place();
        match error {
            Error::Io(IoError::Io(error)) => {
                StarRocksError::Unreachable { address: place, why: error.to_string() }
            }
            Error::Io(IoError::Tls(error)) => {
                StarRocksError::Untrusted { address: place, why: error.to_string() }
            }
            Error::Driver(DriverError::NoClientSslFlagFromServer) => StarRocksError::NoEncryption(place),
            Error::Driver(
                error @ (DriverError::CleartextPluginDisabled
                | DriverError::MysqlOldPasswordDisabled
                | DriverError::UnknownAuthPlugin { .. }),
            ) => StarRocksError::Login { address: place, why: error.to_string() },
            Error::Server(error) => {
                let is_plain = *address.encryption() == Encryption::Disabled;
                if is_plain && (error.code == SECURE_TRANSPORT || names_transport(&error.message)) {
                    StarRocksError::EncryptionDemanded(place)
                } else if REFUSED.contains(&error.code) {
                    StarRocksError::Login { address: place, why: words(&error) }
                } else {
                    StarRocksError::Failed { code: error.code, text: words(&error) }
                }
            }
            Error::Driver(error) => StarRocksError::Unreachable { address: place, why: error.to_string() },
            Error::Other(error) => StarRocksError::Unreachable { address: place, why: error.to_string() },
            Error::Url(error) => StarRocksError::Address(error.to_string()),
        }
    }

    /// The error of a statement.
    pub(super) fn of_statement(error: Error, address: &Address, time: Duration) -> StarRocksError {
        let lost = |why: String| StarRocksError::Lost { address: address.place(), why };
        match error {
            Error::Io(error) => lost(error.to_string()),
            Error::Driver(error @ DriverError::ConnectionClosed) => lost(error.to_string()),
            Error::Driver(DriverError::PacketTooLarge) => {
                StarRocksError::TooLarge { most: super::connection::MAX_PACKET }
            }
            Error::Server(error) if CLOSED.contains(&error.code) => lost(words(&error)),
            Error::Server(error) if is_killed(&error) => StarRocksError::Killed(words(&error)),
            Error::Server(error) if is_late(&error) => StarRocksError::Timeout(time),
            Error::Server(error) => StarRocksError::Failed { code: error.code, text: words(&error) },
            Error::Driver(error) => StarRocksError::Malformed(error.to_string()),
            Error::Other(error) => StarRocksError::Malformed(error.to_string()),
            Error::Url(error) => StarRocksError::Malformed(error.to_string()),
        }
    }

    /// Whether the session can go on: the server ended the statement by itself, and said so.
    pub(super) fn leaves_session(&self) -> bool {
        matches!(self, StarRocksError::Failed { .. } | StarRocksError::Killed(_))
    }

    /// Whether the account lacks a right.
    pub fn is_denied(&self) -> bool {
        match self {
            StarRocksError::Failed { code, text } => {
                DENIED.contains(code) || text.to_ascii_lowercase().contains("access denied")
            }
            _ => false,
        }
    }

    /// Whether the project file is at fault, and no engine.
    pub fn is_of_project_file(&self) -> bool {
        matches!(self, StarRocksError::Address(_))
    }

    /// The finding that users see.
    pub fn diagnostic(self) -> Diagnostic {
        let (code, help) = match &self {
            StarRocksError::Address(_) => {
                return Diagnostic::new(Code::Usage, self.to_string()).about("engines");
            }
            StarRocksError::Unreachable { .. } | StarRocksError::Lost { .. } => (
                Code::EngineUnreachable,
                "look whether the front end runs, and at its address under `engines:`",
            ),
            StarRocksError::NoEncryption(_) => (
                Code::EncryptionRequired,
                "give the front end a certificate (`ssl_keystore_location` in fe.conf), or write `tls: disabled` beside its address",
            ),
            StarRocksError::EncryptionDemanded(_) => {
                (Code::EncryptionRequired, "remove `tls: disabled` beside its address")
            }
            StarRocksError::Untrusted { .. } => (
                Code::EncryptionRequired,
                "name the authority that signed it, as `ca: path/to/ca.pem`, and the host as the certificate does",
            ),
            StarRocksError::Login { .. } => {
                (Code::LoginRefused, "look at the user and at the variable that holds the password")
            }
            StarRocksError::Failed { .. }
            | StarRocksError::Killed(_)
            | StarRocksError::Timeout(_)
            | StarRocksError::TooLarge { .. }
            | StarRocksError::Malformed(_)
            | StarRocksError::Value { .. } => return EngineError::from(self).diagnostic("StarRocks"),
        };
        Diagnostic::new(code, format!("StarRocks: {self}")).help(help)
    }
}

/// Some versions say a killed statement with the number of a syntax error.
fn is_killed(error: &ServerError) -> bool {
    error.code == KILLED || error.message.contains("killed manually")
}

fn is_late(error: &ServerError) -> bool {
    let text = error.message.to_ascii_lowercase();
    TIME_LIMIT.contains(&error.code) || text.contains("exceeded time limit") || text.contains("query_timeout")
}

fn names_transport(text: &str) -> bool {
    text.to_ascii_lowercase().contains("secure transport")
}

/// The first line of a server's words: further ones are traces.
fn words(error: &ServerError) -> String {
    error.message.lines().next().unwrap_or_default().trim().to_string()
}

impl From<StarRocksError> for EngineError {
    fn from(error: StarRocksError) -> Self {
        match error {
            StarRocksError::Timeout(time) => EngineError::Timeout(time),
            StarRocksError::TooLarge { .. } => EngineError::TooLarge(error.to_string()),
            StarRocksError::Address(_)
            | StarRocksError::Unreachable { .. }
            | StarRocksError::NoEncryption(_)
            | StarRocksError::EncryptionDemanded(_)
            | StarRocksError::Untrusted { .. }
            | StarRocksError::Login { .. }
            | StarRocksError::Lost { .. }
            | StarRocksError::Failed { .. }
            | StarRocksError::Killed(_)
            | StarRocksError::Malformed(_)
            | StarRocksError::Value { .. } => EngineError::Failed(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Tls;

    fn address(tls: Tls) -> Address {
        Address::parse("mysql://me@sr.example", tls, None, |_| None).unwrap()
    }

    fn server(code: u16, message: &str) -> Error {
        Error::Server(ServerError { code, message: message.to_string(), state: "HY000".to_string() })
    }

    #[test]
    fn connecting_tells_encryption_account_and_network_apart() {
        let of = |error, tls| StarRocksError::of_connecting(error, &address(tls));
        let place = "sr.example:9030".to_string();
        let driver = |error| of(Error::Driver(error), Tls::Required);
        assert_eq!(
            driver(DriverError::NoClientSslFlagFromServer),
            StarRocksError::NoEncryption(place.clone())
        );
        assert!(matches!(driver(DriverError::CleartextPluginDisabled), StarRocksError::Login { .. }));
        let demanded = of(server(5205, "needs secure transport"), Tls::Disabled);
        assert_eq!(demanded, StarRocksError::EncryptionDemanded(place));
        let denied = of(server(1045, "Access denied for user 'me'"), Tls::Required);
        assert!(matches!(denied, StarRocksError::Login { why, .. } if why == "Access denied for user 'me'"));
        let full = of(server(1040, "Too many connections"), Tls::Required);
        assert_eq!(full, StarRocksError::Failed { code: 1040, text: "Too many connections".to_string() });
    }

    #[test]
    fn a_killed_statement_is_told_by_its_words_too() {
        let time = Duration::from_secs(5);
        let of = |error| StarRocksError::of_statement(error, &address(Tls::Required), time);
        for (code, words) in [
            (1317, "Query execution was interrupted"),
            (1064, "Unexpected exception: killed manually: KILL QUERY 10"),
        ] {
            assert_eq!(of(server(code, words)), StarRocksError::Killed(words.to_string()));
        }
        for (code, words) in [
            (1969, "max_statement_time exceeded"),
            (5025, "Query reached its limit: Query exceeded time limit of 5 seconds"),
        ] {
            assert_eq!(of(server(code, words)), StarRocksError::Timeout(time), "{code}");
        }
        let failed = of(server(1064, "Getting syntax error at line 1\nstack\nstack"));
        assert_eq!(
            failed,
            StarRocksError::Failed { code: 1064, text: "Getting syntax error at line 1".to_string() }
        );
        assert!(failed.leaves_session() && !failed.is_denied());
        assert!(matches!(of(server(1927, "Connection was killed")), StarRocksError::Lost { .. }));
        assert!(of(server(5203, "Access denied; you need the ALTER privilege")).is_denied());
    }
}
