//! The compiler's stages one after the other, for the verbs and for tests. In: values, or texts. Out: what each stage made,
//! as far as there were no errors, and all findings in order. Reads nothing but its arguments.

mod unused;

pub use unused::{strange_types, unused_types};

use unisono_compiler::catalog::{Catalog, Column, Origin, Table, parse_ddl};
use unisono_compiler::diagnostic::{Code, Diagnostic, REPORT_FAULT, has_errors};
use unisono_compiler::ids::DatasetId;
use unisono_compiler::plan::{Plan, plan};
use unisono_compiler::query::{Bound, Moment, Request, bind, parse_request};
use unisono_compiler::relation::{OutputColumn, Relation, relate};
use unisono_compiler::resolve::{Reference, Resolved, resolve_model};
use unisono_compiler::source::SourceMap;
use unisono_compiler::syntax::document::SemanticModel;
use unisono_compiler::syntax::parse_document;
use unisono_dialects::{Engine, Target, adapt, bindings_of, emit, parse_target};

use crate::project::ColumnType;

/// What each stage made of a request; a stage is absent if one before it, or it itself, had errors.
#[derive(Default)]
pub struct Stages {
    /// The model against the catalogue.
    pub resolved: Option<Resolved>,
    /// The request against the model.
    pub bound: Option<Bound>,
    /// The plan in metric words.
    pub plan: Option<Plan>,
    /// The plan in SQL words, as every target must answer it.
    pub relation: Option<Relation>,
    /// The relation bent to the target.
    pub adapted: Option<Relation>,
    /// The text.
    pub sql: Option<String>,
    /// Findings of all stages.
    pub diagnostics: Vec<Diagnostic>,
}

/// A compiled request.
#[derive(Debug)]
pub struct Compiled {
    /// The text; `None` if the request was refused.
    pub sql: Option<String>,
    /// The answer's columns; empty if there is no text.
    pub columns: Vec<OutputColumn>,
    /// All findings.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that findings point into.
    pub sources: SourceMap,
}

/// Model text, request text and DDL text to SQL, as `unisono sql` does it. The text must hold one model.
pub fn compile_texts(
    model: &str,
    request: &str,
    schema: Option<&str>,
    target: &str,
    moment: &Moment,
) -> Compiled {
    let mut sources = SourceMap::default();
    let mut diagnostics = Vec::new();
    let stages = compile_parts(&mut sources, &mut diagnostics, (model, request, schema, target), moment);
    let stages = stages.unwrap_or_default();
    diagnostics.extend(stages.diagnostics);
    let columns = match (&stages.sql, &stages.relation) {
        (Some(_), Some(relation)) => relation.columns(),
        (None, _) | (_, None) => Vec::new(),
    };
    Compiled { sql: stages.sql, columns, diagnostics, sources }
}

/// The same with what each stage made; of texts that cannot be read there is nothing.
pub fn stages_of_texts(
    model: &str,
    request: &str,
    schema: Option<&str>,
    target: &str,
    moment: &Moment,
) -> Stages {
    let texts = (model, request, schema, target);
    compile_parts(&mut SourceMap::default(), &mut Vec::new(), texts, moment).unwrap_or_default()
}

fn compile_parts(
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
    (model, request, schema, target): (&str, &str, Option<&str>, &str),
    moment: &Moment,
) -> Option<Stages> {
    let mut keep = |findings: Vec<Diagnostic>| {
        let failed = has_errors(&findings);
        diagnostics.extend(findings);
        !failed
    };
    let target = match parse_target(target) {
        Ok(target) => target,
        Err(finding) => {
            keep(vec![finding]);
            return None;
        }
    };
    let source = sources.add("model.yaml", model);
    let (document, findings) = parse_document(source, model);
    let usable = keep(findings);
    let document = document.filter(|_| usable)?;
    let source = sources.add("query.json", request);
    let (request, findings) = parse_request(source, request);
    let usable = keep(findings);
    let request = request.filter(|_| usable)?;
    let mut catalog = Catalog::default();
    if let Some(schema) = schema {
        let (declared, findings) = parse_ddl(sources.add("schema.sql", schema), schema);
        if !keep(findings) {
            return None;
        }
        catalog = declared;
    }
    Some(compile_request(document.models.first()?, &catalog, &request, moment, target))
}

/// All stages from a document's model on.
pub fn compile_request(
    model: &SemanticModel,
    catalog: &Catalog,
    request: &Request,
    moment: &Moment,
    target: Target,
) -> Stages {
    let (resolved, diagnostics) = resolve_model(model, catalog, dialect_name(target.engine));
    let mut stages = Stages { diagnostics, ..Stages::default() };
    if let Some(resolved) = resolved {
        compile_resolved(&mut stages, &resolved, request, moment, target);
        stages.resolved = Some(resolved);
    }
    stages
}

/// The stages from a resolved model on; ends at the first with errors.
fn compile_resolved(
    stages: &mut Stages,
    resolved: &Resolved,
    request: &Request,
    moment: &Moment,
    target: Target,
) -> Option<()> {
    let findings = &mut stages.diagnostics;
    stages.bound = keep(bind(resolved, request, moment), findings);
    stages.plan = keep(plan(resolved, stages.bound.as_ref()?), findings);
    stages.relation = Some(relate(resolved, stages.plan.as_ref()?));
    stages.adapted = keep(adapt(stages.relation.as_ref()?, &target), findings);
    stages.sql = keep(emit(stages.adapted.as_ref()?, &target, &bindings_of(resolved)), findings);
    Some(())
}

/// The name under which a model writes variants for an engine.
pub fn dialect_name(engine: Engine) -> &'static str {
    match engine {
        Engine::DataFusion => "DATAFUSION",
        Engine::DuckDb => "DUCKDB",
        Engine::StarRocks => "STARROCKS",
        Engine::FlinkBatch | Engine::FlinkStreaming => "FLINK",
    }
}

/// What a reference is called in the model.
pub fn reference_name(resolved: &Resolved, reference: Reference) -> String {
    let model = &resolved.model;
    let dataset = |id: DatasetId| model.datasets[id].name.text.as_str();
    match reference {
        Reference::Column(id) => {
            let column = &resolved.columns[id];
            format!("{}.{}", dataset(column.dataset), column.name)
        }
        Reference::Field(id) => {
            let field = &model.fields[id];
            format!("{}.{}", dataset(field.dataset), field.name.text)
        }
        Reference::Metric(id) => model.metrics[id].name.text.clone(),
        Reference::Now => "now".to_string(),
    }
}

/// Adds the project's `types:` where the catalogue says nothing.
pub fn add_types(catalog: &mut Catalog, types: &[ColumnType]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for entry in types {
        match column_of(entry) {
            Ok((table, column)) => add_column(catalog, table, column),
            Err(finding) => diagnostics.push(*finding),
        }
    }
    diagnostics
}

fn add_column(catalog: &mut Catalog, name: Vec<String>, column: Column) {
    let known = catalog.find(&name).map(|table| table.name.clone());
    match catalog.tables.iter_mut().find(|table| Some(&table.name) == known.as_ref()) {
        Some(table) if table.column(&column.name).is_some() => {}
        Some(table) => table.columns.push(column),
        None => catalog.tables.push(Table { name, columns: vec![column] }),
    }
}

fn column_of(entry: &ColumnType) -> Result<(Vec<String>, Column), Box<Diagnostic>> {
    let mut parts: Vec<String> = entry.column.value.split('.').map(ToString::to_string).collect();
    let name = parts.pop().unwrap_or_default();
    if name.is_empty() || parts.is_empty() || parts.iter().any(String::is_empty) {
        let message = format!("`{}` is no column of a table", entry.column.value);
        return Err(Box::new(
            Diagnostic::new(Code::Parse, message)
                .at(entry.column.span, "")
                .about("types")
                .help("write it as `table.column`"),
        ));
    }
    // The type's text is read as the type of the only column of a table, by the reader of DDL.
    let (catalog, _) =
        parse_ddl(entry.sql_type.span.source, &format!("CREATE TABLE t (c {})", entry.sql_type.value));
    let found = catalog.tables.first().map(|table| table.columns.as_slice());
    match found {
        Some([column]) => Ok((parts, Column { name, origin: Origin::ProjectFile, ..column.clone() })),
        Some(_) | None => Err(Box::new(
            Diagnostic::new(Code::TypeMismatch, format!("`{}` is no type", entry.sql_type.value))
                .at(entry.sql_type.span, "")
                .about(format!("types.{}", entry.column.value))
                .help("write it as in DDL: BIGINT, DECIMAL(18,2), DOUBLE, VARCHAR, BOOLEAN, DATE, TIMESTAMP"),
        )),
    }
}

/// What a stage made, or its errors: at least one, also where it made nothing and said nothing.
pub fn made<T>(output: Option<T>, findings: Vec<Diagnostic>) -> Result<T, Vec<Diagnostic>> {
    match output {
        Some(output) if !has_errors(&findings) => Ok(output),
        Some(_) | None if has_errors(&findings) => Err(findings),
        Some(_) | None => Err(vec![Diagnostic::new(Code::Internal, NOTHING_SAID).help(REPORT_FAULT)]),
    }
}

/// What was made, or its findings put to the others.
pub fn kept<T>(made: Result<T, Vec<Diagnostic>>, findings: &mut Vec<Diagnostic>) -> Option<T> {
    made.map_err(|wrong| findings.extend(wrong)).ok()
}

/// What is said of a stage that made nothing and said nothing.
pub const NOTHING_SAID: &str = "a stage made nothing and said nothing";

fn keep<T>((output, findings): (Option<T>, Vec<Diagnostic>), all: &mut Vec<Diagnostic>) -> Option<T> {
    let failed = has_errors(&findings);
    all.extend(findings);
    if failed { None } else { output }
}

#[cfg(test)]
mod tests;
