//! The client against pages written by hand, served by a socket of this process. In: what the server is to be asked, with its answers.
//! Out: what the client made of them; a request that is not expected fails the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

use unisono_dialects::{parse_target, session_settings};

use super::*;
use crate::engine::datafusion::block_on;
use crate::project::Tls;
use crate::table::Value;

const SESSION: &str = "1e759d68-348f-42a5-9049-599475cfe6f1";
const OPERATION: &str = "19d4bb77-b974-4e72-b066-868ce40db49a";

/// A status that comes only when nobody waits for it any more.
const SLOW: u16 = 599;

/// A request line's start, the status, the body.
type Exchange = (String, u16, String);

/// Serves the exchanges in their order; gives the bodies that came.
fn serve(exchanges: Vec<Exchange>) -> (Gateway, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        let mut bodies = Vec::new();
        for (expected, status, answer) in exchanges {
            let (mut stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            assert!(line.starts_with(&format!("{expected} ")), "{line} instead of {expected}");
            let mut length = 0;
            loop {
                let mut header = String::new();
                reader.read_line(&mut header).unwrap();
                if let Some(text) = header.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = text.trim().parse().unwrap();
                }
                if header.trim().is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            bodies.push(String::from_utf8(body).unwrap());
            if status == SLOW {
                thread::sleep(Duration::from_secs(2));
            }
            let head = format!(
                "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                answer.len()
            );
            // A client that gave up has closed its end.
            let _ = stream.write_all(format!("{head}{answer}").as_bytes());
        }
        bodies
    });
    let address = Address::parse(&address, Tls::Required, |_| None).unwrap();
    (Gateway::new(address, vec![("parallelism.default".to_string(), "2".to_string())]).unwrap(), server)
}

fn opened() -> Exchange {
    ("POST /v3/sessions".to_string(), 200, format!(r#"{{"sessionHandle":"{SESSION}"}}"#))
}

fn submitted() -> Exchange {
    let path = format!("POST /v3/sessions/{SESSION}/statements");
    (path, 200, format!(r#"{{"operationHandle":"{OPERATION}"}}"#))
}

fn uri(token: u32) -> String {
    format!("/v3/sessions/{SESSION}/operations/{OPERATION}/result/{token}?rowFormat=PLAIN_TEXT")
}

/// A page that the next one follows.
fn page(token: u32, data: &str) -> Exchange {
    let columns = r#"[{"name":"id","logicalType":{"type":"INTEGER","nullable":false},"comment":null},
        {"name":"d","logicalType":{"type":"DECIMAL","nullable":true,"precision":18,"scale":2},"comment":null}]"#;
    let answer = format!(
        r#"{{"resultType":"PAYLOAD","isQueryResult":true,"jobID":"753b","resultKind":"SUCCESS_WITH_CONTENT",
            "results":{{"columns":{columns},"rowFormat":"PLAIN_TEXT","data":[{data}]}},"nextResultUri":"{}"}}"#,
        uri(token + 1)
    );
    (format!("GET {}", uri(token)), 200, answer)
}

fn end(token: u32) -> Exchange {
    let answer = r#"{"resultType":"EOS","isQueryResult":true,"results":{"columns":[],"data":[]}}"#;
    (format!("GET {}", uri(token)), 200, answer.to_string())
}

fn closed(method: &str, path: &str) -> Exchange {
    (format!("{method} /v3/sessions/{SESSION}{path}"), 200, r#"{"status":"CLOSED"}"#.to_string())
}

fn close_operation() -> Exchange {
    closed("DELETE", &format!("/operations/{OPERATION}/close"))
}

fn cancel_operation() -> Exchange {
    closed("POST", &format!("/operations/{OPERATION}/cancel"))
}

fn failed(path: String, cause: &str) -> Exchange {
    let body = format!(
        r#"{{"errors":["Internal server error.","<Exception on server side:\na.B: b\nCaused by: x.Y: outer\nCaused by: {cause}\n"]}}"#
    );
    (path, 500, body)
}

/// One statement in one session.
fn run(mode: Mode, exchanges: Vec<Exchange>, limits: Limits) -> (Result<Answer, FlinkError>, Vec<String>) {
    let mut all = vec![opened(), submitted()];
    all.extend(exchanges);
    all.push(closed("DELETE", ""));
    let (gateway, server) = serve(all);
    let outcome = block_on(async {
        let session = gateway.open(mode).await.unwrap();
        let outcome = session.execute("SELECT 'it''s'", limits).await;
        session.close().await;
        outcome
    });
    (outcome.unwrap(), server.join().unwrap())
}

#[test]
fn pages_are_followed_to_the_end_and_the_operation_is_closed() {
    let not_ready = format!(r#"{{"resultType":"NOT_READY","nextResultUri":"{}"}}"#, uri(0));
    let exchanges = vec![
        (format!("GET {}", uri(0)), 200, not_ready),
        page(0, ""),
        page(1, r#"{"kind":"INSERT","fields":["1","12.30"]},{"kind":"UPDATE_AFTER","fields":["2",null]}"#),
        page(2, r#"{"kind":"INSERT","fields":["1","12.30"]}"#),
        end(3),
        close_operation(),
    ];
    let (answer, bodies) = run(Mode::Batch, exchanges, Limits::DEFAULT);
    let answer = answer.unwrap();
    let money = Value::Decimal { unscaled: 1_230, scale: 2 };
    let row = vec![Value::Integer(1), money];
    assert_eq!(answer.table.rows, [row.clone(), vec![Value::Integer(2), Value::Null], row]);
    assert_eq!(answer.job.as_deref(), Some("753b"));
    let settings: Json = serde_json::from_str(&bodies[0]).unwrap();
    assert_eq!(
        settings["properties"],
        json!({"parallelism.default": "2", "execution.runtime-mode": "batch", "table.dml-sync": "true",
            "table.exec.legacy-cast-behaviour": "DISABLED", "table.local-time-zone": "UTC"})
    );
    assert_eq!(bodies[1], r#"{"statement":"SELECT 'it''s'"}"#);
}

#[test]
fn a_stream_gives_the_rows_that_are_left() {
    let exchanges = vec![
        page(0, r#"{"kind":"INSERT","fields":["1","4.00"]},{"kind":"INSERT","fields":["2","1.00"]}"#),
        page(
            1,
            r#"{"kind":"UPDATE_BEFORE","fields":["1","4.00"]},{"kind":"UPDATE_AFTER","fields":["1","8.00"]}"#,
        ),
        page(2, r#"{"kind":"DELETE","fields":["2","1.00"]}"#),
        end(3),
        close_operation(),
    ];
    let (answer, bodies) = run(Mode::Streaming, exchanges, Limits::DEFAULT);
    let row = vec![Value::Integer(1), Value::Decimal { unscaled: 800, scale: 2 }];
    assert_eq!(answer.unwrap().table.rows, [row]);
    let settings: Json = serde_json::from_str(&bodies[0]).unwrap();
    assert_eq!(settings["properties"]["execution.runtime-mode"], "streaming");
    assert_eq!(settings["properties"]["table.dml-sync"], "false");
}

#[test]
fn rows_beyond_the_limit_are_not_fetched_and_the_answer_says_so() {
    let exchanges = vec![
        page(0, r#"{"kind":"INSERT","fields":["1","4.00"]},{"kind":"INSERT","fields":["2","1.00"]}"#),
        close_operation(),
    ];
    let (answer, _) = run(Mode::Batch, exchanges, Limits { rows: 1, ..Limits::DEFAULT });
    let table = answer.unwrap().table;
    assert_eq!((table.rows.len(), table.truncated), (1, true));
}

#[test]
fn a_failure_after_the_first_rows_is_a_failure() {
    let exchanges = vec![
        page(0, r#"{"kind":"INSERT","fields":["1","4.00"]}"#),
        failed(format!("GET {}", uri(1)), "java.lang.ArithmeticException: / by zero"),
        cancel_operation(),
        close_operation(),
    ];
    let (answer, _) = run(Mode::Batch, exchanges, Limits::DEFAULT);
    assert_eq!(answer, Err(FlinkError::Failed("ArithmeticException: / by zero".to_string())));
}

#[test]
fn the_deadline_is_the_clients_and_cancels() {
    let time = Duration::from_secs(1);
    let exchanges =
        vec![(format!("GET {}", uri(0)), SLOW, String::new()), cancel_operation(), close_operation()];
    let (answer, _) = run(Mode::Batch, exchanges, Limits { time, ..Limits::DEFAULT });
    assert_eq!(answer, Err(FlinkError::Timeout(time)));
}

#[test]
fn a_lost_session_is_told() {
    let path = format!("POST /v3/sessions/{SESSION}/statements");
    let cause = format!(
        "org.apache.flink.table.gateway.api.utils.SqlGatewayException: Session '{SESSION}' does not exist."
    );
    let (gateway, server) = serve(vec![opened(), failed(path, &cause)]);
    let outcome = block_on(async {
        let session = gateway.open(Mode::Batch).await.unwrap();
        session.execute("SELECT 1", Limits::DEFAULT).await
    });
    assert_eq!(outcome.unwrap(), Err(FlinkError::UnknownSession));
    server.join().unwrap();
}

#[test]
fn answers_that_break_the_protocol_are_not_followed() {
    for (answer, words) in [
        (r#"{"resultType":"PAYLOAD","results":{"columns":[],"data":[]}}"#, "breaks off"),
        (
            r#"{"resultType":"PAYLOAD","results":{"columns":[],"data":[]},"nextResultUri":"/v3/sessions/other"}"#,
            "not one of this",
        ),
        (
            r#"{"resultType":"PAYLOAD","results":{"columns":[],"data":[]},"nextResultUri":"http://example.com/"}"#,
            "not one of this",
        ),
        ("<html>", "expected value"),
        (r#"{"resultType":"SOMETHING"}"#, "unknown variant"),
    ] {
        let first = (format!("GET {}", uri(0)), 200, answer.to_string());
        let (outcome, _) =
            run(Mode::Batch, vec![first, cancel_operation(), close_operation()], Limits::DEFAULT);
        assert!(
            outcome.as_ref().is_err_and(|error| error.to_string().contains(words)),
            "{answer}: {outcome:?}"
        );
    }
    let (gateway, server) =
        serve(vec![("POST /v3/sessions".to_string(), 200, r#"{"sessionHandle":"../x"}"#.to_string())]);
    assert!(matches!(block_on(gateway.open(Mode::Batch)).unwrap(), Err(FlinkError::Malformed(_))));
    server.join().unwrap();
}

#[test]
fn nobody_there_and_somebody_else_there_are_told_apart() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = Address::parse(&format!("http://127.0.0.1:{port}"), Tls::Required, |_| None).unwrap();
    let gateway = Gateway::new(address, Vec::new()).unwrap();
    let outcome = block_on(gateway.info(Duration::from_secs(5))).unwrap();
    assert!(matches!(outcome, Err(FlinkError::Unreachable { .. })), "{outcome:?}");

    let (gateway, server) = serve(vec![("GET /v3/info".to_string(), 301, "moved".to_string())]);
    let outcome = block_on(gateway.info(Duration::from_secs(5))).unwrap();
    assert_eq!(outcome, Err(FlinkError::Http { status: 301, text: "moved".to_string() }));
    server.join().unwrap();

    let info = r#"{"productName":"Apache Flink","version":"2.2.1"}"#.to_string();
    let (gateway, server) = serve(vec![("GET /v3/info".to_string(), 200, info)]);
    let info = block_on(gateway.info(Duration::from_secs(5))).unwrap().unwrap();
    assert_eq!((info.product.as_str(), info.version.as_str()), ("Apache Flink", "2.2.1"));
    server.join().unwrap();
}

#[test]
fn settings_that_change_answers_are_refused() {
    let address = Address::parse("http://127.0.0.1:1", Tls::Required, |_| None).unwrap();
    let settings = vec![("table.local-time-zone".to_string(), "Asia/Tokyo".to_string())];
    let refused = Gateway::new(address, settings).unwrap_err();
    assert_eq!(refused, FlinkError::Setting("table.local-time-zone".to_string()));
}

#[test]
fn a_session_is_told_what_the_dialect_wants() {
    for (name, mode) in [("flink", Mode::Batch), ("flink-streaming", Mode::Streaming)] {
        let told = own_settings(mode).map(|(key, value)| format!("SET '{key}' = '{value}'"));
        for setting in session_settings(&parse_target(name).unwrap()) {
            assert!(told.contains(&setting.statement.to_string()), "{}", setting.statement);
        }
    }
}
