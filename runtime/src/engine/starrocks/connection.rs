//! One connection in MySQL's text protocol. In: an address, a statement, bounds. Out: typed rows. Prepared statements are not used: several
//! versions of StarRocks answer them wrongly.

use std::net::IpAddr;
use std::time::Duration;

use mysql_async::consts::ColumnType;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts, OptsBuilder, SslOpts, Value as Wire};
use tokio::time::timeout;

use super::address::{Address, Encryption};
use super::fault::StarRocksError;
use super::values::{self, Announced};
use crate::table::{Column, Table};

/// How long a connection and its login may take.
pub(super) const CONNECT: Duration = Duration::from_secs(10);
/// What a KILL may take beyond a statement's own time.
const GRACE: Duration = Duration::from_secs(10);
/// What a farewell may take: it waits for rows that are under way, and closes without them.
const FAREWELL: Duration = Duration::from_secs(1);
/// One packet at most, and so one row.
pub(super) const MAX_PACKET: usize = 64 << 20;
/// What the server would otherwise be asked for; connections here end with a session.
const WAIT: usize = 28_800;

/// What one answer may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    /// Rows returned.
    pub(super) rows: usize,
    /// Bytes of all values.
    pub(super) bytes: usize,
    /// The statement's time, for what is said of it; the caller watches it.
    pub(super) time: Duration,
}

/// A connection that is logged in.
pub(super) struct Connection {
    conn: Conn,
    address: Address,
    /// Which of the host's addresses answered: a KILL has to reach the same front end.
    peer: IpAddr,
}

/// Connects and logs in.
pub(super) async fn connect(address: &Address) -> Result<Connection, StarRocksError> {
    let unreachable = |why: String| StarRocksError::Unreachable { address: address.place(), why };
    let found = timeout(CONNECT, tokio::net::lookup_host((address.host(), address.port()))).await;
    let found = found.map_err(|_| unreachable("its name is not found in time".to_string()))?;
    let peers: Vec<IpAddr> =
        found.map_err(|error| unreachable(error.to_string()))?.map(|peer| peer.ip()).collect();
    let mut last = unreachable("its name has no address".to_string());
    for peer in peers {
        match connect_to(address, peer).await {
            Err(error @ StarRocksError::Unreachable { .. }) => last = error,
            outcome => return outcome,
        }
    }
    Err(last)
}

async fn connect_to(address: &Address, peer: IpAddr) -> Result<Connection, StarRocksError> {
    let options = options(address, peer)?;
    let late = || StarRocksError::Unreachable {
        address: address.place(),
        why: format!("it gave no greeting within {} s", CONNECT.as_secs()),
    };
    let conn = timeout(CONNECT, Conn::new(options)).await.map_err(|_| late())?;
    let conn = conn.map_err(|error| StarRocksError::of_connecting(error, address))?;
    Ok(Connection { conn, address: address.clone(), peer })
}

/// Options with which the client asks the server nothing by itself: what it would ask for, some versions refuse.
fn options(address: &Address, peer: IpAddr) -> Result<Opts, StarRocksError> {
    let encryption = match address.encryption() {
        Encryption::Disabled => None,
        Encryption::Required { authority: None } => Some(SslOpts::default()),
        Encryption::Required { authority: Some(path) } => {
            let refused = |why: String| StarRocksError::Address(format!("has a `ca` that {why}"));
            let text = std::fs::read(path).map_err(|error| refused(format!("cannot be read: {error}")))?;
            if !String::from_utf8_lossy(&text).contains("-----BEGIN CERTIFICATE-----") {
                return Err(refused("holds no certificate in PEM".to_string()));
            }
            let known = SslOpts::default().with_root_certs(vec![text.into()]);
            Some(known.with_disable_built_in_roots(true))
        }
    };
    let builder = OptsBuilder::default()
        .ip_or_hostname(address.host())
        .tcp_port(address.port())
        .resolved_ips(Some(vec![peer]))
        .user(Some(address.user()))
        .pass(Some(address.password()))
        .ssl_opts(encryption)
        .prefer_socket(false)
        .max_allowed_packet(Some(MAX_PACKET))
        .wait_timeout(Some(WAIT));
    Ok(builder.into())
}

impl Connection {
    /// Runs a statement and reads its rows as they come. After an error, or with `truncated`, rows may still be under way.
    pub(super) async fn rows(
        &mut self,
        sql: &str,
        compiled: &[Column],
        bounds: Bounds,
    ) -> Result<Table, StarRocksError> {
        let address = self.address.clone();
        let failed = |error| StarRocksError::of_statement(error, &address, bounds.time);
        let mut result = self.conn.query_iter(sql).await.map_err(&failed)?;
        let announced: Vec<Announced> = result.columns_ref().iter().map(announced).collect();
        let columns = values::columns(&announced, compiled)?;
        let mut table = Table { columns, rows: Vec::new(), truncated: false };
        let mut bytes = 0usize;
        while let Some(row) = result.next().await.map_err(&failed)? {
            if table.rows.len() == bounds.rows {
                table.truncated = true;
                break;
            }
            let mut values = Vec::with_capacity(announced.len());
            for (at, (column, announced)) in table.columns.iter().zip(&announced).enumerate() {
                let text = match row.as_ref(at) {
                    Some(Wire::NULL) => None,
                    Some(Wire::Bytes(text)) => Some(text.as_slice()),
                    Some(_) | None => {
                        return Err(StarRocksError::Malformed("a value that is no text".to_string()));
                    }
                };
                bytes = bytes.saturating_add(text.map_or(0, <[u8]>::len));
                values.push(values::value(text, column, announced)?);
            }
            if bytes > bounds.bytes {
                return Err(StarRocksError::TooLarge { most: bounds.bytes });
            }
            table.rows.push(values);
        }
        Ok(table)
    }

    /// Whether the server still answers on this connection.
    pub(super) async fn is_alive(&mut self) -> bool {
        matches!(timeout(CONNECT, self.conn.ping()).await, Ok(Ok(())))
    }

    /// Ends the statement that runs on this connection, from another one to the same front end, and then this connection: closed first, it
    /// would leave nothing to name. A failure here adds nothing to the error that led here; the server's own limit of time remains.
    pub(super) async fn kill(self, id: u64) {
        let killed = async {
            if let Ok(mut other) = connect_to(&self.address, self.peer).await {
                let _ = other.conn.query_drop(format!("KILL QUERY {id}")).await;
                let _ = other.conn.disconnect().await;
            }
        };
        let _ = timeout(GRACE, killed).await;
        self.close().await;
    }

    /// Says farewell.
    pub(super) async fn close(self) {
        let _ = timeout(FAREWELL, self.conn.disconnect()).await;
    }
}

fn announced(column: &mysql_async::Column) -> Announced {
    // In a text's column this is the number of no digits.
    let is_decimal =
        matches!(column.column_type(), ColumnType::MYSQL_TYPE_DECIMAL | ColumnType::MYSQL_TYPE_NEWDECIMAL);
    Announced {
        name: column.name_str().into_owned(),
        wire: column.column_type(),
        scale: if is_decimal { column.decimals() } else { 0 },
    }
}
