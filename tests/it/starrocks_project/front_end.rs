//! A stand-in for a front end of StarRocks: MySQL's protocol on loopback, without encryption, any account. In: a version, and what answers a
//! statement. Out: what it was asked, in order; which connections never got an answer.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use unisono_tests::value::{Kind, Table, Value};

/// A column's type in the protocol.
pub(super) type Wire = u8;
/// Digits with a point.
pub(super) const DECIMAL: Wire = 246;
/// A text.
pub(super) const TEXT: Wire = 253;
const TINY: Wire = 1;
const LONGLONG: Wire = 8;
const DOUBLE: Wire = 5;
const DATE: Wire = 10;
const DATETIME: Wire = 12;

/// What a statement gets.
pub(super) enum Answer {
    /// Columns and rows.
    Rows(Vec<(String, Wire)>, Vec<Vec<Option<String>>>),
    /// An error.
    Fault(u16, String),
    /// Nothing, until the client goes away.
    Never,
}

/// A server that runs.
pub(super) struct StandIn {
    /// Where it listens.
    pub(super) port: u16,
    heard: Arc<Mutex<Heard>>,
}

#[derive(Default)]
struct Heard {
    asked: Vec<String>,
    hung: Vec<u32>,
    connections: u32,
}

impl StandIn {
    /// Starts a server. It answers by itself what every session begins with, and REFRESH.
    pub(super) fn start(version: &str, answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> StandIn {
        StandIn::with(version, true, answer)
    }

    /// The same for accounts without ALTER on tables.
    pub(super) fn without_alter(
        version: &str,
        answer: impl Fn(&str) -> Answer + Send + Sync + 'static,
    ) -> StandIn {
        StandIn::with(version, false, answer)
    }

    fn with(
        version: &str,
        may_alter: bool,
        answer: impl Fn(&str) -> Answer + Send + Sync + 'static,
    ) -> StandIn {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Heard::default()));
        let (of_server, version, answer) = (Arc::clone(&heard), version.to_string(), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (heard, version, answer) = (Arc::clone(&of_server), version.clone(), Arc::clone(&answer));
                thread::spawn(move || serve(stream, &heard, (&version, may_alter), answer.as_ref()));
            }
        });
        StandIn { port, heard }
    }

    /// Every statement that came.
    pub(super) fn asked(&self) -> Vec<String> {
        self.heard.lock().unwrap().asked.clone()
    }

    /// The connections with a statement that got no answer.
    pub(super) fn hung(&self) -> Vec<u32> {
        self.heard.lock().unwrap().hung.clone()
    }
}

/// The oracle's rows in the protocol's texts.
pub(super) fn told(table: &Table) -> Answer {
    let wire = |kind: Kind| match kind {
        Kind::Boolean => TINY,
        Kind::Exact => DECIMAL,
        Kind::Float => DOUBLE,
        Kind::Any | Kind::Text => TEXT,
        Kind::Date => DATE,
        Kind::Timestamp => DATETIME,
    };
    let word = |value: &Value| match value {
        Value::Null => None,
        Value::Boolean(value) => Some(u8::from(*value).to_string()),
        Value::Exact(text) | Value::Text(text) | Value::Date(text) => Some(text.clone()),
        Value::Float(value) => Some(value.to_string()),
        // As StarRocks writes it: six digits, or none where they are zero.
        Value::Timestamp(text) => Some(text.trim_end_matches(".000000").to_string()),
    };
    let columns = table.columns.iter().map(|column| (column.name.clone(), wire(column.kind))).collect();
    Answer::Rows(columns, table.rows.iter().map(|row| row.iter().map(word).collect()).collect())
}

/// One connection.
fn serve(
    mut stream: TcpStream,
    heard: &Mutex<Heard>,
    (version, may_alter): (&str, bool),
    answer: &dyn Fn(&str) -> Answer,
) -> Option<()> {
    let id = {
        let mut heard = heard.lock().unwrap();
        heard.connections += 1;
        heard.connections + 100
    };
    send(&mut stream, 0, &greeting(id))?;
    let (sequence, _) = receive(&mut stream)?;
    send(&mut stream, sequence + 1, &OK)?;
    loop {
        let (_, packet) = receive(&mut stream)?;
        let (command, body) = packet.split_first()?;
        match command {
            0x01 => return None,
            0x03 => {}
            _ => {
                send(&mut stream, 1, &OK)?;
                continue;
            }
        }
        let sql = String::from_utf8_lossy(body).into_owned();
        heard.lock().unwrap().asked.push(sql.clone());
        let own = if sql == "SELECT current_version(), connection_id()" {
            let columns = vec![("v".to_string(), TEXT), ("c".to_string(), LONGLONG)];
            Some(Answer::Rows(columns, vec![vec![Some(version.to_string()), Some(id.to_string())]]))
        } else if sql.starts_with("SET ") || sql.starts_with("KILL ") {
            None
        } else if sql.starts_with("REFRESH ") {
            (!may_alter)
                .then(|| Answer::Fault(5203, "Access denied; you need the ALTER privilege".to_string()))
        } else {
            Some(answer(&sql))
        };
        match own {
            None => send(&mut stream, 1, &OK)?,
            Some(Answer::Rows(columns, rows)) => rows_of(&mut stream, &columns, &rows)?,
            Some(Answer::Fault(code, words)) => {
                let mut packet = vec![0xff];
                packet.extend(code.to_le_bytes());
                packet.extend(b"#HY000");
                packet.extend(words.as_bytes());
                send(&mut stream, 1, &packet)?;
            }
            Some(Answer::Never) => heard.lock().unwrap().hung.push(id),
        }
    }
}

const OK: [u8; 7] = [0, 0, 0, 2, 0, 0, 0];
const END: [u8; 5] = [0xfe, 0, 0, 2, 0];

fn greeting(id: u32) -> Vec<u8> {
    // Protocol 4.1, authentication of its kind, by plugin; no encryption.
    let capabilities: u32 = 0x1 | 0x200 | 0x8000 | 0x8_0000;
    let [low, high] = [capabilities & 0xffff, capabilities >> 16].map(|half| u16::try_from(half).unwrap());
    let mut packet = vec![10];
    packet.extend(b"8.0.33\0");
    packet.extend(id.to_le_bytes());
    packet.extend(b"12345678\0");
    packet.extend(low.to_le_bytes());
    packet.push(33);
    packet.extend([2, 0]);
    packet.extend(high.to_le_bytes());
    packet.push(21);
    packet.extend([0; 10]);
    packet.extend(b"123456789012\0");
    packet.extend(b"mysql_native_password\0");
    packet
}

fn rows_of(stream: &mut TcpStream, columns: &[(String, Wire)], rows: &[Vec<Option<String>>]) -> Option<()> {
    let mut sequence = 1;
    let mut next = |packet: &[u8]| {
        let sent = send(stream, sequence, packet);
        sequence = sequence.wrapping_add(1);
        sent
    };
    next(&[u8::try_from(columns.len()).unwrap()])?;
    for (name, wire) in columns {
        let mut packet = Vec::new();
        for text in ["def", "", "", "", name, ""] {
            packet.extend(length_and(text));
        }
        packet.extend([0x0c, 33, 0, 255, 0, 0, 0, *wire, 0, 0, 0, 0, 0]);
        next(&packet)?;
    }
    next(&END)?;
    for row in rows {
        let mut packet = Vec::new();
        for value in row {
            match value {
                Some(text) => packet.extend(length_and(text)),
                None => packet.push(0xfb),
            }
        }
        next(&packet)?;
    }
    next(&END)
}

fn length_and(text: &str) -> Vec<u8> {
    let length = text.len();
    let mut bytes = match u8::try_from(length) {
        Ok(short @ 0..=250) => vec![short],
        Ok(_) | Err(_) => {
            let mut long = vec![0xfc];
            long.extend(u16::try_from(length).unwrap().to_le_bytes());
            long
        }
    };
    bytes.extend(text.as_bytes());
    bytes
}

/// A packet's number and content; nothing once the client is gone.
fn receive(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut header = [0; 4];
    stream.read_exact(&mut header).ok()?;
    let length = usize::from(header[0]) | usize::from(header[1]) << 8 | usize::from(header[2]) << 16;
    let mut packet = vec![0; length];
    stream.read_exact(&mut packet).ok()?;
    Some((header[3], packet))
}

fn send(stream: &mut TcpStream, sequence: u8, packet: &[u8]) -> Option<()> {
    let length = u32::try_from(packet.len()).unwrap().to_le_bytes();
    let mut whole = vec![length[0], length[1], length[2], sequence];
    whole.extend(packet);
    stream.write_all(&whole).ok()
}
