//! Walking and rebuilding expression trees, in one place because every form of an expression has to be named once.
//! In: a tree. Out: its parts, or a copy in which some parts are others.

use unisono_compiler::source::{SourceId, Span, Spanned};
use unisono_compiler::syntax::expr::{
    Arguments, Call, Expr, ExprKind, Frame, FrameBound, Ident, Literal, OrderItem, WindowSpec,
};

use crate::stop::Stop;

/// What is asked of each node from the root down: another tree in its place, or `None` to look into its parts.
pub(super) type Change<'a> = dyn FnMut(&Expr) -> Result<Option<Expr>, Stop> + 'a;

/// A copy of the tree with changes.
pub(super) fn map(expr: &Expr, change: &mut Change<'_>) -> Result<Expr, Stop> {
    if let Some(other) = change(expr)? {
        return Ok(other);
    }
    let kind = match &*expr.kind {
        ExprKind::Literal(_) | ExprKind::Name(_) | ExprKind::Parameter(_) | ExprKind::Interval { .. } => {
            (*expr.kind).clone()
        }
        ExprKind::Unary { op, operand } => ExprKind::Unary { op: *op, operand: map(operand, change)? },
        ExprKind::Binary { op, left, right } => {
            ExprKind::Binary { op: *op, left: map(left, change)?, right: map(right, change)? }
        }
        ExprKind::IsNull { operand, negated } => {
            ExprKind::IsNull { operand: map(operand, change)?, negated: *negated }
        }
        ExprKind::IsDistinct { left, right, negated } => {
            ExprKind::IsDistinct { left: map(left, change)?, right: map(right, change)?, negated: *negated }
        }
        ExprKind::Between { operand, low, high, negated } => ExprKind::Between {
            operand: map(operand, change)?,
            low: map(low, change)?,
            high: map(high, change)?,
            negated: *negated,
        },
        ExprKind::InList { operand, list, negated } => ExprKind::InList {
            operand: map(operand, change)?,
            list: map_all(list, change)?,
            negated: *negated,
        },
        ExprKind::Like { operand, pattern, negated, any_case } => ExprKind::Like {
            operand: map(operand, change)?,
            pattern: map(pattern, change)?,
            negated: *negated,
            any_case: *any_case,
        },
        ExprKind::Case { operand, branches, otherwise } => {
            let mut mapped = Vec::new();
            for (when, then) in branches {
                mapped.push((map(when, change)?, map(then, change)?));
            }
            ExprKind::Case {
                operand: map_optional(operand.as_ref(), change)?,
                branches: mapped,
                otherwise: map_optional(otherwise.as_ref(), change)?,
            }
        }
        ExprKind::Cast { operand, to, tolerant } => {
            ExprKind::Cast { operand: map(operand, change)?, to: to.clone(), tolerant: *tolerant }
        }
        ExprKind::Extract { part, operand } => {
            ExprKind::Extract { part: part.clone(), operand: map(operand, change)? }
        }
        ExprKind::Position { needle, haystack } => {
            ExprKind::Position { needle: map(needle, change)?, haystack: map(haystack, change)? }
        }
        ExprKind::Trim { side, character, operand } => ExprKind::Trim {
            side: *side,
            character: map_optional(character.as_ref(), change)?,
            operand: map(operand, change)?,
        },
        ExprKind::Call(call) => ExprKind::Call(Box::new(map_call(call, change)?)),
    };
    Ok(Expr::new(kind, expr.span))
}

/// A copy of a call with changes in everything that stands in it.
pub(super) fn map_call(call: &Call, change: &mut Change<'_>) -> Result<Call, Stop> {
    let arguments = match &call.arguments {
        Arguments::Star => Arguments::Star,
        Arguments::List(list) => Arguments::List(map_all(list, change)?),
    };
    let over = match &call.over {
        None => None,
        Some(over) => Some(WindowSpec {
            partition_by: map_all(&over.partition_by, change)?,
            order_by: map_order(&over.order_by, change)?,
            frame: match &over.frame {
                None => None,
                Some(frame) => Some(Spanned::new(
                    Frame {
                        mode: frame.value.mode,
                        start: map_bound(&frame.value.start, change)?,
                        end: map_bound(&frame.value.end, change)?,
                    },
                    frame.span,
                )),
            },
        }),
    };
    // Functions are called in any case; one case makes equal calls equal.
    let name = Ident { text: call.name.value.text.to_uppercase(), quoted: call.name.value.quoted };
    Ok(Call {
        name: Spanned::new(name, call.name.span),
        arguments,
        distinct: call.distinct,
        order_by: map_order(&call.order_by, change)?,
        within_group: map_order(&call.within_group, change)?,
        filter: map_optional(call.filter.as_ref(), change)?,
        nulls: call.nulls,
        over,
    })
}

fn map_bound(bound: &FrameBound, change: &mut Change<'_>) -> Result<FrameBound, Stop> {
    Ok(match bound {
        FrameBound::Preceding(offset) => FrameBound::Preceding(map(offset, change)?),
        FrameBound::Following(offset) => FrameBound::Following(map(offset, change)?),
        FrameBound::UnboundedPreceding | FrameBound::CurrentRow | FrameBound::UnboundedFollowing => {
            bound.clone()
        }
    })
}

fn map_all(list: &[Expr], change: &mut Change<'_>) -> Result<Vec<Expr>, Stop> {
    list.iter().map(|part| map(part, change)).collect()
}

fn map_optional(part: Option<&Expr>, change: &mut Change<'_>) -> Result<Option<Expr>, Stop> {
    part.map(|part| map(part, change)).transpose()
}

fn map_order(items: &[OrderItem], change: &mut Change<'_>) -> Result<Vec<OrderItem>, Stop> {
    let item = |item: &OrderItem| {
        Ok(OrderItem {
            expr: map(&item.expr, change)?,
            descending: item.descending,
            nulls_first: item.nulls_first,
        })
    };
    items.iter().map(item).collect()
}

/// Calls `look` on every node from the root down; it says whether to look into the node's parts.
pub(super) fn walk(expr: &Expr, look: &mut dyn FnMut(&Expr) -> bool) {
    // The copy is thrown away: one list of the forms is enough, and speed is not wanted here.
    let copied = map(expr, &mut |part| Ok(if look(part) { None } else { Some(part.clone()) }));
    debug_assert!(copied.is_ok(), "looking stops nowhere");
}

/// The same for what stands in a call, not the call itself.
pub(super) fn walk_call(call: &Call, look: &mut dyn FnMut(&Expr) -> bool) {
    let copied = map_call(call, &mut |part| Ok(if look(part) { None } else { Some(part.clone()) }));
    debug_assert!(copied.is_ok(), "looking stops nowhere");
}

/// All names of an expression, left to right.
pub(super) fn names_of(expr: &Expr) -> Vec<Vec<Spanned<Ident>>> {
    let mut names = Vec::new();
    walk(expr, &mut |part| {
        if let ExprKind::Name(parts) = &*part.kind {
            names.push(parts.clone());
        }
        true
    });
    names
}

/// The tree with all names folded, so that equal trees mean the same: unquoted names match in any case, quoted ones exactly.
pub(super) fn folded(expr: &Expr) -> Result<Expr, Stop> {
    map(expr, &mut fold_node)
}

fn fold_node(part: &Expr) -> Result<Option<Expr>, Stop> {
    match &*part.kind {
        ExprKind::Name(parts) => {
            let parts = parts.iter().map(|one| Spanned::new(folded_ident(&one.value), one.span)).collect();
            Ok(Some(Expr::new(ExprKind::Name(parts), part.span)))
        }
        ExprKind::Call(call) => {
            let mut call = call.clone();
            let name = call.name.value.text.to_uppercase();
            // DATEADD(hour, ..): the first argument is a word and no name.
            if let Arguments::List(list) = &mut call.arguments
                && ["DATEADD", "DATEDIFF"].contains(&name.as_str())
                && let Some(first) = list.first_mut()
                && let ExprKind::Name(parts) = &*first.kind
                && let [unit] = parts.as_slice()
            {
                *first = text_of(&unit.value.text);
            }
            Ok(Some(Expr::new(ExprKind::Call(Box::new(map_call(&call, &mut fold_node)?)), part.span)))
        }
        _ => Ok(None),
    }
}

fn folded_ident(ident: &Ident) -> Ident {
    Ident { text: fold(ident), quoted: true }
}

/// The text by which names are compared.
pub(super) fn fold(ident: &Ident) -> String {
    if ident.quoted { ident.text.clone() } else { ident.text.to_lowercase() }
}

/// A place for what nobody wrote.
pub(super) fn nowhere() -> Span {
    Span { source: SourceId(0), start: 0, end: 0 }
}

/// A name that the reference makes up; no text can write its first part, since it is empty.
pub(super) fn made_up(kind: &str, number: usize) -> Expr {
    name_of(&["", kind, &number.to_string()])
}

/// What [`made_up`] put into a name.
pub(super) fn read_made_up(parts: &[Spanned<Ident>]) -> Option<(&str, usize)> {
    match parts {
        [first, kind, number] if first.value.text.is_empty() => {
            Some((kind.value.text.as_str(), number.value.text.parse().ok()?))
        }
        _ => None,
    }
}

/// A folded name.
pub(super) fn name_of(parts: &[&str]) -> Expr {
    let ident = |part: &&str| Spanned::new(Ident { text: (*part).to_string(), quoted: true }, nowhere());
    Expr::new(ExprKind::Name(parts.iter().map(ident).collect()), nowhere())
}

/// `NAME(arguments)`.
pub(super) fn call_of(name: &str, arguments: Vec<Expr>) -> Call {
    Call {
        name: Spanned::new(Ident { text: name.to_string(), quoted: false }, nowhere()),
        arguments: Arguments::List(arguments),
        distinct: false,
        order_by: Vec::new(),
        within_group: Vec::new(),
        filter: None,
        nulls: None,
        over: None,
    }
}

/// A constant text.
pub(super) fn text_of(text: &str) -> Expr {
    Expr::new(ExprKind::Literal(Literal::String(text.to_string())), nowhere())
}
