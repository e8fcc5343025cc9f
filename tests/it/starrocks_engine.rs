//! The engine of kind starrocks against a real MariaDB, which speaks the same protocol: wire, encryption, login, failures. In: the folder that
//! UNISONO_MARIADB names; without it each test says that it did not run. Expected values are those of tests/mariadb/values.sql, by hand.

use std::fs;
use std::future::Future;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::time::timeout;
use unisono_compiler::data_type::DataType;
use unisono_runtime::engine::Limits;
use unisono_runtime::engine::starrocks::{Address, FrontEnd, STARROCKS, Session, Setup, StarRocksError};
use unisono_runtime::project::Tls;
use unisono_runtime::table::{Column, Table, Value};
use unisono_tests::helper::skip;

const LIMITS: Limits = Limits { rows: 1_000, time: Duration::from_secs(30) };

/// Of tests/mariadb/start.sh: it has every character that an address could take for one of its own.
const SECRET: &str = "p@ss:w/rd#1%41";

/// MariaDB has neither StarRocks' version nor its variables; the rest is as for StarRocks.
const MARIADB: Setup = Setup {
    who: "SELECT VERSION(), CONNECTION_ID()",
    settings: |_, _| {
        vec![("time_zone", "'+00:00'".to_string()), ("sql_mode", "'ONLY_FULL_GROUP_BY'".to_string())]
    },
    bytes: STARROCKS.bytes,
};

/// The servers that tests/mariadb/start.sh started, and the one runtime in which a test's connections live.
struct Servers {
    folder: PathBuf,
    runtime: Runtime,
}

/// The servers, or the reason why there are none.
fn servers(test: &str) -> Option<Servers> {
    let folder = std::env::var("UNISONO_MARIADB").ok();
    if folder.is_none() {
        skip(test, "UNISONO_MARIADB names no folder of tests/mariadb/start.sh");
    }
    Some(Servers { folder: PathBuf::from(folder?), runtime: Runtime::new().unwrap() })
}

fn variable(name: &str) -> Option<String> {
    (name == "PASSWORD").then(|| SECRET.to_string())
}

impl Servers {
    fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// One statement in a session of its own.
    fn ask(&self, front_end: &FrontEnd, sql: &str) -> Result<Table, StarRocksError> {
        self.wait(ask(front_end, sql))
    }

    fn opened(&self, front_end: &FrontEnd) -> Result<Session, StarRocksError> {
        self.wait(front_end.open(LIMITS.time))
    }

    /// Whether a statement with a mark runs at the server.
    fn runs(&self, front_end: &FrontEnd, mark: &str) -> bool {
        let answer = self.ask(front_end, "SHOW FULL PROCESSLIST").unwrap();
        answer.rows.iter().any(|row| row[7].text().contains(mark) && !row[7].text().contains("PROCESSLIST"))
    }

    fn port(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap().trim().to_string()
    }

    fn authority(&self) -> PathBuf {
        self.folder.join("ca.pem")
    }

    /// The server with TLS.
    fn encrypted(&self) -> FrontEnd {
        at(&format!("127.0.0.1:{}", self.port("port")), Some(&self.authority()))
    }

    /// The server without.
    fn plain(&self, tls: Tls) -> FrontEnd {
        with(&format!("mysql://reader:${{PASSWORD}}@127.0.0.1:{}", self.port("plain-port")), tls, None)
    }

    /// What the server with TLS was sent so far.
    fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.folder.join("queries.log")).unwrap()).into_owned()
    }
}

fn at(place: &str, authority: Option<&Path>) -> FrontEnd {
    with(&format!("mysql://reader:${{PASSWORD}}@{place}"), Tls::Required, authority)
}

fn with(url: &str, tls: Tls, authority: Option<&Path>) -> FrontEnd {
    FrontEnd::with(Address::parse(url, tls, authority, variable).unwrap(), MARIADB)
}

async fn ask(front_end: &FrontEnd, sql: &str) -> Result<Table, StarRocksError> {
    let mut session = front_end.open(LIMITS.time).await?;
    let answer = session.execute(sql, &[], LIMITS).await;
    session.close().await;
    answer
}

fn column(name: &str, data_type: DataType) -> Column {
    Column { name: name.to_string(), data_type }
}

fn word(text: &str) -> Value {
    Value::Text(text.to_string())
}

/// Every column of the table, with the type that a compiler would have given it and its value.
fn every_type() -> Vec<(Column, Value)> {
    let decimal = |precision, scale| DataType::Decimal { precision, scale };
    vec![
        (column("truth", DataType::Boolean), Value::Boolean(true)),
        (column("untruth", DataType::Boolean), Value::Boolean(false)),
        (column("tiny", DataType::Int8), Value::Integer(-128)),
        (column("small", DataType::Int16), Value::Integer(32_767)),
        (column("whole", DataType::Int32), Value::Integer(-2_147_483_648)),
        (column("big", DataType::Int64), Value::Integer(9_007_199_254_740_993)),
        (column("money", decimal(18, 4)), Value::Decimal { unscaled: -11_000, scale: 4 }),
        (
            column("wide", decimal(38, 0)),
            Value::Decimal { unscaled: 99_999_999_999_999_999_999_999_999_999_999_999_999, scale: 0 },
        ),
        (column("fine", decimal(38, 38)), Value::Decimal { unscaled: 1, scale: 38 }),
        (column("single", DataType::Float32), Value::Float(f64::from(0.1_f32))),
        (column("dbl", DataType::Float64), Value::Float(0.1)),
        (column("far", DataType::Float64), Value::Float(-1.5e300)),
        (column("word", DataType::String), word("Zürich \u{1f600} NULL \\ ' \"")),
        (column("nothing", DataType::String), word("")),
        (column("day", DataType::Date), Value::Date(-719_162)),
        (column("at", DataType::Timestamp), Value::Timestamp(-1_000_000)),
        (column("at6", DataType::TimestampTz), Value::Instant(1_704_164_645_678_901)),
        (column("clock", DataType::Time), Value::Time(86_399_000_000)),
        (column("clock6", DataType::Time), Value::Time(1)),
    ]
}

#[test]
fn values_of_every_type_come_exactly() {
    let Some(servers) = servers("values_of_every_type_come_exactly") else { return };
    let (columns, expected): (Vec<Column>, Vec<Value>) = every_type().into_iter().unzip();
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let sql = format!("SELECT {} FROM shapes.every_type ORDER BY nr", names.join(", "));
    for front_end in [servers.encrypted(), servers.plain(Tls::Disabled)] {
        let answer = servers.wait(async {
            let mut session = front_end.open(LIMITS.time).await?;
            session.execute(&sql, &columns, LIMITS).await
        });
        let answer = answer.unwrap();
        assert_eq!(answer.columns, columns);
        assert_eq!(answer.rows, [expected.clone(), vec![Value::Null; columns.len()]]);
        assert!(!answer.truncated);
        // Without compiled types the protocol's own ones count: all but the Booleans, the single and the instant are the same.
        let untyped = servers.ask(&front_end, &sql).unwrap();
        assert_eq!(untyped.rows[0][2..9], expected[2..9]);
        assert_eq!(untyped.rows[0][0], Value::Integer(1));
        assert_eq!(untyped.rows[0][16], Value::Timestamp(1_704_164_645_678_901));
    }
    let words = "SELECT 'nan', '-Infinity', 'NaN', NULL";
    let floats = [DataType::Float64; 4].map(|data_type| column("f", data_type));
    let answer = servers.wait(async {
        let mut session = servers.encrypted().open(LIMITS.time).await?;
        session.execute(words, &floats, LIMITS).await
    });
    // NaN is not equal to itself; its text is.
    let expected =
        [Value::Float(f64::NAN), Value::Float(f64::NEG_INFINITY), Value::Float(f64::NAN), Value::Null];
    assert_eq!(format!("{:?}", answer.unwrap().rows), format!("{:?}", [expected]));
}

#[test]
fn a_value_of_another_type_is_an_error_and_the_session_goes_on() {
    let Some(servers) = servers("a_value_of_another_type_is_an_error_and_the_session_goes_on") else {
        return;
    };
    let mut session = servers.opened(&servers.encrypted()).unwrap();
    for (sql, data_type, why) in [
        // What StarRocks does to a DATE, and MariaDB's own division.
        ("SELECT CAST('2024-02-29' AS DATETIME)", DataType::Date, "no date"),
        ("SELECT 5 / 2", DataType::Int64, "no integer"),
        ("SELECT 2", DataType::Boolean, "neither 1 nor 0"),
        ("SELECT 1.25", DataType::Decimal { precision: 18, scale: 1 }, "more digits after the point"),
        ("SELECT 300", DataType::Int8, "of that size"),
        ("SELECT 1.5", DataType::String, "another type"),
        ("SELECT X'ff'", DataType::String, "no UTF-8"),
    ] {
        match servers.wait(session.execute(sql, &[column("c", data_type)], LIMITS)) {
            Err(error @ StarRocksError::Value { .. }) => {
                assert!(error.to_string().contains(why), "{sql}: {error}");
            }
            other => panic!("{sql}: {other:?}"),
        }
    }
    let two = [column("a", DataType::Int64), column("b", DataType::Int64)];
    let outcome = servers.wait(session.execute("SELECT 1", &two, LIMITS));
    assert!(matches!(outcome, Err(StarRocksError::Malformed(_))), "{outcome:?}");
    let answer = servers.wait(session.execute("SELECT 1 + 1", &[], LIMITS)).unwrap();
    assert_eq!(answer.rows, [[Value::Integer(2)]]);
}

#[test]
fn what_the_server_refuses_is_said_in_its_words() {
    let Some(servers) = servers("what_the_server_refuses_is_said_in_its_words") else { return };
    let mut session = servers.opened(&servers.encrypted()).unwrap();
    let before = session.info().connection;
    for (sql, number, words) in [
        ("SELEC 1", 1064, "You have an error in your SQL syntax"),
        ("SELECT * FROM shapes.nope", 1146, "nope"),
        ("SELECT nope FROM shapes.every_type", 1054, "nope"),
        ("CREATE TABLE shapes.mine (a INT)", 1142, "denied"),
    ] {
        match servers.wait(session.execute(sql, &[], LIMITS)) {
            Err(StarRocksError::Failed { code, text }) => {
                assert!(code == number && text.contains(words), "{sql}: {code} {text}");
            }
            other => panic!("{sql}: {other:?}"),
        }
    }
    // On the same connection: an error that the server said ends nothing.
    let answer = servers.wait(session.execute("SELECT CONNECTION_ID()", &[], LIMITS)).unwrap();
    assert_eq!(answer.rows[0][0].text(), before.to_string());
}

#[test]
fn the_settings_come_before_the_first_question() {
    let Some(servers) = servers("the_settings_come_before_the_first_question") else { return };
    let mark = format!("SELECT 'settings-{}'", std::process::id());
    servers.ask(&servers.encrypted(), &mark).unwrap();
    let log = servers.log();
    let asked = log.lines().find(|line| line.contains(&mark)).unwrap();
    let id = asked.split_whitespace().find_map(|word| word.parse::<u64>().ok()).unwrap();
    let of_session: Vec<&str> =
        log.lines().filter(|line| line.split_whitespace().any(|word| word == id.to_string())).collect();
    let told: Vec<&str> =
        of_session.iter().filter_map(|line| line.split_once("Query\t").map(|(_, sql)| sql)).collect();
    // Nothing that the client would ask by itself.
    let expected = [
        "SELECT VERSION(), CONNECTION_ID()",
        "SET time_zone = '+00:00'",
        "SET sql_mode = 'ONLY_FULL_GROUP_BY'",
        &mark,
    ];
    assert_eq!(told, expected, "{of_session:?}");
    // A server that does not know StarRocks' functions is not taken for one.
    let address = Address::parse(
        &format!("mysql://reader:${{PASSWORD}}@127.0.0.1:{}", servers.port("port")),
        Tls::Required,
        Some(&servers.authority()),
        variable,
    );
    let outcome = servers.opened(&FrontEnd::new(address.unwrap()));
    assert!(matches!(outcome, Err(StarRocksError::Failed { .. })), "{outcome:?}");
}

#[test]
fn an_account_is_refused_without_saying_its_password() {
    let Some(servers) = servers("an_account_is_refused_without_saying_its_password") else { return };
    let port = servers.port("port");
    let ca = servers.authority();
    for url in [
        format!("mysql://reader:${{WRONG}}@127.0.0.1:{port}"),
        format!("mysql://reader@127.0.0.1:{port}"),
        format!("mysql://nobody:${{PASSWORD}}@127.0.0.1:{port}"),
    ] {
        let wrong = |name: &str| {
            if name == "WRONG" { Some("wr0ng-secret".to_string()) } else { variable(name) }
        };
        let address = Address::parse(&url, Tls::Required, Some(&ca), wrong).unwrap();
        let error = servers.opened(&FrontEnd::with(address, MARIADB)).unwrap_err();
        assert!(
            matches!(&error, StarRocksError::Login { why, .. } if why.contains("Access denied")),
            "{error:?}"
        );
        let told = format!("{error} {error:?} {:?}", error.clone().diagnostic());
        assert!(told.contains("E_LOGIN_REFUSED") || told.contains("LoginRefused"), "{told}");
        assert!(!told.contains(SECRET) && !told.contains("wr0ng-secret"), "{told}");
    }
}

#[test]
fn the_password_is_in_no_text_of_what_holds_it() {
    let Some(servers) = servers("the_password_is_in_no_text_of_what_holds_it") else { return };
    let front_end = servers.encrypted();
    let mut session = servers.opened(&front_end).unwrap();
    let failed = servers.wait(session.execute("SELECT 'x' FROM nowhere", &[], LIMITS)).unwrap_err();
    let told = format!("{front_end:?} {:#?} {session:?} {failed:?} {failed}", front_end.address());
    assert!(told.contains("reader@127.0.0.1"), "{told}");
    for part in [SECRET, "p@ss", "w/rd"] {
        assert!(!told.contains(part), "{told}");
    }
}

#[test]
fn nobody_there_is_said_in_time() {
    let Some(servers) = servers("nobody_there_is_said_in_time") else { return };
    let unreachable = |outcome: Result<Session, StarRocksError>| match outcome {
        Err(error @ StarRocksError::Unreachable { .. }) => error.diagnostic().code.to_string(),
        other => panic!("{other:?}"),
    };
    for place in ["no-such-host.invalid:9030", "127.0.0.1:1"] {
        assert_eq!(unreachable(servers.opened(&at(place, None))), "E_ENGINE_UNREACHABLE", "{place}");
    }
    // One that takes the connection and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = silent.local_addr().unwrap().to_string();
    let began = Instant::now();
    let time = Duration::from_millis(1_500);
    let outcome = servers.wait(at(&place, None).open(time));
    assert_eq!(outcome.unwrap_err(), StarRocksError::Timeout(time));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    // One that speaks another protocol.
    std::thread::spawn(move || {
        for stream in silent.incoming() {
            let _ = stream.unwrap().write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    assert_eq!(unreachable(servers.opened(&at(&place, None))), "E_ENGINE_UNREACHABLE");
}

#[test]
fn a_connection_is_encrypted_unless_that_is_waived_by_hand() {
    let Some(servers) = servers("a_connection_is_encrypted_unless_that_is_waived_by_hand") else { return };
    let error = servers.opened(&servers.plain(Tls::Required)).unwrap_err();
    assert!(matches!(error, StarRocksError::NoEncryption(_)), "{error:?}");
    let finding = error.diagnostic();
    assert_eq!(finding.code.to_string(), "E_ENCRYPTION_REQUIRED");
    assert!(finding.help[0].contains("tls: disabled"), "{finding:?}");
    let answer = servers.ask(&servers.plain(Tls::Disabled), "SHOW STATUS LIKE 'Ssl_version'").unwrap();
    assert_eq!(answer.rows[0][1], word(""));
    let answer = servers.ask(&servers.encrypted(), "SHOW STATUS LIKE 'Ssl_version'").unwrap();
    assert!(answer.rows[0][1].text().starts_with("TLSv1."), "{answer:?}");
    // The account demands encryption, and MariaDB says so in the words of a wrong password.
    let url = format!("mysql://reader:${{PASSWORD}}@127.0.0.1:{}", servers.port("port"));
    let refused = servers.opened(&with(&url, Tls::Disabled, None)).unwrap_err();
    assert!(matches!(refused, StarRocksError::Login { .. }), "{refused:?}");
}

#[test]
fn only_a_certificate_that_counts_for_that_host_is_taken() {
    let Some(servers) = servers("only_a_certificate_that_counts_for_that_host_is_taken") else { return };
    let (port, ca, other) = (servers.port("port"), servers.authority(), servers.folder.join("other-ca.pem"));
    for (host, authority) in [("127.0.0.1", None), ("127.0.0.1", Some(&other)), ("127.0.0.2", Some(&ca))] {
        let front_end = at(&format!("{host}:{port}"), authority.map(PathBuf::as_path));
        let error = servers.opened(&front_end).unwrap_err();
        assert!(matches!(error, StarRocksError::Untrusted { .. }), "{host} {authority:?}: {error:?}");
        assert_eq!(error.diagnostic().code.to_string(), "E_ENCRYPTION_REQUIRED");
    }
    assert!(servers.opened(&at(&format!("localhost:{port}"), Some(&ca))).is_ok());
    for (path, why) in [("queries.log", "no certificate"), ("nope.pem", "cannot be read")] {
        let error = servers.opened(&at(&format!("127.0.0.1:{port}"), Some(&servers.folder.join(path))));
        let error = error.unwrap_err();
        assert!(error.is_of_project_file() && error.to_string().contains(why), "{error}");
    }
}

#[test]
fn a_statement_that_hangs_is_killed_at_its_deadline() {
    let Some(servers) = servers("a_statement_that_hangs_is_killed_at_its_deadline") else { return };
    let front_end = servers.encrypted();
    let mut session = servers.opened(&front_end).unwrap();
    let (id, mark) = (session.info().connection, format!("hangs-{}", std::process::id()));
    let limits = Limits { rows: 10, time: Duration::from_secs(2) };
    let began = Instant::now();
    let outcome = servers.wait(session.execute(&format!("SELECT SLEEP(60), '{mark}'"), &[], limits));
    assert_eq!(outcome, Err(StarRocksError::Timeout(limits.time)));
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
    assert!(servers.log().contains(&format!("KILL QUERY {id}\n")), "KILL QUERY {id} was not sent");
    assert!(!servers.runs(&front_end, &mark));
    // The next statement has a new connection that began in the same way.
    let answer = servers.wait(session.execute("SELECT CONNECTION_ID(), @@time_zone", &[], LIMITS)).unwrap();
    assert_ne!(answer.rows[0][0].text(), id.to_string());
    assert_eq!(answer.rows[0][1], word("+00:00"));
}

#[test]
fn what_is_given_up_is_killed() {
    let Some(servers) = servers("what_is_given_up_is_killed") else { return };
    let front_end = servers.encrypted();
    let mut session = servers.opened(&front_end).unwrap();
    let mark = format!("given-up-{}", std::process::id());
    let sql = format!("SELECT SLEEP(60), '{mark}'");
    servers.wait(async {
        let soon = Duration::from_millis(700);
        assert!(timeout(soon, session.execute(&sql, &[], LIMITS)).await.is_err());
    });
    assert!(servers.runs(&front_end, &mark));
    let id = session.info().connection;
    servers.wait(session.cancel());
    assert!(!servers.runs(&front_end, &mark));
    assert!(servers.log().contains(&format!("KILL QUERY {id}\n")));
    assert_eq!(servers.wait(session.execute("SELECT 1", &[], LIMITS)).unwrap().rows, [[Value::Integer(1)]]);
}

#[test]
fn a_statement_that_others_end_says_so() {
    let Some(servers) = servers("a_statement_that_others_end_says_so") else { return };
    let front_end = servers.encrypted();
    for (what, is_right) in [
        ("QUERY", (|error| matches!(error, StarRocksError::Killed(_))) as fn(&StarRocksError) -> bool),
        ("CONNECTION", |error| matches!(error, StarRocksError::Lost { .. })),
    ] {
        let mut session = servers.opened(&front_end).unwrap();
        let id = session.info().connection;
        let other = front_end.clone();
        let killer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(700));
            Runtime::new().unwrap().block_on(ask(&other, &format!("KILL {what} {id}")))
        });
        // One row for each second, so that MariaDB notices.
        let error = servers
            .wait(session.execute("SELECT SUM(SLEEP(1)) FROM shapes.seq_1_to_30", &[], LIMITS))
            .unwrap_err();
        assert!(is_right(&error), "{what}: {error:?}");
        killer.join().unwrap().unwrap();
        assert_eq!(
            servers.wait(session.execute("SELECT 1", &[], LIMITS)).unwrap().rows,
            [[Value::Integer(1)]]
        );
    }
}

#[test]
fn a_session_whose_idle_connection_was_closed_goes_on_with_a_new_one() {
    let Some(servers) = servers("a_session_whose_idle_connection_was_closed_goes_on_with_a_new_one") else {
        return;
    };
    let front_end = servers.encrypted();
    let mut session = servers.opened(&front_end).unwrap();
    servers.wait(session.execute("SELECT 1", &[], LIMITS)).unwrap();
    let id = session.info().connection;
    servers.ask(&front_end, &format!("KILL CONNECTION {id}")).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let answer = servers.wait(session.execute("SELECT CONNECTION_ID(), @@time_zone", &[], LIMITS)).unwrap();
    assert_eq!(
        answer.rows[0],
        [Value::Integer(i64::try_from(session.info().connection).unwrap()), word("+00:00")]
    );
    assert_ne!(session.info().connection, id);
}

#[test]
fn no_more_rows_and_bytes_come_than_are_taken() {
    let Some(servers) = servers("no_more_rows_and_bytes_come_than_are_taken") else { return };
    let front_end = servers.encrypted();
    let mut session = servers.opened(&front_end).unwrap();
    let id = session.info().connection;
    let few = Limits { rows: 10, ..LIMITS };
    let answer = servers.wait(session.execute("SELECT seq FROM shapes.seq_1_to_10", &[], few)).unwrap();
    assert!(answer.rows.len() == 10 && !answer.truncated);
    let answer = servers.wait(session.execute("SELECT seq FROM shapes.seq_1_to_50000000", &[], few)).unwrap();
    assert!(answer.rows.len() == 10 && answer.truncated);
    assert!(servers.log().contains(&format!("KILL QUERY {id}\n")));
    assert_eq!(servers.wait(session.execute("SELECT 1", &[], few)).unwrap().rows, [[Value::Integer(1)]]);

    let narrow = FrontEnd::with(front_end.address().clone(), Setup { bytes: 10_000, ..MARIADB });
    let answer = servers.ask(&narrow, "SELECT REPEAT('x', 100) FROM shapes.seq_1_to_100").unwrap();
    assert_eq!(answer.rows.len(), 100);
    let outcome = servers.ask(&narrow, "SELECT REPEAT('x', 100) FROM shapes.seq_1_to_101");
    assert_eq!(outcome, Err(StarRocksError::TooLarge { most: 10_000 }));
}

/// Passes bytes on between a client and a server; of those from the server only so many. Then it cuts the connection, or says nothing more.
fn narrow(port: &str, bytes: usize, cuts: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = listener.local_addr().unwrap().to_string();
    let server = format!("127.0.0.1:{port}");
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (mut client, mut server) = (client.unwrap(), TcpStream::connect(&server).unwrap());
            let (mut from_client, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            std::thread::spawn(move || std::io::copy(&mut from_client, &mut to_server));
            std::thread::spawn(move || {
                let (mut left, mut buffer) = (bytes, [0; 4096]);
                while left > 0 {
                    let Ok(length @ 1..) = server.read(&mut buffer) else { return };
                    let passed = length.min(left);
                    left -= passed;
                    if client.write_all(&buffer[..passed]).is_err() {
                        return;
                    }
                }
                if cuts {
                    let _ = client.shutdown(std::net::Shutdown::Both);
                } else {
                    std::thread::sleep(Duration::from_mins(1));
                }
            });
        }
    });
    place
}

#[test]
fn a_connection_lost_in_the_middle_is_no_answer() {
    let Some(servers) = servers("a_connection_lost_in_the_middle_is_no_answer") else { return };
    let sql = "SELECT seq, REPEAT('x', 1000) FROM shapes.seq_1_to_1000";
    for (cuts, time) in [(true, Duration::from_secs(20)), (false, Duration::from_secs(2))] {
        let place = narrow(&servers.port("plain-port"), 100_000, cuts);
        let front_end = with(&format!("mysql://reader:${{PASSWORD}}@{place}"), Tls::Disabled, None);
        let began = Instant::now();
        let error = servers.wait(async {
            let mut session = front_end.open(LIMITS.time).await?;
            session.execute(sql, &[], Limits { rows: 1_000, time }).await
        });
        let error = error.unwrap_err();
        let is_right = match &error {
            StarRocksError::Lost { .. } => cuts,
            StarRocksError::Timeout(_) => !cuts,
            _ => false,
        };
        assert!(is_right, "{cuts}: {error:?}");
        assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    }
}
