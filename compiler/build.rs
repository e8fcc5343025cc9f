//! Generates the expression parser from its grammar.
//! In: src/syntax/expr/grammar.lalrpop. Out: the same path under OUT_DIR, included by src/syntax/expr.rs.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::Configuration::new().use_cargo_dir_conventions().emit_rerun_directives(true).process()
}
