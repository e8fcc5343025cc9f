//! What benches and instruction counts measure: the shop, TPC-H, a hub of 200 far sides, and generated warehouses, each with tables and a request.
//! In: a name. Out: the texts, and what the stages make of them; a finding is an error, so no early exit is ever measured.

#[path = "warehouse.rs"]
mod warehouse;

use std::fmt::Write;

use unisono_compiler::catalog::{Catalog, parse_ddl};
use unisono_compiler::diagnostic::{Diagnostic, Severity};
use unisono_compiler::plan::plan;
use unisono_compiler::query::{Moment, Request, bind, parse_request};
use unisono_compiler::relation::{Relation, relate};
use unisono_compiler::resolve::{Resolved, object_diagnostics, resolve_model};
use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::{Document, parse_document};

use warehouse::{SHAPES, SIZES};

/// The names of all requests: one a model, and for a warehouse one a shape, behind a `/`.
pub(crate) fn requests() -> Vec<String> {
    let shapes =
        SHAPES.iter().flat_map(|(shape, _)| SIZES.iter().map(move |size| format!("{}/{shape}", size.name)));
    ["shop", "tpch", "hub_200"].into_iter().map(str::to_owned).chain(shapes).collect()
}

const SHOP_MODEL: &str = include_str!("../../../models/shop/model.yaml");
const SHOP_TABLES: &str = include_str!("../../../models/shop/schema.sql");
const SHOP_REQUEST: &str = include_str!("../../../models/shop/queries/return_rate_by_segment.json");
const TPCH_MODEL: &str = include_str!("../../../models/tpch/model.yaml");
const TPCH_TABLES: &str = include_str!("../../../models/tpch/schema.sql");
const TPCH_REQUEST: &str =
    include_str!("../../../tests/cases/tpch/09_sold_and_on_offer_by_supplier_nation/request.json");

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
        "hub_200" => (hub_model(), String::new(), hub_request()),
        other => return warehouse(other),
    };
    Ok(Workload { model, tables, request })
}

/// A warehouse with the request of a shape, else with a join of three.
fn warehouse(name: &str) -> Result<Workload, String> {
    let (size_name, shape_name) = name.split_once('/').unwrap_or((name, "three_way_join"));
    let size = SIZES.iter().find(|size| size.name == size_name);
    let request = SHAPES.iter().find(|(shape, _)| *shape == shape_name);
    let (Some(size), Some((_, request))) = (size, request) else {
        return Err(format!("no workload is called {name}; there are {}", requests().join(", ")));
    };
    let (model, tables) = (warehouse::model(*size), warehouse::tables(*size));
    Ok(Workload { model, tables, request: (*request).to_owned() })
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
        let (resolved, findings) = resolve_model(document.models.first().ok_or("no model")?, catalog, "");
        none("resolve", &findings)?;
        let resolved = resolved.ok_or("not resolved")?;
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
