"""No words of a person live in a cache of the process: what is cached is the program's own."""

import ast

import pytest

from tests.architecture.sources import FILES, name, parsed

CACHES = {"cache", "lru_cache"}
# What may be kept though it depends on something: where, the function, and why it is nobody's text.
ALLOWED = {
    ("app/domain/language/text.py", "_everyday_stem"): "a word of a list that ships",
    ("app/exchange/importing.py", "_restore"): "names of tables, for one import",
    ("app/gui/chat/text/highlight.py", "_colour"): "a kind of token of the highlighter",
    ("app/gui/chat/text/highlight.py", "_lexer_of"): "the name of a language it knows",
    ("app/gui/inspector/delegate.py", "_shortener"): "of one table; dropped with the rows it shows",
    ("app/memory/answer/referring.py", "_phrases"): "the name of a list that ships",
    ("app/memory/learn/copied.py", "_placeholders"): "instructions that ship",
    ("app/memory/learn/copied.py", "_runs_of"): "instructions that ship",
    ("app/memory/text/attributes.py", "_worded"): "a group of a list that ships",
    ("app/memory/text/scripts.py", "_bare"): "the name of a list that ships",
    ("app/memory/text/scripts.py", "_cut"): "whether it is Japanese",
    ("app/memory/word_lists.py", "_file"): "the name of a file that ships",
    ("app/memory/word_lists.py", "vocabulary"): "the name of a list that ships",
    ("app/memory/word_lists.py", "word_groups"): "the name of a list that ships",
    ("app/memory/word_lists.py", "word_list"): "the name of a list that ships",
    ("app/providers/local/architectures.py", "_holds"): "the library and what it can run",
    ("app/providers/local/catalogue.py", "_read"): "the list of models that ships",
    ("app/providers/local/gguf.py", "_read"): "the header of a model's file",
    ("app/providers/local/native.py", "silence"): "the native library",
    ("app/services/answer/fitting.py", "_whole"): "of one answer, with whose window it goes",
}


def as_imported(tree):
    """Return the names under which a file has caches."""
    imports = (n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom))
    listed = [one for n in imports if n.module == "functools" for one in n.names]
    return {one.asname or one.name for one in listed if one.name in CACHES}


def is_cache(node, names):
    return (isinstance(node, ast.Attribute) and node.attr in CACHES) or (
        isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)
    )


def parameters(function):
    given = function.args
    listed = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    return [one for one in listed if one is not None]


def cached(tree):
    """Yield the outermost function around each cache, unless nothing is given to what it keeps."""
    free = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not parameters(node):
            free |= {id(part) for mark in node.decorator_list for part in ast.walk(mark)}
    names = as_imported(tree)
    for node in tree.body:
        for part in node.body if isinstance(node, ast.ClassDef) else [node]:
            if any(is_cache(one, names) and id(one) not in free for one in ast.walk(part)):
                yield getattr(part, "name", "a value")


def found():
    return {(name(path), made) for path in FILES for made in cached(parsed(path))}


def test_only_what_is_the_programs_own_is_cached():
    assert found() == ALLOWED.keys()


@pytest.mark.parametrize(
    "source",
    [
        "@cache\ndef content(text): ...",
        "@lru_cache(128)\ndef content(text: str): ...",
        "@functools.lru_cache(maxsize=None)\ndef content(*texts): ...",
        "class A:\n    @cache\n    def content(self): ...",
        "def make(model):\n    return lru_cache(None)(model.count)",
        "def make():\n    @cache\n    def inner(text): ...\n    return inner",
        "content = cache(read)",
    ],
)
def test_a_cache_of_texts_is_found(source):
    assert list(cached(ast.parse(f"from functools import cache, lru_cache\n{source}")))


def test_a_cache_of_nothing_given_is_free():
    assert not list(cached(ast.parse("from functools import cache\n@cache\ndef words(): ...")))
