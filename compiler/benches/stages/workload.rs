//! What benches and instruction counts measure: the shop, TPC-H, a model of 10,000 metrics, and a hub of 200 far sides, each with tables and a request.
//! In: a name. Out: the texts, and what the stages make of them; a finding is an error, so no early exit is ever measured.

use std::fmt::Write;

use unisono_compiler::catalog::{Catalog, parse_ddl};
use unisono_compiler::check::check;
use unisono_compiler::diagnostic::{Diagnostic, Severity};
use unisono_compiler::model::lower;
use unisono_compiler::plan::plan;
use unisono_compiler::query::{Moment, Request, bind, parse_request};
use unisono_compiler::relation::{Relation, relate};
use unisono_compiler::resolve::{Resolved, object_diagnostics, resolve};
use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::{Document, parse_document};

/// The names of all workloads.
pub(crate) const NAMES: [&str; 4] = ["shop", "tpch", "generated_10000", "hub_200"];

const SHOP_MODEL: &str = include_str!("../../../models/shop/model.yaml");
const SHOP_TABLES: &str = include_str!("../../../models/shop/schema.sql");
const SHOP_REQUEST: &str = include_str!("../../../models/shop/queries/return_rate_by_segment.json");
const TPCH_MODEL: &str = include_str!("../../../models/tpch/model.yaml");
const TPCH_TABLES: &str = include_str!("../../../models/tpch/schema.sql");
const TPCH_REQUEST: &str =
    include_str!("../../../tests/cases/tpch/09_sold_and_on_offer_by_supplier_nation/request.json");

const GENERATED_FACTS: usize = 20;
const GENERATED_COLUMNS: usize = 20;
const GENERATED_METRICS: usize = 10_000;
const HUB_SIDES: usize = 200;

/// Texts as a caller has them.
#[derive(Debug)]
pub(crate) struct Workload {
    model: String,
    tables: String,
    request: String,
}

/// The workload of that name.
pub(crate) fn workload(name: &str) -> Result<Workload, String> {
    let (model, tables, request) = match name {
        "shop" => (SHOP_MODEL.to_owned(), SHOP_TABLES.to_owned(), SHOP_REQUEST.to_owned()),
        "tpch" => (TPCH_MODEL.to_owned(), TPCH_TABLES.to_owned(), TPCH_REQUEST.to_owned()),
        "generated_10000" => (generated_model(), generated_tables(), generated_request()),
        "hub_200" => (hub_model(), String::new(), hub_request()),
        other => return Err(format!("no workload is called {other}; there are {}", NAMES.join(", "))),
    };
    Ok(Workload { model, tables, request })
}

impl Workload {
    /// The tables as a catalogue.
    pub(crate) fn catalog(&self) -> Result<Catalog, String> {
        let (catalog, findings) = parse_ddl(SourceId(1), &self.tables);
        none("tables", &findings)?;
        Ok(catalog)
    }

    /// Text to document.
    pub(crate) fn parse(&self) -> Result<Document, String> {
        let (document, findings) = parse_document(SourceId(0), &self.model);
        none("parse", &findings)?;
        document.ok_or_else(|| "no document".to_owned())
    }

    /// Text to a model that requests can be asked of.
    pub(crate) fn load(&self, catalog: &Catalog) -> Result<Resolved, String> {
        let document = self.parse()?;
        let (model, findings) = lower(document.models.first().ok_or("no model")?);
        none("lower", &findings)?;
        none("check", &check(&model))?;
        let (resolved, findings) = resolve(model, catalog, "");
        none("resolve", &findings)?;
        none("resolve", &object_diagnostics(&resolved))?;
        Ok(resolved)
    }

    /// A request's text to the relation that dialects print.
    pub(crate) fn compile(&self, resolved: &Resolved) -> Result<Relation, String> {
        let moment = Moment { now: "2026-01-01 00:00:00.000000".to_owned(), zone: "UTC".to_owned() };
        let (request, findings) = parse_request(SourceId(2), &self.request);
        none("request", &findings)?;
        let request: Request = request.ok_or("no request")?;
        let (bound, findings) = bind(resolved, &request, &moment);
        none("bind", &findings)?;
        let (planned, findings) = plan(resolved, &bound.ok_or("not bound")?);
        none("plan", &findings)?;
        Ok(relate(resolved, &planned.ok_or("not planned")?))
    }
}

fn none(stage: &str, findings: &[Diagnostic]) -> Result<(), String> {
    match findings.iter().find(|finding| finding.severity() == Severity::Error) {
        Some(finding) => Err(format!("{stage}: {finding:?}")),
        None => Ok(()),
    }
}

/// Facts of decimals, each with a dimension of its own; a quarter of the metrics refers to two of the others.
fn generated_model() -> String {
    let mut text = String::from("version: 0.2.0.dev0\nsemantic_model:\n- name: generated\n  datasets:\n");
    for fact in 0..GENERATED_FACTS {
        dataset(&mut text, &format!("fact_{fact:02}"), "[id]");
        field(&mut text, "id", "Integer");
        field(&mut text, "dim_id", "Integer");
        for column in 0..GENERATED_COLUMNS {
            field(&mut text, &format!("c_{column:02}"), "Decimal");
        }
        dataset(&mut text, &format!("dim_{fact:02}"), "[id]");
        field(&mut text, "id", "Integer");
        field(&mut text, "label", "String");
    }
    text.push_str("  relationships:\n");
    for fact in 0..GENERATED_FACTS {
        let _ = writeln!(
            text,
            "  - {{name: fact_dim_{fact:02}, from: fact_{fact:02}, to: dim_{fact:02}, from_columns: [dim_id], to_columns: [id]}}"
        );
    }
    text.push_str("  metrics:\n");
    for metric in 0..GENERATED_METRICS {
        let group = metric / 4;
        let fact = group % GENERATED_FACTS;
        let column = group % GENERATED_COLUMNS;
        let other = (group + 7) % GENERATED_COLUMNS;
        let expression = match metric % 4 {
            0 => format!("SUM(fact_{fact:02}.c_{column:02})"),
            1 => format!(
                "SUM(CASE WHEN fact_{fact:02}.c_{other:02} > {group} THEN fact_{fact:02}.c_{column:02} END)"
            ),
            2 => format!(
                "SUM(fact_{fact:02}.c_{column:02} * (1 - fact_{fact:02}.c_{other:02})) / COUNT(fact_{fact:02}.c_{other:02})"
            ),
            _ => format!("m_{:05} / NULLIF(m_{:05}, 0)", metric - 2, metric - 3),
        };
        let _ = write!(
            text,
            "  - name: m_{metric:05}\n    expression:\n      dialects: [{{dialect: ANSI_SQL, expression: '{expression}'}}]\n    \
             description: Metric {metric} over fact {fact}.\n"
        );
    }
    text
}

/// Finer datasets around one, each with many rows for one of its.
fn hub_model() -> String {
    let mut text = String::from("version: 0.2.0.dev0\nsemantic_model:\n- name: hub\n  datasets:\n");
    dataset(&mut text, "hub", "[id]");
    field(&mut text, "amount", "Integer");
    for side in 0..HUB_SIDES {
        dataset(&mut text, &format!("far_{side:03}"), "[id]");
        field(&mut text, &format!("label_{side:03}"), "String");
    }
    text.push_str("  relationships:\n");
    for side in 0..HUB_SIDES {
        let _ = writeln!(
            text,
            "  - {{name: far_hub_{side:03}, from: far_{side:03}, to: hub, from_columns: [hub_id], to_columns: [id]}}"
        );
    }
    text
}

/// Grouped by a field of every side.
fn hub_request() -> String {
    let dimensions: Vec<String> =
        (0..HUB_SIDES).map(|side| format!("\"far_{side:03}.label_{side:03}\"")).collect();
    format!(
        "{{\"dimensions\": [{}], \"measures\": [{{\"expr\": \"SUM(hub.amount)\", \"as\": \"total\"}}]}}",
        dimensions.join(", ")
    )
}

fn dataset(text: &mut String, name: &str, key: &str) {
    let _ =
        write!(text, "  - name: {name}\n    source: generated.{name}\n    primary_key: {key}\n    fields:\n");
}

fn field(text: &mut String, name: &str, data_type: &str) {
    let _ = write!(
        text,
        "    - name: {name}\n      expression:\n        dialects: [{{dialect: ANSI_SQL, expression: {name}}}]\n      datatype: {data_type}\n"
    );
}

fn generated_tables() -> String {
    let mut text = String::new();
    for fact in 0..GENERATED_FACTS {
        let _ = write!(text, "CREATE TABLE generated.fact_{fact:02} (id BIGINT NOT NULL, dim_id BIGINT");
        for column in 0..GENERATED_COLUMNS {
            let _ = write!(text, ", c_{column:02} DECIMAL(12, 2)");
        }
        let _ =
            writeln!(text, ");\nCREATE TABLE generated.dim_{fact:02} (id BIGINT NOT NULL, label VARCHAR);");
    }
    text
}

/// Four metrics of one fact, one of each form, the last through its two references.
fn generated_request() -> String {
    r#"{"dimensions": ["dim_00.label"], "measures": ["m_00000", "m_00001", "m_00002", "m_00003"]}"#.to_owned()
}
