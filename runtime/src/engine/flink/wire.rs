//! What the gateway sends, version 3 of its protocol. In: JSON. Out: values with names. Keys that are not listed are of no use here.

use serde::Deserialize;

/// `GET /v3/info`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InfoAnswer {
    pub(super) product_name: String,
    pub(super) version: String,
}

/// `POST /v3/sessions`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionAnswer {
    pub(super) session_handle: String,
}

/// `GET /v3/sessions/S`.
#[derive(Deserialize)]
pub(super) struct PropertiesAnswer {
    pub(super) properties: serde_json::Map<String, serde_json::Value>,
}

/// `POST .../statements`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OperationAnswer {
    pub(super) operation_handle: String,
}

/// `GET .../result/N`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page {
    pub(super) result_type: PageKind,
    #[serde(default)]
    pub(super) results: Results,
    #[serde(rename = "jobID")]
    pub(super) job: Option<String>,
    pub(super) next_result_uri: Option<String>,
}

/// Whether more comes.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, Debug)]
pub(super) enum PageKind {
    /// The statement has not begun to answer.
    #[serde(rename = "NOT_READY")]
    NotReady,
    /// Rows, perhaps none yet.
    #[serde(rename = "PAYLOAD")]
    Payload,
    /// The end: only now has the statement succeeded.
    #[serde(rename = "EOS")]
    End,
}

/// Rows of a page.
#[derive(Deserialize, Default)]
pub(super) struct Results {
    #[serde(default)]
    pub(super) columns: Vec<ColumnInfo>,
    #[serde(default)]
    pub(super) data: Vec<Change>,
}

/// A column; every page says them again.
#[derive(Clone, Deserialize, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct ColumnInfo {
    pub(super) name: String,
    pub(super) logical_type: LogicalType,
}

/// Flink's name of a type, with the arguments that matter here.
#[derive(Clone, Deserialize, PartialEq, Eq, Debug)]
pub(super) struct LogicalType {
    #[serde(rename = "type")]
    pub(super) name: String,
    pub(super) precision: Option<u8>,
    pub(super) scale: Option<u8>,
}

/// A row with what it does to the answer.
#[derive(Clone, Deserialize, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) kind: ChangeKind,
    /// Text of each value; NULL is absent.
    pub(super) fields: Vec<Option<String>>,
}

/// What a row does to the answer.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, Debug)]
pub(super) enum ChangeKind {
    /// It is there.
    #[serde(rename = "INSERT")]
    Insert,
    /// An old version goes.
    #[serde(rename = "UPDATE_BEFORE")]
    UpdateBefore,
    /// A new version comes.
    #[serde(rename = "UPDATE_AFTER")]
    UpdateAfter,
    /// It goes.
    #[serde(rename = "DELETE")]
    Delete,
}
