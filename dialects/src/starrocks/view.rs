//! A rollup as an asynchronous materialized view, and the catalogue of a Paimon warehouse that it reads.
//! In: the rollup's columns, the text of its query, the tables that it names; or a warehouse and its options. Out: statements.

use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::{FOUR_ONE, THREE_FIVE, THREE_FOUR, THREE_THREE};
use crate::dialect::dialect;
use crate::paimon::{KEY, TableSpec, Texts, keyed};
use crate::sql::print;
use crate::sql::tree::{Expr, Statement, call, text};
use crate::target::{Target, Version};

/// What a view is made from.
pub struct ViewText<'a> {
    /// Its database and its name.
    pub name: [&'a str; 2],
    /// Text for people.
    pub comment: &'a str,
    /// The columns of the rollup, `__key` first.
    pub rollup: &'a TableSpec,
    /// How many of them are dimensions.
    pub dimensions: usize,
    /// The rollup's query.
    pub query: &'a str,
    /// The tables that it reads, each with its catalogue.
    pub tables: &'a [Vec<String>],
}

/// A property of a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewProperty {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: &'static str,
    /// The first version that is known to have it.
    pub since: Version,
    /// What may go wrong without it.
    pub without: &'static str,
}

const fn property(
    name: &'static str,
    value: &'static str,
    since: Version,
    without: &'static str,
) -> ViewProperty {
    ViewProperty { name, value, since, without }
}

/// A refresh runs in a session of its own, which begins with what the cluster has by default: what an answer depends on is said again, by name.
/// <https://docs.starrocks.io/docs/sql-reference/sql-statements/materialized_view/CREATE_MATERIALIZED_VIEW/>
const PROPERTIES: [ViewProperty; 10] = [
    property(
        "enable_query_rewrite",
        "false",
        THREE_THREE,
        "other queries are answered by a view that is behind",
    ),
    property("refresh_mode", "PCT", FOUR_ONE, "a cluster may add up changes by default"),
    property("session.time_zone", "UTC", THREE_THREE, "the refresh is in the cluster's zone"),
    property(
        "session.sql_mode",
        "ONLY_FULL_GROUP_BY,ERROR_IF_OVERFLOW",
        THREE_THREE,
        "decimals that overflow are NULL, and NULLs may be last",
    ),
    property("session.sql_select_limit", "9223372036854775807", THREE_THREE, "the view may be cut"),
    property("session.group_concat_max_len", "2147483647", THREE_THREE, "LISTAGG is cut at 1024 characters"),
    property(
        "session.enable_materialized_view_rewrite",
        "false",
        THREE_THREE,
        "the view may be made of another that is behind",
    ),
    property(
        "session.lower_upper_support_utf8",
        "true",
        THREE_FIVE,
        "UPPER and LOWER change ASCII letters only",
    ),
    property(
        "session.enable_insert_strict",
        "true",
        THREE_THREE,
        "a value that does not fit its column is NULL",
    ),
    property(
        "session.insert_max_filter_ratio",
        "0",
        THREE_FOUR,
        "a cluster may leave out rows that do not fit",
    ),
];

/// What a view is told, in every version.
pub fn view_properties() -> Vec<ViewProperty> {
    PROPERTIES.to_vec()
}

/// Views live in this catalogue only. <https://docs.starrocks.io/docs/data_source/catalog/default_catalog/>
const CATALOG: &str = "default_catalog";

/// The statements that make a view of a rollup and fill it: the session's, the database, the view, and the refresh, which is all that keeps it
/// current. Nothing is said of a view that is there already: another definition must not pass for this one.
pub fn starrocks_view(asked: &ViewText<'_>, target: Target) -> Result<Vec<String>, Vec<Diagnostic>> {
    let [database, _] = asked.name;
    check_name("database", database)?;
    let capabilities = dialect(target).capabilities;
    let name: Vec<String> = asked.name.iter().map(ToString::to_string).collect();
    let mut statements = vec![
        Statement::SetCatalog(CATALOG.to_string()),
        Statement::CreateDatabase(database.to_string()),
        Statement::CreateView {
            name: name.clone(),
            comment: asked.comment.to_string(),
            distributed_by: KEY.to_string(),
            properties: properties(target.version),
            select: Box::new(keyed(asked.rollup, asked.dimensions, asked.query, Texts { moment, column })),
        },
    ];
    // What the front end knew of the tables may be minutes old.
    statements.extend(asked.tables.iter().cloned().map(Statement::RefreshTable));
    statements.push(Statement::RefreshView(name));
    let settings = capabilities.session.iter().map(|setting| setting.statement.to_string());
    let said = statements.iter().map(|statement| print::statement(statement, &capabilities.quoting));
    Ok(settings.chain(said).collect())
}

/// The properties that a version has.
fn properties(version: Version) -> Vec<(String, String)> {
    let known = PROPERTIES.iter().filter(|property| property.since <= version);
    known.map(|property| (property.name.to_string(), property.value.to_string())).collect()
}

/// A timestamp with six digits: a cast leaves them out where they are 0.
fn moment(value: Expr) -> Expr {
    call("DATE_FORMAT", vec![value, text("%Y-%m-%d %H:%i:%s.%f")])
}

/// A text of any length. A view's columns are as long as its expressions' types, and of a CASE that is the longest of those branches that have a
/// length, though another may hold more: its rows do not fit then. What a call gives has no length. <https://github.com/StarRocks/starrocks/pull/61996>
fn column(value: Expr) -> Expr {
    call("CONCAT", vec![value, text("")])
}

/// The statement that makes a warehouse known under a name. A catalogue that has the name already is an error: it may be of another warehouse.
/// <https://docs.starrocks.io/docs/data_source/catalog/paimon_catalog/>
pub fn starrocks_catalog(
    name: &str,
    warehouse: &str,
    options: &[(&str, &str)],
    target: Target,
) -> Result<String, Vec<Diagnostic>> {
    check_name("catalogue", name)?;
    let own =
        [("type", "paimon"), ("paimon.catalog.type", "filesystem"), ("paimon.catalog.warehouse", warehouse)];
    let properties = own.iter().chain(options).map(|(key, value)| ((*key).to_string(), (*value).to_string()));
    let statement = Statement::CreateCatalog { name: name.to_string(), properties: properties.collect() };
    Ok(print::statement(&statement, &dialect(target).capabilities.quoting))
}

/// What a catalogue calls an option of Paimon's object stores, and whether its value is a secret; `None` for one that it is not known to have.
/// <https://paimon.apache.org/docs/master/maintenance/filesystems/>, <https://docs.starrocks.io/docs/data_source/catalog/paimon_catalog/>
pub fn catalog_property(option: &str) -> Option<(&'static str, bool)> {
    match option {
        "s3.endpoint" => Some(("aws.s3.endpoint", false)),
        "s3.region" => Some(("aws.s3.region", false)),
        "s3.path.style.access" => Some(("aws.s3.enable_path_style_access", false)),
        "s3.access-key" => Some(("aws.s3.access_key", true)),
        "s3.secret-key" => Some(("aws.s3.secret_key", true)),
        "fs.oss.endpoint" => Some(("aliyun.oss.endpoint", false)),
        "fs.oss.accessKeyId" => Some(("aliyun.oss.access_key", true)),
        "fs.oss.accessKeySecret" => Some(("aliyun.oss.secret_key", true)),
        _ => None,
    }
}

/// What the front end takes for a name: a letter, or `_` and no second one, then letters, digits and `_`, 64 in all.
fn check_name(what: &str, name: &str) -> Result<(), Vec<Diagnostic>> {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut characters = name.chars();
    let begins = match characters.next() {
        Some('_') => characters.next().is_some_and(|second| second.is_ascii_alphanumeric()),
        Some(first) => first.is_ascii_alphabetic(),
        None => false,
    };
    if begins && name.len() <= 64 && name.chars().all(is_word) {
        return Ok(());
    }
    Err(vec![
        Diagnostic::new(Code::TableName, format!("`{name}` is no name of a {what} on StarRocks"))
            .about(name)
            .help("begin it with a letter, and use up to 64 letters, digits and `_`"),
    ])
}
