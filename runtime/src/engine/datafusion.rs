//! DataFusion in this process: tables in memory and Parquet files, queries with limits.
//! In: scripts, tables, SQL. Out: typed rows. Sessions run in UTC and depend on no setting that a plain one lacks.

mod tables;
mod types;
mod values;

pub use types::{arrow_type, data_type};

use std::future::Future;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use arrow::array::RecordBatch;
use arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::catalog::MemTable;
use datafusion::error::DataFusionError;
use datafusion::execution::context::SQLOptions;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::prelude::{DataFrame, SessionConfig, SessionContext};
use datafusion::sql::parser::DFParser;
use futures::TryStreamExt;
use unisono_compiler::catalog::Column;

use super::{EngineError, Limits};
use crate::table::Table;

/// The engine's version, as evidence and `doctor` tell it.
pub const VERSION: &str = datafusion::DATAFUSION_VERSION;
/// The catalog that two-part names belong to.
const CATALOG: &str = "unisono";
/// The schema that bare names belong to: `orders` and `main.orders` are one table.
pub const SCHEMA: &str = "main";

/// One set of tables and the settings to query them.
pub struct Session {
    queries: SessionContext,
    /// Made when the first script comes: queries over files need none.
    scripts: OnceLock<SessionContext>,
}

impl Default for Session {
    fn default() -> Self {
        Session::new()
    }
}

impl Session {
    /// A session without tables.
    pub fn new() -> Self {
        Session { queries: SessionContext::new_with_config(config()), scripts: OnceLock::new() }
    }

    /// The engine's own session, where functions can be registered beside its own.
    pub fn context(&self) -> &SessionContext {
        &self.queries
    }

    /// The same tables, for scripts.
    fn scripts(&self) -> &SessionContext {
        self.scripts.get_or_init(|| scripts_beside(&self.queries))
    }

    /// Runs the statements of a text one after the other: DDL, INSERT, UPDATE. Answers are dropped.
    pub async fn execute_script(&self, script: &str) -> Result<(), EngineError> {
        for statement in DFParser::parse_sql(script).map_err(|error| failed(&error))? {
            let scripts = self.scripts();
            let plan = scripts.state().statement_to_plan(statement).await.map_err(|error| failed(&error))?;
            let frame = scripts.execute_logical_plan(plan).await.map_err(|error| failed(&error))?;
            frame.collect().await.map_err(|error| failed(&error))?;
        }
        Ok(())
    }

    /// Adds batches as a table under one to three name parts.
    pub fn add_batches(
        &self,
        name: &[String],
        schema: SchemaRef,
        batches: Vec<RecordBatch>,
    ) -> Result<(), EngineError> {
        let partitions = tables::partition(batches, self.queries.copied_config().target_partitions());
        let provider = MemTable::try_new(schema, partitions).map_err(|error| failed(&error))?;
        tables::add(&self.queries, name, Arc::new(provider)).map_err(|error| failed(&error))
    }

    /// Adds a table of which only the columns are known, for `query_columns`.
    pub fn add_columns(&self, name: &[String], columns: &[Column]) -> Result<(), EngineError> {
        let field = |column: &Column| Field::new(&column.name, arrow_type(column.data_type), true);
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        self.add_batches(name, Arc::new(schema), Vec::new())
    }

    /// Adds a Parquet file as a table; columns of types that the language lacks are cast to the nearest that it has.
    pub async fn add_parquet(&self, name: &[String], path: &Path) -> Result<(), EngineError> {
        let provider = tables::parquet(&self.queries, path).await.map_err(|error| failed(&error))?;
        tables::add(&self.queries, name, provider).map_err(|error| failed(&error))
    }

    /// The columns of a Parquet file, with the types that `add_parquet` gives them.
    pub async fn parquet_columns(&self, path: &Path) -> Result<Vec<Column>, EngineError> {
        let provider = tables::parquet(&self.queries, path).await.map_err(|error| failed(&error))?;
        Ok(tables::columns(&provider.schema()))
    }

    /// The columns of a query over the session's tables; nothing is run. A column has a type only where the engine computes with exactly that.
    pub async fn query_columns(&self, sql: &str) -> Result<Vec<Column>, EngineError> {
        let frame = self.queries.sql_with_options(sql, read_only()).await.map_err(|error| failed(&error))?;
        Ok(tables::exact_columns(frame.schema().as_arrow()))
    }

    /// The same query, planned without partitions.
    fn in_one_partition(&self, frame: &DataFrame) -> DataFrame {
        let mut state = self.queries.state();
        state.config_mut().options_mut().execution.target_partitions = 1;
        DataFrame::new(state, frame.logical_plan().clone())
    }

    /// Runs one query that reads and returns at most the limit's rows, in the order that the engine returns them.
    pub async fn run(&self, sql: &str, limits: Limits) -> Result<Table, EngineError> {
        let answer = async {
            let frame = self.queries.sql_with_options(sql, read_only()).await?;
            let schema = Arc::clone(frame.schema().inner());
            let batches = match rows_of(frame.clone(), limits.rows).await {
                Err(error) if is_order_fault(&error) => {
                    rows_of(self.in_one_partition(&frame), limits.rows).await?
                }
                outcome => outcome?,
            };
            Ok((schema, batches))
        };
        match tokio::time::timeout(limits.time, answer).await {
            Ok(Ok((schema, batches))) => {
                values::table(&schema, &batches, limits.rows).map_err(EngineError::Failed)
            }
            Ok(Err(error)) => Err(failed(&error)),
            Err(_) => Err(EngineError::Timeout(limits.time)),
        }
    }
}

/// Queries only.
fn read_only() -> SQLOptions {
    SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false)
}

/// At least as many rows as the limit, if there are. They are counted on the way: a limit in the plan would make it another plan, and
/// DataFusion 54 fails for some DISTINCT under one (run).
async fn rows_of(frame: DataFrame, limit: usize) -> Result<Vec<RecordBatch>, DataFusionError> {
    let mut stream = frame.execute_stream().await?;
    let (mut batches, mut rows) = (Vec::new(), 0usize);
    while rows <= limit
        && let Some(batch) = stream.try_next().await?
    {
        rows = rows.saturating_add(batch.num_rows());
        batches.push(batch);
    }
    Ok(batches)
}

/// DataFusion 54 plans some orders by computed values so that its own last check refuses the plan; in one partition it does not (run).
fn is_order_fault(error: &DataFusionError) -> bool {
    matches!(error, DataFusionError::Context(rule, _) if rule == "SanityCheckPlan")
}

/// Runs one query with the default limits.
pub async fn run_sql(session: &Session, sql: &str) -> Result<Table, EngineError> {
    session.run(sql, Limits::DEFAULT).await
}

/// Runs a future to its end on a runtime of its own. Not for callers that are inside one.
pub fn block_on<F: Future>(future: F) -> Result<F::Output, EngineError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // As the main thread's, and for the same reason (main.rs).
        .thread_stack_size(64 << 20)
        .build()
        .map_err(|error| EngineError::Failed(error.to_string()))?;
    let output = runtime.block_on(future);
    // A query that ran out of time may still hold a worker; it must not delay the exit.
    runtime.shutdown_background();
    Ok(output)
}

/// A session over the catalogs of another one.
fn scripts_beside(queries: &SessionContext) -> SessionContext {
    // `1.5` in an INSERT must stay a decimal on its way into a DECIMAL column. Emitted queries spell out the type
    // of every literal and must run in a plain session, so theirs stays at the default.
    // Its catalog is there already, and another one would hide the tables in it.
    let mut exact = config().with_create_default_catalog_and_schema(false);
    exact.options_mut().sql_parser.parse_float_as_decimal = true;
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(exact)
        .with_runtime_env(queries.runtime_env())
        .with_catalog_list(Arc::clone(queries.state().catalog_list()))
        .build();
    SessionContext::new_with_state(state)
}

fn config() -> SessionConfig {
    let mut config = SessionConfig::new().with_default_catalog_and_schema(CATALOG, SCHEMA);
    config.options_mut().execution.time_zone = Some("+00:00".to_string());
    // A NULL-safe join tells its other side which keys to look for and leaves NULL out (DataFusion 54, issue 22964). Our texts have no such
    // join where types are known; those of a model's own queries may.
    config.options_mut().optimizer.enable_join_dynamic_filter_pushdown = false;
    config
}

fn failed(error: &DataFusionError) -> EngineError {
    EngineError::Failed(error.strip_backtrace())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use arrow::array::{ArrayRef, StringArray, TimestampNanosecondArray, UInt32Array};
    use datafusion::parquet::arrow::ArrowWriter;
    use unisono_compiler::data_type::DataType;

    use super::*;
    use crate::table::Value;

    fn session(script: &str) -> Session {
        let session = Session::new();
        block_on(session.execute_script(script)).unwrap().unwrap();
        session
    }

    fn rows(session: &Session, sql: &str) -> Vec<Vec<Value>> {
        block_on(run_sql(session, sql)).unwrap().unwrap().rows
    }

    #[test]
    fn bare_and_qualified_names_are_one_table() {
        let session = session("CREATE TABLE t (a INTEGER); INSERT INTO main.t VALUES (1), (NULL);");
        let sql = "SELECT x.a FROM t x JOIN unisono.main.t y ON x.a = y.a";
        assert_eq!(rows(&session, sql), [[Value::Integer(1)]]);
    }

    #[test]
    fn a_script_finds_the_tables_added_before_it() {
        let session = Session::new();
        let column: ArrayRef = Arc::new(UInt32Array::from(vec![7]));
        let batch = RecordBatch::try_from_iter([("a", column)]).unwrap();
        session.add_batches(&["t".to_string()], batch.schema(), vec![batch]).unwrap();
        let script = "CREATE TABLE u AS SELECT a + 1 AS a FROM main.t;";
        block_on(session.execute_script(script)).unwrap().unwrap();
        assert_eq!(rows(&session, "SELECT t.a, u.a FROM t, u"), [[Value::Integer(7), Value::Integer(8)]]);
    }

    #[test]
    fn decimals_of_a_script_keep_all_digits() {
        let script = "CREATE TABLE w (a DECIMAL(38,18)); INSERT INTO w VALUES (2672.925686105492400095);";
        let expected = Value::Decimal { unscaled: 2_672_925_686_105_492_400_095, scale: 18 };
        assert_eq!(rows(&session(script), "SELECT a FROM w"), [[expected]]);
    }

    #[test]
    fn queries_see_a_plain_session() {
        assert_eq!(rows(&Session::new(), "SELECT 1.5"), [[Value::Float(1.5)]]);
    }

    #[test]
    fn updates_and_dates_and_timestamps() {
        let session = session(
            "CREATE TABLE t (d DATE, at TIMESTAMP, ok BOOLEAN, s VARCHAR);\n-- a comment; with a semicolon\n\
             INSERT INTO t VALUES (DATE '2024-02-29', TIMESTAMP '2024-01-15 23:59:59', TRUE, 'it''s');\n\
             UPDATE t SET ok = NULL WHERE d = DATE '2024-02-29';",
        );
        let expected = vec![
            Value::Date(19_782),
            Value::Timestamp(1_705_363_199_000_000),
            Value::Null,
            Value::Text("it's".to_string()),
        ];
        assert_eq!(rows(&session, "SELECT d, at, ok, s FROM t"), [expected]);
    }

    #[test]
    fn parquet_columns_get_types_of_the_language() {
        let path = std::env::temp_dir().join(format!("unisono-{}.parquet", std::process::id()));
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("id", Arc::new(UInt32Array::from(vec![7]))),
            ("At", Arc::new(TimestampNanosecondArray::from(vec![1_705_363_199_000_001_999]))),
            ("name", Arc::new(StringArray::from(vec![Some("x")]))),
        ];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let file = std::fs::File::create(&path).unwrap();
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();

        let session = Session::new();
        let columns = block_on(session.parquet_columns(&path)).unwrap().unwrap();
        let types: Vec<DataType> = columns.iter().map(|column| column.data_type).collect();
        assert_eq!(types, [DataType::Int64, DataType::Timestamp, DataType::String]);
        let name = ["lake".to_string(), "shop".to_string(), "T".to_string()];
        block_on(session.add_parquet(&name, &path)).unwrap().unwrap();
        let expected =
            vec![Value::Integer(7), Value::Timestamp(1_705_363_199_000_001), Value::Text("x".to_string())];
        assert_eq!(rows(&session, "SELECT id, \"At\", name FROM lake.shop.\"T\""), [expected]);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn the_row_limit_is_said() {
        let session = session("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (3);");
        let limits = Limits { rows: 2, ..Limits::DEFAULT };
        let table = block_on(session.run("SELECT a FROM t ORDER BY a", limits)).unwrap().unwrap();
        assert_eq!(table.rows, [[Value::Integer(1)], [Value::Integer(2)]]);
        assert!(table.truncated);
        assert_eq!(table.columns[0].data_type, DataType::Int32);
    }

    #[test]
    fn the_time_limit_ends_a_query() {
        let limits = Limits { time: Duration::from_millis(50), ..Limits::DEFAULT };
        let sql = "SELECT COUNT(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b WHERE a.value % 7 = b.value % 11";
        let error = block_on(Session::new().run(sql, limits)).unwrap().unwrap_err();
        assert!(matches!(error, EngineError::Timeout(_)), "{error}");
    }

    #[test]
    fn writing_is_refused_in_queries() {
        let error = block_on(run_sql(&Session::new(), "CREATE TABLE t (a INTEGER)")).unwrap().unwrap_err();
        assert!(error.to_string().contains("DDL not supported"), "{error}");
    }
}
