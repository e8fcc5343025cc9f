"""What the starrocks dialect of sqlglot accepts and StarRocks refuses, or reads in another sense.

In: SQL text that parses. Out: a list of sentences, empty if nothing was found. Works on tokens, so that the spelling is judged
that would reach the server: the tree writes several of these forms as if they were the right ones.
"""

import re

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import TokenType

# Names that StarRocks does not know as functions, and what says the same there.
NOT_IN_STARROCKS = {
    "try_cast": "CAST gives NULL already",
    "median": "PERCENTILE_CONT(x, 0.5)",
    "safe_cast": "CAST gives NULL already",
    "string_agg": "GROUP_CONCAT",
    "listagg": "GROUP_CONCAT",
    "bool_and": "MIN over a CASE",
    "date_part": "one function for each part",
    "strftime": "DATE_FORMAT",
    "quantile_cont": "PERCENTILE_CONT(x, p)",
    "arg_max": "MAX_BY",
    "arg_min": "MIN_BY",
}

# StarRocks' own reference, docs/en/sql-reference/sql-functions, 3.5 and 4.x. A name that is missing here is refused.
FUNCTIONS = frozenset("""
abs acos ascii asin assert_true atan atan2 avg any_value approx_count_distinct array_agg bin bit_length bitand bitnot bitor bitxor
bitmap_union_count cbrt ceil ceiling char char_length character_length coalesce concat concat_ws conv corr cos cosh cot
count count_if covar_pop covar_samp cume_dist curdate current_date current_timestamp current_version connection_id
date date_add date_diff date_floor date_format date_slice date_sub date_trunc datediff day dayname dayofmonth dayofweek
dayofweek_iso dayofyear days_add days_diff days_sub degrees dense_rank ends_with exp extract field find_in_set first_value
floor fmod from_days from_unixtime greatest group_concat grouping grouping_id hash hex hour hours_add hours_diff hours_sub
if ifnull initcap instr isnotnull isnull lag last_day last_value lcase lead least left length ln locate log log10 log2 lower lpad
ltrim makedate max max_by md5 microsecond microseconds_add microseconds_sub mid min min_by minute minutes_add minutes_diff
minutes_sub mod month monthname months_add months_diff months_sub months_between murmur_hash3_32 negative next_day now ntile
nullif parse_url percent_rank percentile_approx percentile_cont percentile_disc percentile_disc_lc pi pmod positive pow power
quarter radians rand random rank regexp regexp_count regexp_extract regexp_extract_all regexp_replace repeat replace reverse
right round row_number rpad rtrim second seconds_add seconds_diff seconds_sub sha2 sign sin sinh space split split_part sqrt
square starts_with std stddev stddev_pop stddev_samp str2date str_to_date strcmp strleft strpos strright substr substring
substring_index sum tan tanh time_slice time_to_sec timestamp timestampadd timestampdiff to_date to_days trim truncate ucase
unhex unix_timestamp upper utc_timestamp uuid var_pop var_samp variance variance_pop variance_samp week week_iso weekofyear
weeks_add weeks_diff weeks_sub year years_add years_diff years_sub yearweek cast convert
""".split())

# Words that may stand before a parenthesis without being a function: keywords, and types with arguments.
NOT_FUNCTIONS = frozenset("""
all and any array as between by case char cube decimal decimal128 decimal256 decimal32 decimal64 distinct else end except exists
from full group grouping having in inner intersect interval is join lateral like limit map minus not offset on or order outer over
partition properties rollup select sets set_var struct then union unnest using values varbinary varchar when where with
""".split())

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
QUOTED = (TokenType.IDENTIFIER, TokenType.STRING)


def violations(sql):
    """A sentence for each construct that must not be sent to StarRocks."""
    tokens = Dialect.get_or_raise("starrocks").tokenize(sql)
    # One word for each token; a quoted name or a text is no keyword and becomes the empty word.
    words = ["" if t.token_type in QUOTED else t.text.upper() for t in tokens]
    found = []
    for at, token in enumerate(tokens):
        found += word_at(words, at)
        unit = tokens[at + 2].text if words[at] == "DATE_TRUNC" and at + 2 < len(tokens) else ""
        if unit != unit.lower():
            found.append(f"DATE_TRUNC wants its unit in small letters, not {unit}")
        if token.token_type == TokenType.STRING and sql[token.start] == '"':
            found.append(f'"{token.text}" is a text in StarRocks, not a name: backticks quote names')
    return found


def word_at(words, at):
    """What is wrong with the construct that begins at one word."""
    def ahead(offset):
        return words[at + offset] if 0 <= at + offset < len(words) else ""

    word, following = words[at], ahead(1)
    found = []
    if word == "DISTINCT" and following == "FROM" and ahead(-1) in ("IS", "NOT"):
        found.append("IS [NOT] DISTINCT FROM is not in StarRocks: write <=>")
    if word.startswith("TIMESTAMP") and (ahead(-1) in ("AS", "::") or (WORD.match(word) and following != "(")):
        found.append(f"{word} is no type in StarRocks: write DATETIME")
    if word in ("ILIKE", "ESCAPE", "QUALIFY"):
        found.append(f"{word} is not in StarRocks")
    if word == "FETCH" and following in ("FIRST", "NEXT"):
        found.append("FETCH FIRST is not in StarRocks: write LIMIT")
    if word == "WITHIN" and following == "GROUP":
        found.append("WITHIN GROUP is not in StarRocks: write PERCENTILE_CONT(x, p)")
    if word == "FILTER" and following == "(":
        found.append("FILTER on an aggregate is not in StarRocks before 4.0: write a CASE inside")
    if word == "GROUPS" and (following in ("BETWEEN", "UNBOUNDED", "CURRENT") or following.isdigit()):
        found.append("GROUPS frames are not in StarRocks")
    if word == "OVER" and following == "(":
        found += window(words, at + 1)
    if word == "||":
        found.append("|| is a logical OR in StarRocks: write CONCAT")
    if word in ("TRUE", "FALSE") and (ahead(-1) == "IS" or (ahead(-1) == "NOT" and ahead(-2) == "IS")):
        found.append(f"IS {word} is not in StarRocks: compare, or use the value itself")
    if word in ("SUBSTRING", "SUBSTR", "TRIM") and following == "(" and has_from(words, at + 1):
        found.append(f"{word}(.. FROM ..) is not in StarRocks: write the arguments as a list")
    if following == "(" and WORD.match(word) and word not in ("FILTER", "GROUPS"):
        name = word.lower()
        if name in NOT_IN_STARROCKS:
            found.append(f"{word} is not in StarRocks: {NOT_IN_STARROCKS[name]}")
        elif name not in FUNCTIONS and name not in NOT_FUNCTIONS and ahead(-1) != "AS":
            found.append(f"{word} is not known as a StarRocks function")
    return found


def has_from(words, opening):
    """Whether FROM stands directly inside the parenthesis that opens at `opening`, not in a deeper one."""
    return "FROM" in inside(words, opening)


def window(words, opening):
    """What is wrong with what stands in OVER. The tokenizer makes one word of PARTITION BY, and of ORDER BY."""
    spec = inside(words, opening)
    found = []
    if ("ROWS" in spec or "RANGE" in spec) and "ORDER BY" not in spec:
        found.append("a frame needs an ORDER BY in StarRocks")
    for word, first in zip(spec, spec[1:]):
        if word in ("PARTITION BY", "ORDER BY") and (first.isdigit() or first == "NULL"):
            found.append(f"{word} takes no constant in StarRocks")
    return found


def inside(words, opening):
    """The words that stand directly inside the parenthesis that opens at `opening`, not in a deeper one."""
    depth, found = 0, []
    for word in words[opening:]:
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth == 0:
            break
        if depth == 1 and word != "(":
            found.append(word)
    return found
