//! Expressions: every call goes through the target's table, every literal and cast through its own form.
//! In: a typed expression. Out: a tree, with NULL standing in where a refusal was recorded.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{Aggregate, ExprKind, Literal, OrderKey};
use unisono_compiler::function::{Function, Scalar};
use unisono_compiler::relation::{ColumnRef, RelExpr};

use super::{Emitter, divergent};
use crate::arithmetic::Said;
use crate::capabilities::{IntegerLiteral, StringLiteral};
use crate::form::{AggregateCall, AggregateForm, Form, Moment, Refusal, ScalarCall, Typed, Types};
use crate::sql::tree::{self, Expr};
use crate::strategy::{decimal_sum, null_safe_join};

impl Emitter<'_> {
    /// An expression as an operand: literals are bare where the engine types them by their surroundings.
    pub(super) fn expr(&mut self, expr: &RelExpr) -> Expr {
        self.said(expr).expr
    }

    /// An expression whose own type counts (a column, a branch of a CASE): literals are cast where the engine would narrow them.
    pub(super) fn value(&mut self, expr: &RelExpr) -> Expr {
        let said = self.expr(expr);
        let ExprKind::Literal(literal) = &*expr.kind else { return said };
        let cast = match literal {
            Literal::Integer(_) => {
                self.capabilities.integer_literal == IntegerLiteral::Narrow && matches!(said, Expr::Number(_))
            }
            Literal::String(_) => self.capabilities.string_literal == StringLiteral::Char,
            Literal::Null
            | Literal::Boolean(_)
            | Literal::Decimal(_)
            | Literal::Float(_)
            | Literal::Date(_)
            | Literal::Time(_)
            | Literal::Timestamp(_) => false,
        };
        match (self.tables.data_type)(expr.data_type) {
            Some(to) if cast => tree::cast(said, to),
            Some(_) | None => said,
        }
    }

    /// The equality of a join's two sides, by the target's row of `=` or NULL-safe.
    pub(super) fn equality(&mut self, sides: [&RelExpr; 2], null_safe: bool) -> Expr {
        let [left, right] = sides.map(|side| self.typed(side));
        let equal = Function::Scalar(Scalar::Equal);
        if !null_safe {
            return self.call(equal, &[left, right], DataType::Boolean).expr;
        }
        let types = (self.tables.function)(equal, self.target.version).types;
        self.need_types(types, &[left.clone(), right.clone()]);
        null_safe_join::equal(self.capabilities.null_safe_equality, left.expr, right.expr)
    }

    pub(super) fn order_keys(&mut self, keys: &[OrderKey<ColumnRef>]) -> Vec<tree::OrderKey> {
        keys.iter()
            .map(|key| tree::OrderKey {
                expr: self.expr(&key.expr),
                descending: key.descending,
                nulls_first: key.nulls_first,
            })
            .collect()
    }

    pub(super) fn typed<'e>(&mut self, expr: &'e RelExpr) -> Typed<'e> {
        let Said { expr: said, wide } = self.said(expr);
        let magnitude = self.known.magnitude(expr, &self.scope);
        Typed { expr: said, wide, data_type: expr.data_type, magnitude, source: expr }
    }

    pub(super) fn typed_all<'e>(&mut self, exprs: &'e [RelExpr]) -> Vec<Typed<'e>> {
        exprs.iter().map(|expr| self.typed(expr)).collect()
    }

    /// Notes the undeclared columns among the arguments of a form that depends on types.
    pub(super) fn need_types(&mut self, types: Types, arguments: &[Typed<'_>]) {
        if types == Types::Needed {
            for argument in arguments {
                let names = self.known.untyped(argument.source, &self.scope);
                self.untyped.extend(names);
            }
        }
    }

    fn said(&mut self, expr: &RelExpr) -> Said {
        if let Some(warning) = divergent::warning(expr) {
            self.report(warning);
        }
        match &*expr.kind {
            ExprKind::Literal(literal) => self.literal(literal, expr.data_type).into(),
            ExprKind::Reference(column) => {
                Expr::Column { qualifier: column.alias.clone(), name: column.column.clone() }.into()
            }
            ExprKind::Call { function, arguments } if is_nothing(*function, arguments) => {
                self.literal(&Literal::Null, expr.data_type).into()
            }
            ExprKind::Call { function, arguments } => {
                let mut typed = self.typed_all(arguments);
                if unifies(*function) && arguments.iter().all(is_literal) {
                    for (argument, expr) in typed.iter_mut().zip(arguments) {
                        argument.expr = self.value(expr);
                    }
                }
                self.call(*function, &typed, expr.data_type)
            }
            ExprKind::Case { branches, otherwise } => {
                self.case(branches, otherwise.as_ref(), expr.data_type).into()
            }
            ExprKind::InList { operand, list, negated } => Expr::InList {
                operand: Box::new(self.expr(operand)),
                list: list.iter().map(|entry| self.expr(entry)).collect(),
                negated: *negated,
            }
            .into(),
            ExprKind::Cast { operand } => self.cast(operand, expr.data_type).into(),
            ExprKind::Aggregate(aggregate) => self.aggregate(aggregate, expr.data_type, None).into(),
            ExprKind::Window(window) => self.window(window, expr.data_type).into(),
        }
    }

    /// A CASE; one whose values are all integer literals is cast as a whole where the engine would narrow them.
    fn case(
        &mut self,
        branches: &[(RelExpr, RelExpr)],
        otherwise: Option<&RelExpr>,
        data_type: DataType,
    ) -> Expr {
        let mut values = branches.iter().map(|(_, value)| value).chain(otherwise);
        let all_literal = data_type.is_integer() && values.all(is_literal);
        let case = Expr::Case {
            branches: branches.iter().map(|(when, then)| (self.expr(when), self.branch(then))).collect(),
            otherwise: otherwise.map(|value| Box::new(self.branch(value))),
        };
        match (self.tables.data_type)(data_type) {
            Some(to) if all_literal && self.capabilities.integer_literal == IntegerLiteral::Narrow => {
                tree::cast(case, to)
            }
            Some(_) | None => case,
        }
    }

    /// A value of a CASE: integers take the type of the others, or of the cast around it.
    fn branch(&mut self, value: &RelExpr) -> Expr {
        if value.data_type.is_integer() { self.expr(value) } else { self.value(value) }
    }

    fn cast(&mut self, operand: &RelExpr, to: DataType) -> Expr {
        let typed = self.typed(operand);
        if typed.data_type == to {
            return typed.expr;
        }
        if matches!(&*operand.kind, ExprKind::Literal(Literal::Null)) {
            return self.literal(&Literal::Null, to);
        }
        self.need_types(Types::Needed, std::slice::from_ref(&typed));
        let said = (self.tables.cast)(&typed, to);
        let said = match said {
            Ok(cast) if !self.is_small(&cast, std::iter::once(&typed.expr)) => Err(Refusal::too_large()),
            other => other,
        };
        let name = format!("cast of {} to {to}", typed.data_type);
        said.unwrap_or_else(|refusal| self.refuse(&name, refusal))
    }

    fn call(&mut self, function: Function, arguments: &[Typed<'_>], data_type: DataType) -> Said {
        let row = (self.tables.function)(function, self.target.version);
        self.need_types(row.types, arguments);
        let node = ScalarCall { function, arguments, data_type };
        let exprs = || arguments.iter().map(|argument| argument.expr.clone()).collect::<Vec<Expr>>();
        let said = match row.form {
            Form::Call(name) => Ok(tree::call(name, exprs()).into()),
            Form::Infix(operator) => Ok(tree::chain(operator, exprs()).into()),
            Form::Build(build) => build(&node).map(Said::from),
            Form::Arithmetic(build) => build(&node),
            Form::Absent { why, needs } => Err(Refusal::function(why, needs)),
        };
        let said = match said {
            Ok(said) if !self.is_small(&said.expr, arguments.iter().map(|argument| &argument.expr)) => {
                Err(Refusal::too_large())
            }
            other => other,
        };
        said.unwrap_or_else(|refusal| self.refuse(&function.name(), refusal).into())
    }

    pub(super) fn aggregate(
        &mut self,
        aggregate: &Aggregate<ColumnRef>,
        data_type: DataType,
        over: Option<tree::Over>,
    ) -> Expr {
        let row = (self.tables.aggregate)(aggregate.function, self.target.version);
        let arguments = self.typed_all(&aggregate.arguments);
        self.need_types(row.types, &arguments);
        let node = AggregateCall {
            arguments: &arguments,
            distinct: aggregate.distinct,
            order_by: self.order_keys(&aggregate.order_by),
            over,
            data_type,
        };
        let said = match row.form {
            AggregateForm::Call(name) => Ok(node.plain(name)),
            AggregateForm::Build(build) => build(&node),
            AggregateForm::Sum => decimal_sum::sum(&node, &self.capabilities),
            AggregateForm::Planned => {
                Err(Refusal::internal("arrived as an aggregate although the planner picks the row instead"))
            }
            AggregateForm::Absent { why, needs } => Err(Refusal::function(why, needs)),
        };
        said.unwrap_or_else(|refusal| self.refuse(aggregate.function.name(), refusal))
    }

    fn literal(&mut self, literal: &Literal, data_type: DataType) -> Expr {
        match literal {
            Literal::Null => match (self.tables.data_type)(data_type) {
                Some(to) => tree::cast(tree::NULL, to),
                None => tree::NULL,
            },
            Literal::Boolean(true) => Expr::Word("TRUE"),
            Literal::Boolean(false) => Expr::Word("FALSE"),
            Literal::Integer(digits) | Literal::Decimal(digits) | Literal::Float(digits) => {
                self.number(digits.trim_start_matches('+'), data_type)
            }
            Literal::String(text) => tree::text(text.clone()),
            Literal::Date(text) => (self.tables.moment)(Moment::Date, text),
            Literal::Time(text) => (self.tables.moment)(Moment::Time, text),
            Literal::Timestamp(text) => {
                let moment =
                    if data_type == DataType::TimestampTz { Moment::TimestampTz } else { Moment::Timestamp };
                (self.tables.moment)(moment, text)
            }
        }
    }

    /// Decimals go through text, since a bare `1.5` is a double on some engines; whole numbers past 18 digits too.
    fn number(&mut self, digits: &str, data_type: DataType) -> Expr {
        let has_exponent = digits.contains(['e', 'E']);
        let is_whole = !has_exponent && !digits.contains('.');
        match data_type {
            DataType::Float32 | DataType::Float64 if has_exponent => tree::number(digits),
            DataType::Float32 | DataType::Float64 => tree::number([digits, "e0"].concat()),
            DataType::Decimal { .. } => match (self.tables.data_type)(data_type) {
                Some(to) => (self.tables.decimal)(digits, to),
                None => tree::number(digits),
            },
            _ if is_whole && digits.trim_start_matches('-').len() > 18 => {
                match (self.tables.data_type)(DataType::Int64) {
                    Some(to) => tree::cast(tree::text(digits), to),
                    None => tree::number(digits),
                }
            }
            _ => tree::number(digits),
        }
    }
}

fn is_literal(expr: &RelExpr) -> bool {
    matches!(&*expr.kind, ExprKind::Literal(_))
}

/// Whether a call is NULL because an argument is NULL whatever its rows are: an engine finds no form of the function for such an argument.
fn is_nothing(function: Function, arguments: &[RelExpr]) -> bool {
    let sees_nulls = matches!(
        function,
        Function::Scalar(
            Scalar::IsDistinctFrom
                | Scalar::IsNotDistinctFrom
                | Scalar::IsNull
                | Scalar::IsNotNull
                | Scalar::And
                | Scalar::Or
                | Scalar::Coalesce
                | Scalar::NullIf
        )
    );
    !sees_nulls && arguments.iter().any(|argument| argument.data_type == DataType::Null)
}

/// Whether a function's value is one of its arguments, so that a literal among them decides the type.
fn unifies(function: Function) -> bool {
    matches!(function, Function::Scalar(Scalar::Coalesce | Scalar::Greatest | Scalar::Least))
}
