//! One request to a gateway. In: a method, a path, a body. Out: the JSON of a success, or a typed error. Answers are bounded, redirects are
//! not followed: they could lead to a host that was never allowed.

use std::time::Duration;

use reqwest::{Client, Method};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::address::Address;
use super::fault::FlinkError;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);

/// One answer at most. A page of rows is far smaller; the text of an error has some 10 kB.
const MAX_ANSWER: usize = 64 << 20;

/// A client of one gateway.
#[derive(Clone, Debug)]
pub(super) struct Http {
    client: Client,
    address: Address,
}

impl Http {
    pub(super) fn new(address: Address) -> Result<Http, FlinkError> {
        let mut builder = Client::builder()
            .connect_timeout(CONNECT)
            .redirect(reqwest::redirect::Policy::none())
            .http1_only();
        if address.is_loopback() {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| unreachable(&address, &error))?;
        Ok(Http { client, address })
    }

    pub(super) fn address(&self) -> &Address {
        &self.address
    }

    /// The answer, and how many bytes it had.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(T, usize), FlinkError> {
        let mut request = self.client.request(method, format!("{}{path}", self.address.as_str()));
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let mut response = request.send().await.map_err(|error| unreachable(&self.address, &error))?;
        let status = response.status();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(&self.address, &error))? {
            if bytes.len() + chunk.len() > MAX_ANSWER {
                return Err(FlinkError::TooLarge { most: MAX_ANSWER });
            }
            bytes.extend_from_slice(&chunk);
        }
        if !status.is_success() {
            return Err(FlinkError::of_answer(status.as_u16(), &bytes));
        }
        let value =
            serde_json::from_slice(&bytes).map_err(|error| FlinkError::Malformed(error.to_string()))?;
        Ok((value, bytes.len()))
    }
}

/// The innermost words of a failed connection: the outer ones repeat the address.
fn unreachable(address: &Address, error: &reqwest::Error) -> FlinkError {
    let mut inner: &dyn std::error::Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    FlinkError::Unreachable { address: address.as_str().to_string(), why: inner.to_string() }
}
