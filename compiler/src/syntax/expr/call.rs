//! What the productions of calls do: clauses around the arguments, windows, and the calls with keywords in their parentheses.
//! In: positions and parts from the parser. Out: parts of the tree, or a diagnostic where a name takes no such clause.

use super::actions::{Node, Outcome, Tall, one, push, refuse, take};
use super::fault;
use super::place::Place;
use super::tree::{
    Arguments, Call, Expr, ExprKind, Frame, FrameBound, FrameMode, Ident, NullTreatment, OrderItem, TrimSide,
    TypeName, WindowSpec,
};
use crate::source::Spanned;

/// What stands in a call's parentheses.
#[derive(Default)]
pub(super) struct Inside {
    pub(super) star: bool,
    pub(super) distinct: bool,
    pub(super) list: Vec<Expr>,
    pub(super) order_by: Vec<OrderItem>,
    pub(super) nulls: Option<(NullTreatment, usize, usize)>,
}

/// What stands after a call's parentheses.
pub(super) struct After {
    pub(super) within_group: Vec<OrderItem>,
    pub(super) filter: Option<Expr>,
    pub(super) nulls: Option<(NullTreatment, usize, usize)>,
    pub(super) over: Option<WindowSpec>,
}

/// Parentheses with keywords of their own in them.
pub(super) enum Form {
    /// `a FROM b [FOR c]`.
    From { first: Tall<Expr>, second: Tall<Expr>, third: Option<Tall<Expr>> },
    /// `BOTH [c] FROM s`.
    Side { side: TrimSide, character: Option<Tall<Expr>>, operand: Tall<Expr> },
    /// `x AS t`.
    As { operand: Tall<Expr>, to: Spanned<TypeName> },
}

pub(super) fn order_item(expr: Node, descending: bool, nulls_first: Option<bool>) -> Tall<OrderItem> {
    Tall { value: OrderItem { expr: expr.value, descending, nulls_first }, height: expr.height }
}

pub(super) fn inside(
    distinct: bool,
    list: Tall<Vec<Expr>>,
    order_by: Option<Tall<Vec<OrderItem>>>,
    nulls: Option<(NullTreatment, usize, usize)>,
) -> Tall<Inside> {
    let mut height = list.height;
    let order_by = take(order_by, &mut height).unwrap_or_default();
    Tall { value: Inside { star: false, distinct, list: list.value, order_by, nulls }, height }
}

pub(super) fn after(
    within_group: Option<Tall<Vec<OrderItem>>>,
    filter: Option<Node>,
    nulls: Option<(NullTreatment, usize, usize)>,
    over: Option<Tall<WindowSpec>>,
) -> Tall<After> {
    let mut height = 0;
    let within_group = take(within_group, &mut height).unwrap_or_default();
    let filter = take(filter, &mut height);
    let over = take(over, &mut height);
    Tall { value: After { within_group, filter, nulls, over }, height }
}

pub(super) fn window(
    partition_by: Option<Tall<Vec<Expr>>>,
    order_by: Option<Tall<Vec<OrderItem>>>,
    frame: Option<Tall<Spanned<Frame>>>,
) -> Tall<WindowSpec> {
    let mut height = 0;
    let partition_by = take(partition_by, &mut height).unwrap_or_default();
    let order_by = take(order_by, &mut height).unwrap_or_default();
    let frame = take(frame, &mut height);
    Tall { value: WindowSpec { partition_by, order_by, frame }, height }
}

/// `n PRECEDING`, `n FOLLOWING`; the bare word UNBOUNDED is no column here.
pub(super) fn offset_bound(offset: Node, following: bool) -> Tall<FrameBound> {
    let unbounded =
        single_word(&offset.value).is_some_and(|word| word.value.eq_ignore_ascii_case("UNBOUNDED"));
    let height = offset.height;
    let value = match (unbounded, following) {
        (true, false) => FrameBound::UnboundedPreceding,
        (true, true) => FrameBound::UnboundedFollowing,
        (false, false) => FrameBound::Preceding(offset.value),
        (false, true) => FrameBound::Following(offset.value),
    };
    Tall { value, height }
}

impl Place<'_> {
    pub(super) fn frame(
        &self,
        mode: FrameMode,
        start: Tall<FrameBound>,
        end: Option<Tall<FrameBound>>,
        l: usize,
        r: usize,
    ) -> Tall<Spanned<Frame>> {
        let mut height = start.height;
        let end = take(end, &mut height).unwrap_or(FrameBound::CurrentRow);
        Tall { value: Spanned::new(Frame { mode, start: start.value, end }, self.span(l, r)), height }
    }

    pub(super) fn call(
        &self,
        name: Spanned<Ident>,
        inside: Tall<Inside>,
        after: Tall<After>,
        l: usize,
        r: usize,
    ) -> Outcome<Node> {
        let below = inside.height.max(after.height);
        let (inside, after) = (inside.value, after.value);
        if let Some(fault) = fault::keywords_missing(self, &name.value, l, r) {
            return refuse(fault);
        }
        if let Some((_, nulls_l, nulls_r)) = after.nulls {
            if inside.nulls.is_some() {
                return refuse(fault::nulls_twice(self, nulls_l, nulls_r));
            }
            if inside.list.is_empty() {
                return refuse(fault::nulls_without_argument(self, nulls_l, nulls_r));
            }
        }
        let call = Call {
            name,
            arguments: if inside.star { Arguments::Star } else { Arguments::List(inside.list) },
            distinct: inside.distinct,
            order_by: inside.order_by,
            within_group: after.within_group,
            filter: after.filter,
            nulls: inside.nulls.or(after.nulls).map(|(treatment, _, _)| treatment),
            over: after.over,
        };
        self.node(ExprKind::Call(Box::new(call)), below, l, r)
    }

    /// `CURRENT_DATE` and its like are calls with or without their parentheses.
    pub(super) fn clock(&self, name: Spanned<Ident>, l: usize, r: usize) -> Node {
        self.leaf(ExprKind::Call(Box::new(plain_call(name, Vec::new()))), l, r)
    }

    /// The calls that have keywords in their parentheses, by the name before them.
    pub(super) fn form(&self, name: Spanned<Ident>, form: Form, l: usize, r: usize) -> Outcome<Node> {
        let folded = if name.value.quoted { String::new() } else { name.value.text.to_ascii_uppercase() };
        match (folded.as_str(), form) {
            ("CAST", Form::As { operand, to }) => self.cast(operand, to, false, l, r),
            ("TRY_CAST", Form::As { operand, to }) => self.cast(operand, to, true, l, r),
            ("EXTRACT", Form::From { first, second, third: None }) => match single_word(&first.value) {
                Some(part) => {
                    self.node(ExprKind::Extract { part, operand: second.value }, second.height, l, r)
                }
                None => refuse(fault::not_a_part(self, l, first.value.span)),
            },
            ("TRIM", Form::From { first, second, third: None }) => {
                self.trim(TrimSide::Both, Some(first), second, l, r)
            }
            ("TRIM", Form::Side { side, character, operand }) => self.trim(side, character, operand, l, r),
            ("SUBSTRING", Form::From { first, second, third }) => {
                let mut list = push(one(first), second);
                if let Some(third) = third {
                    list = push(list, third);
                }
                self.node(ExprKind::Call(Box::new(plain_call(name, list.value))), list.height, l, r)
            }
            (_, Form::From { .. } | Form::Side { .. }) => refuse(fault::misplaced_from(self, &name, l, r)),
            (_, Form::As { to, .. }) => refuse(fault::misplaced_as(self, &name, l, to.span)),
        }
    }

    fn trim(
        &self,
        side: TrimSide,
        character: Option<Node>,
        operand: Node,
        l: usize,
        r: usize,
    ) -> Outcome<Node> {
        let mut below = operand.height;
        let character = take(character, &mut below);
        self.node(ExprKind::Trim { side, character, operand: operand.value }, below, l, r)
    }
}

fn plain_call(name: Spanned<Ident>, list: Vec<Expr>) -> Call {
    Call {
        name,
        arguments: Arguments::List(list),
        distinct: false,
        order_by: Vec::new(),
        within_group: Vec::new(),
        filter: None,
        nulls: None,
        over: None,
    }
}

/// The text and place of a name of one unquoted part.
fn single_word(expr: &Expr) -> Option<Spanned<String>> {
    let ExprKind::Name(parts) = expr.kind.as_ref() else { return None };
    match parts.as_slice() {
        [only] if !only.value.quoted => Some(Spanned::new(only.value.text.clone(), only.span)),
        _ => None,
    }
}
