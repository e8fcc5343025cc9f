//! Where a gateway is, and whether it may be talked to without encryption. In: the address as the project file has it, the environment.
//! Out: an address that is safe to use and to show, or why not.

use super::fault::FlinkError;
use crate::engine::address::{expand, is_loopback};
use crate::project::Tls;

/// The address of a gateway: scheme, host and port, nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    text: String,
    is_loopback: bool,
    is_plain: bool,
}

impl Address {
    /// `http://host:port` or `https://host:port`. `${NAME}` stands for a variable of the environment. Without TLS only loopback is allowed, and what
    /// `tls: disabled` allows by hand.
    pub fn parse(
        text: &str,
        tls: Tls,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Address, FlinkError> {
        // What the variables held is not shown: only the text of the file is.
        let refused = |why: &str| Err(FlinkError::Address(format!("`{text}` {why}")));
        let expanded = match expand(text, &variable) {
            Ok(expanded) => expanded,
            Err(why) => return refused(&why),
        };
        let Ok(url) = reqwest::Url::parse(&expanded) else {
            return refused("is no address: write it as http://127.0.0.1:8083");
        };
        let is_plain = match url.scheme() {
            "http" => true,
            "https" => false,
            _ => return refused("is neither http:// nor https://"),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return refused("holds a user or a password, and the gateway knows neither");
        }
        if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return refused("has more than a host and a port");
        }
        let Some(host) = url.host_str() else { return refused("names no host") };
        let is_loopback = is_loopback(host);
        if is_plain && !is_loopback && tls == Tls::Required {
            return refused("is not encrypted: use https://, or write `tls: disabled` beside it");
        }
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        Ok(Address { text: format!("{}://{host}{port}", url.scheme()), is_loopback, is_plain })
    }

    /// Without a `/` at the end.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is this machine.
    pub fn is_loopback(&self) -> bool {
        self.is_loopback
    }

    /// Another port or host of the same cluster, under the same rule: unencrypted only on loopback, or where that was waived for this one.
    pub(super) fn beside(&self, host: &str, port: &str) -> Result<Address, FlinkError> {
        let tls = if self.warning().is_some() { Tls::Disabled } else { Tls::Required };
        Address::parse(&format!("http://{host}:{port}"), tls, |_| None)
    }

    /// What has to be said at every start: that others can read and change what is sent.
    pub fn warning(&self) -> Option<String> {
        (self.is_plain && !self.is_loopback)
            .then(|| format!("the connection to {} is not encrypted (`tls: disabled`)", self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, tls: Tls) -> Result<Address, String> {
        let variable = |name: &str| (name == "GATEWAY").then(|| "http://127.0.0.1:8083".to_string());
        Address::parse(text, tls, variable).map_err(|error| error.to_string())
    }

    #[test]
    fn loopback_needs_no_encryption() {
        for text in
            ["http://127.0.0.1:8083", "http://localhost:8083/", "http://[::1]:8083", "http://127.8.9.10"]
        {
            let address = parse(text, Tls::Required).unwrap();
            assert_eq!((address.as_str(), address.warning()), (text.trim_end_matches('/'), None));
        }
        assert_eq!(parse("${GATEWAY}", Tls::Required).unwrap().as_str(), "http://127.0.0.1:8083");
    }

    #[test]
    fn other_hosts_do_unless_it_is_waived_by_hand_and_then_said() {
        let refused = parse("http://flink.example:8083", Tls::Required).unwrap_err();
        assert!(refused.contains("is not encrypted") && refused.contains("tls: disabled"), "{refused}");
        for text in
            ["http://localhost.example", "http://127.0.0.1.example", "http://128.0.0.1", "http://0.0.0.0:1"]
        {
            assert!(parse(text, Tls::Required).is_err(), "{text}");
        }
        let waived = parse("http://flink.example:8083", Tls::Disabled).unwrap();
        assert!(waived.warning().unwrap().contains("not encrypted"));
        assert_eq!(parse("https://flink.example", Tls::Required).unwrap().warning(), None);
    }

    #[test]
    fn what_is_no_bare_address_is_refused_and_variables_are_not_shown() {
        for (text, why) in [
            ("flink:8083", "neither http"),
            ("127.0.0.1", "no address"),
            ("http://me:secret@127.0.0.1", "a user"),
            ("http://127.0.0.1/v3", "more than a host"),
            ("http://127.0.0.1?a=b", "more than a host"),
            ("${NOWHERE}", "NOWHERE"),
            ("${GATEWAY", "without its"),
        ] {
            let refused = parse(text, Tls::Disabled).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
        }
        let refused = parse("${GATEWAY}/x", Tls::Required).unwrap_err();
        assert!(refused.contains("${GATEWAY}/x") && !refused.contains("8083"), "{refused}");
    }
}
