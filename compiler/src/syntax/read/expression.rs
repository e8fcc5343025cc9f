//! The expression of a field or metric: a plain text, or one text a dialect. The texts are not parsed here.
//! In: the object that has the expression. Out: its variants in the order written.

use std::fmt;

use super::Context;
use super::keys::{Kind, check_keys};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Spanned;
use crate::syntax::access::{Object, Title, open_object, shorten, spanned};
use crate::syntax::document::{Expression, Variant};
use crate::syntax::yaml::{Node, NodeKind};

/// Dialects that OSI's schemas list or that files in the field use, in capitals.
const DIALECTS: &[&str] = &[
    "ANSI_SQL",
    "OSI_SQL_2026",
    "OSSIE_SQL_2026",
    "SNOWFLAKE",
    "MDX",
    "TABLEAU",
    "DATABRICKS",
    "MAQL",
    "BIGQUERY",
    "DUCKDB",
    "DAX",
    "SIGMA",
    "THOUGHTSPOT",
    "FLINK",
    "STARROCKS",
    "DATAFUSION",
];

/// Reads `expression` of a field or metric.
pub(super) fn read_expression(owner: &Object<'_>, context: &mut Context) -> Option<Expression> {
    let value = owner.required("expression", &mut context.findings)?;
    match &value.kind {
        NodeKind::Null => None,
        NodeKind::Scalar(_) => {
            let text = owner.required_text("expression", &mut context.findings)?;
            let variants = vec![Variant { dialect: context.dialect.clone(), text }];
            Some(Expression { variants, span: value.span })
        }
        NodeKind::Sequence(_) => {
            let message = format!("`expression` of {} must be text or a mapping, found a list", owner.title);
            context.findings.push(
                owner
                    .finding(Code::Parse, message)
                    .at(value.span, "")
                    .help("put the list under `dialects`: `expression: {dialects: [..]}`"),
            );
            None
        }
        NodeKind::Mapping(_) => {
            let variants = read_dialects(value, owner, context);
            (!variants.is_empty()).then_some(Expression { variants, span: value.span })
        }
    }
}

/// `{dialects: [{dialect, expression}, ..]}`.
fn read_dialects(value: &Node<'_>, owner: &Object<'_>, context: &mut Context) -> Vec<Variant> {
    let title = Title::Part("`expression`", &owner.title);
    let Some(object) = open_object(value, "`expression`", title, owner.path, &mut context.findings) else {
        return Vec::new();
    };
    check_keys(&object, &[Kind::Expression], context);
    let Some(list) = object.required("dialects", &mut context.findings) else { return Vec::new() };
    if list.kind == NodeKind::Sequence(Vec::new()) {
        let message = format!("`dialects` of {} needs at least one entry", owner.title);
        context.findings.push(owner.finding(Code::Parse, message).at(list.span, ""));
    }
    let mut variants: Vec<Variant> = Vec::new();
    for item in object.list("dialects", &mut context.findings) {
        let Some(variant) = read_variant(item, owner, context) else { continue };
        let earlier = variants.iter().find_map(|earlier| same_dialect(earlier, &variant));
        match (earlier, &variant.dialect) {
            (Some(earlier), Some(again)) => {
                let message =
                    format!("{} has two expressions for the dialect `{}`", owner.title, again.value);
                context.findings.push(
                    owner
                        .finding(Code::Parse, message)
                        .at(again.span, "again here")
                        .also_at(earlier.span, "first here")
                        .help("remove one of the two"),
                );
            }
            (Some(_) | None, _) => variants.push(variant),
        }
    }
    variants
}

fn read_variant(item: &Node<'_>, owner: &Object<'_>, context: &mut Context) -> Option<Variant> {
    let title = Title::Part("an entry of `dialects`", &owner.title);
    let object = open_object(item, "an entry of `dialects`", title, owner.path, &mut context.findings)?;
    check_keys(&object, &[Kind::DialectExpression], context);
    let dialect = object.required_text("dialect", &mut context.findings).map(spanned);
    let text = object.required_text("expression", &mut context.findings);
    let dialect = dialect?;
    check_dialect(&dialect, owner.path, context);
    Some(Variant { dialect: Some(dialect), text: text? })
}

fn same_dialect<'v>(earlier: &'v Variant, later: &Variant) -> Option<&'v Spanned<String>> {
    let (earlier, later) = (earlier.dialect.as_ref()?, later.dialect.as_ref()?);
    earlier.value.eq_ignore_ascii_case(&later.value).then_some(earlier)
}

/// Warns of a dialect that nobody lists; the list grows, so it is no error.
pub(super) fn check_dialect(dialect: &Spanned<String>, path: &dyn fmt::Display, context: &mut Context) {
    if DIALECTS.iter().any(|known| known.eq_ignore_ascii_case(&dialect.value)) {
        return;
    }
    let name = dialect.value.to_ascii_uppercase();
    let message = format!("`{}` is not in OSI's list of dialects", shorten(&dialect.value));
    let diagnostic = Diagnostic::new(Code::UnknownDialect, message)
        .about(path.to_string())
        .at(dialect.span, "")
        .suggest(&name, DIALECTS.iter().copied())
        .help("no target uses this expression");
    context.remark(format!("dialect {name}"), diagnostic);
}
