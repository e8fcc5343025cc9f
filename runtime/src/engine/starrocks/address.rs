//! Where a front end is and who logs in there. In: the address as the project file has it, the environment. Out: an address that is safe to
//! use and to show, or why not. The password is in no text that comes out of here.

use std::fmt;
use std::path::{Path, PathBuf};

use super::fault::StarRocksError;
use crate::engine::address::{expand, is_loopback};
use crate::project::Tls;

/// The port of a front end where none is written.
const PORT: u16 = 9030;

/// A front end and an account of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
    user: String,
    password: String,
    encryption: Encryption,
}

/// Whether the connection is encrypted.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Encryption {
    /// It is, or there is none; the certificate is checked.
    Required {
        /// The only authority whose certificates count; without it those that the system trusts.
        authority: Option<PathBuf>,
    },
    /// It is not: that was allowed by hand.
    Disabled,
}

impl Address {
    /// `mysql://user:${NAME}@host:port`, or one variable that holds such an address with the parts percent-encoded. `${NAME}` stands for a
    /// variable of the environment with whatever characters it holds; a password is written in no other way.
    pub fn parse(
        text: &str,
        tls: Tls,
        authority: Option<&Path>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Address, StarRocksError> {
        let refused = |why: &str| StarRocksError::Address(why.to_string());
        let parts = match text.strip_prefix("mysql://") {
            Some(rest) => {
                let parts = split(rest).map_err(refused)?;
                let password = parts.password.unwrap_or_default();
                if !password.is_empty() && !is_variable(password) {
                    return Err(refused("holds a password: put it into a variable and write `${NAME}`"));
                }
                let expanded = |part: &str| expand(part, &variable).map_err(|why| refused(&why));
                Owned {
                    user: expanded(parts.user)?,
                    password: expanded(password)?,
                    host: expanded(parts.host)?,
                    port: parts.port.map(expanded).transpose()?,
                }
            }
            None if is_variable(text) => {
                let whole = expand(text, &variable).map_err(|why| refused(&why))?;
                let rest = whole.strip_prefix("mysql://").ok_or_else(|| refused(FORM))?;
                let parts = split(rest).map_err(refused)?;
                let decoded = |part: &str| percent_decoded(part).ok_or_else(|| refused(FORM));
                Owned {
                    user: decoded(parts.user)?,
                    password: decoded(parts.password.unwrap_or_default())?,
                    host: parts.host.to_string(),
                    port: parts.port.map(ToString::to_string),
                }
            }
            None => return Err(refused(FORM)),
        };
        let port = match parts.port {
            Some(port) => port.parse().map_err(|_| refused("has a port that is no number up to 65535"))?,
            None => PORT,
        };
        if parts.user.is_empty() {
            return Err(refused("names no user: write it as mysql://user:${NAME}@host:9030"));
        }
        let is_host = |c: char| c.is_ascii_alphanumeric() || ".-_:%".contains(c);
        let host =
            parts.host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(&parts.host);
        if host.is_empty() || !host.chars().all(is_host) {
            return Err(refused("names no host"));
        }
        let encryption = match tls {
            Tls::Required => Encryption::Required { authority: authority.map(Path::to_path_buf) },
            Tls::Disabled => Encryption::Disabled,
        };
        Ok(Address { host: host.to_string(), port, user: parts.user, password: parts.password, encryption })
    }

    /// Host and port: what messages show.
    pub fn place(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }

    /// What has to be said at every start: that others can read and change what is sent.
    pub fn warning(&self) -> Option<String> {
        (self.encryption == Encryption::Disabled && !is_loopback(&self.host))
            .then(|| format!("the connection to {} is not encrypted (`tls: disabled`)", self.place()))
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn user(&self) -> &str {
        &self.user
    }

    pub(super) fn password(&self) -> &str {
        &self.password
    }

    pub(super) fn encryption(&self) -> &Encryption {
        &self.encryption
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.user, self.place())
    }
}

const FORM: &str = "is no address of a front end: write it as mysql://user:${NAME}@host:9030";

/// The parts of an address, as they stand in it.
struct Parts<'t> {
    user: &'t str,
    password: Option<&'t str>,
    host: &'t str,
    port: Option<&'t str>,
}

/// The same without variables.
struct Owned {
    user: String,
    password: String,
    host: String,
    port: Option<String>,
}

/// What stands behind `mysql://`.
fn split(rest: &str) -> Result<Parts<'_>, &'static str> {
    let (account, place) = rest.rsplit_once('@').unwrap_or(("", rest));
    let place = place.strip_suffix('/').unwrap_or(place);
    if place.contains(['/', '?', '#']) {
        return Err("has more than an account, a host and a port");
    }
    let (user, password) = match account.split_once(':') {
        Some((user, password)) => (user, Some(password)),
        None => (account, None),
    };
    let (host, port) = match place.rfind(']') {
        Some(end) => (&place[..=end], place[end + 1..].strip_prefix(':')),
        None => match place.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (place, None),
        },
    };
    Ok(Parts { user, password, host, port })
}

/// Exactly one `${NAME}`.
fn is_variable(text: &str) -> bool {
    let name = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    name.is_some_and(|name| !name.is_empty() && !name.contains(['$', '{', '}']))
}

/// The text with `%41` as `A`.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "p@ss:w/rd#1%41";

    fn variable(name: &str) -> Option<String> {
        match name {
            "PASSWORD" => Some(SECRET.to_string()),
            "WHOLE" => Some("mysql://me:p%40ss%3Aw%2Frd%231%2541@sr.example".to_string()),
            "BROKEN" => Some(format!("mysql://me:{SECRET}@sr.example:9030/db")),
            _ => None,
        }
    }

    fn parse(text: &str, tls: Tls) -> Result<Address, String> {
        Address::parse(text, tls, None, variable).map_err(|error| error.to_string())
    }

    #[test]
    fn a_variable_holds_any_characters() {
        let address = parse("mysql://reader:${PASSWORD}@sr.example:9031", Tls::Required).unwrap();
        assert_eq!(
            (address.user(), address.password(), address.host(), address.port()),
            ("reader", SECRET, "sr.example", 9031)
        );
        let whole = parse("${WHOLE}", Tls::Required).unwrap();
        assert_eq!((whole.user(), whole.password(), whole.port()), ("me", SECRET, PORT));
        let six = parse("mysql://me@[::1]:9030/", Tls::Disabled).unwrap();
        assert_eq!((six.host(), six.place().as_str(), six.password()), ("::1", "[::1]:9030", ""));
    }

    #[test]
    fn the_password_is_in_no_text() {
        let address = parse("mysql://reader:${PASSWORD}@sr.example", Tls::Required).unwrap();
        assert_eq!(format!("{address:?} {}", address.place()), "reader@sr.example:9030 sr.example:9030");
        for text in
            ["${BROKEN}", "mysql://me:${PASSWORD}@", "mysql://me:${PASSWORD}@h:x", "mysql://:${PASSWORD}@h"]
        {
            let refused = Address::parse(text, Tls::Required, None, variable).unwrap_err();
            assert!(!format!("{refused} {refused:?}").contains(SECRET), "{text}: {refused:?}");
        }
        let literal = Address::parse("mysql://me:hunter2@h", Tls::Required, None, variable).unwrap_err();
        let told = format!("{literal} {literal:?}");
        assert!(told.contains("holds a password") && !told.contains("hunter2"), "{told}");
    }

    #[test]
    fn what_is_no_such_address_is_refused() {
        for (text, why) in [
            ("sr.example:9030", "is no address"),
            ("http://me@h", "is no address"),
            ("mysql://h:9030", "names no user"),
            ("mysql://me@", "names no host"),
            ("mysql://me@h:9030/db", "more than an account"),
            ("mysql://me@h?ssl=false", "more than an account"),
            ("mysql://me@h:99999", "a port"),
            ("mysql://me:a${PASSWORD}@h", "holds a password"),
            ("mysql://me:${NOWHERE}@h", "NOWHERE"),
            ("mysql://me:${PASSWORD@h", "holds a password"),
            ("${NOWHERE}", "NOWHERE"),
        ] {
            let refused = parse(text, Tls::Required).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }

    #[test]
    fn only_what_leaves_the_machine_unencrypted_is_warned_of() {
        let warning = |text, tls| parse(text, tls).unwrap().warning();
        assert!(warning("mysql://me@sr.example", Tls::Disabled).unwrap().contains("not encrypted"));
        assert_eq!(warning("mysql://me@sr.example", Tls::Required), None);
        assert_eq!(warning("mysql://me@127.0.0.1", Tls::Disabled), None);
    }
}
