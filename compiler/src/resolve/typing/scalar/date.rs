//! Functions of dates and times that take a unit or name a part.
//! In: a name and its arguments. Out: the call, or why the unit is none.

use super::Argument;
use crate::data_type::DataType;
use crate::expr::{Expr, ExprKind};
use crate::function::{Function, Part, Unit};
use crate::resolve::ModelExpr;
use crate::resolve::typing::{Ctx, exactness_of};
use crate::source::Span;
use crate::syntax::expr as syntax;

impl Ctx<'_> {
    pub(super) fn part(&mut self, name: &str, part: Part, arguments: Vec<Argument>, span: Span) -> ModelExpr {
        match self.exactly::<1>(name, arguments, span) {
            Ok([(value, at)]) => self.extract_part(part, value, at),
            Err(stand_in) => stand_in,
        }
    }

    /// Functions whose first argument is a unit or part, written as a word or a text.
    pub(super) fn date_function(&mut self, name: &str, list: &[syntax::Expr], span: Span) -> ModelExpr {
        let wanted = if matches!(name, "DATE_TRUNC" | "DATE_PART") { 2 } else { 3 };
        if list.len() != wanted {
            return self.wrong_count(name, list.len(), wanted, span);
        }
        let Some(word) = unit_word(&list[0]) else {
            return self.mismatch(list[0].span, format!("{name} wants a unit first, as in 'month'"));
        };
        if name == "DATE_PART" {
            let value = self.expr(&list[1]);
            return match Part::parse(&word) {
                Some(part) => self.extract_part(part, value, list[1].span),
                None => self.unknown_unit(&word, list[0].span),
            };
        }
        let Some(unit) = Unit::parse(word.trim_end_matches(['s', 'S'])) else {
            return self.unknown_unit(&word, list[0].span);
        };
        match name {
            "DATE_TRUNC" => {
                let value = self.expr(&list[1]);
                self.date_trunc(unit, value, list[1].span)
            }
            "DATEADD" | "DATE_ADD" => {
                let (count, value) = (self.expr(&list[1]), self.expr(&list[2]));
                self.date_add(unit, count, value, list[2].span)
            }
            _ => {
                let (from, to) = (self.expr(&list[1]), self.expr(&list[2]));
                for (value, at) in [(&from, list[1].span), (&to, list[2].span)] {
                    self.expect(value, at, name, "a date or time", DataType::is_temporal);
                }
                let class = exactness_of([&from, &to]);
                Expr::new(
                    ExprKind::Call { function: Function::DateDiff(unit), arguments: vec![from, to] },
                    DataType::Int64,
                    class,
                )
            }
        }
    }
}

/// A unit written as a bare word or as a text.
fn unit_word(expr: &syntax::Expr) -> Option<String> {
    match &*expr.kind {
        syntax::ExprKind::Literal(syntax::Literal::String(text)) => Some(text.clone()),
        syntax::ExprKind::Name(parts) => match parts.as_slice() {
            [only] => Some(only.value.text.clone()),
            _ => None,
        },
        _ => None,
    }
}
