"""SQL in the words of both databases, put into PostgreSQL's."""

import pytest

from events.dialect import Unstorable, check_text, to_postgres


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select 1", "select 1"),
        ("select a from t where b = ? and c > ?", "select a from t where b = $1 and c > $2"),
        ("select a from t where b = ?1 or c = ?1 or d = ?2", "select a from t where b = $1 or c = $1 or d = $2"),
        ("select ?2, ?", "select $2, $3"),
        ("select '?', \"?\", ? -- ?\n, ?", "select '?', \"?\", $1 -- ?\n, $2"),
        ("select 'it''s ?', ?", "select 'it''s ?', $1"),
        ("insert into t values (?, ?) on conflict do nothing", "insert into t values ($1, $2) on conflict do nothing"),
        ("create index i on t(text)", "create index i on t(text)"),
        ("update t set text = ? where integer = ?", "update t set text = $1 where integer = $2"),
    ],
)
def test_marks_are_numbered_outside_of_quotes_and_comments_and_nothing_else_changes(sql, expected):
    assert to_postgres(sql) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("create table t(a text primary key) strict", 'create table t(a text collate "C" primary key)'),
        (
            "create table t(\n  a text, b integer not null, c blob,\n  primary key(a, b)\n) strict, without rowid",
            'create table t(\n  a text collate "C", b bigint not null, c bytea,\n  primary key(a, b)\n)',
        ),
        ("create table t(a integer) without rowid, strict;", "create table t(a bigint)"),
        (
            "create table t(text text, a text default '?')",
            'create table t(text text collate "C", a text collate "C" default \'?\')',
        ),
        ("create table t(a integer check (a > 0))", "create table t(a bigint check (a > 0))"),
        ("alter table t add column a blob", "alter table t add column a bytea"),
        ("create table t(blob_a text)", 'create table t(blob_a text collate "C")'),
    ],
)
def test_tables_get_postgresqls_types_and_texts_in_the_order_of_bytes(sql, expected):
    assert to_postgres(sql) == expected


def test_a_trigger_that_forbids_a_change_forbids_it_there_too():
    sql = """create trigger heads_are_not_updated before update on heads
       begin select raise(abort, 'heads are append-only'); end"""
    expected = (
        "create trigger heads_are_not_updated before update on heads for each statement execute function log.forbid()"
    )
    assert to_postgres(sql) == expected


@pytest.mark.parametrize("sql", ["insert or ignore into t values (1)", " REPLACE into t values (1)"])
def test_what_sqlite_alone_knows_is_refused(sql):
    with pytest.raises(ValueError, match="SQLite alone"):
        to_postgres(sql)


@pytest.mark.parametrize("text", ["a\0b", "\0", "half \ud800"])
def test_text_that_postgresql_cannot_hold_is_refused(text):
    with pytest.raises(Unstorable, match="PostgreSQL cannot hold"):
        check_text(("fine", text))


def test_all_other_text_and_all_bytes_pass():
    check_text(("", "\x01 \N{PILE OF POO} \uffff", b"\0", 0, None))
