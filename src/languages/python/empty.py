# Has functions return at once, or, where "how" is "constant", has them give back a constant of the
# same kind, or, where it is "no_value", end the process with a failure at a value that they give: reads {"how", "source", "before"} as JSON from stdin, where "before" is the text that was
# there or null, and prints one line PROBE:{"text": ... or null} as JSON.
# What stands unchanged in "before" is left alone. Classes keep their methods, functions their first
# line; what is inside a function goes with it.
import ast
import json
import sys

GIVEN = json.load(sys.stdin)
SOURCE = GIVEN["source"]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def answer(text):
    print("PROBE:" + json.dumps({"text": text}))
    sys.exit(0)


def parse(text):
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def functions_in(node, prefix=""):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FUNCTIONS):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from functions_in(child, prefix + child.name + ".")
        elif isinstance(child, ast.stmt):
            yield from functions_in(child, prefix)


def is_documentation(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def does_nothing(node):
    return all(is_documentation(one) or isinstance(one, ast.Pass) for one in node.body)


CONSTANT = """
def _constant_of_(function):
    import functools
    import inspect

    def constant(value):
        if ENDS_AT_VALUES and value is not None:
            import os

            os._exit(97)
        if value is None or isinstance(value, bool):
            return None if value is None else True
        for kind in (int, float, complex, str, bytes, list, tuple, set, dict):
            if isinstance(value, kind):
                return kind()
        return None

    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        return function
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def waits(*args, **kwargs):
            return constant(await function(*args, **kwargs))

        return waits

    @functools.wraps(function)
    def gives(*args, **kwargs):
        return constant(function(*args, **kwargs))

    return gives

"""


def is_first(node):
    return is_documentation(node) or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


# The innermost decorator sees what the function itself gives back.
def with_constants(lines, changed):
    for node in sorted(changed, key=lambda one: one.lineno, reverse=True):
        indent = lines[node.lineno - 1][: node.col_offset]
        if indent.strip():
            return None
        lines.insert(node.lineno - 1, indent + b"@_constant_of_\n")
    rest = [node for node in tree.body if not is_first(node)]
    row = min(one.lineno for one in [rest[0], *getattr(rest[0], "decorator_list", [])]) - 1
    if lines[row - 1 : row] and not lines[row - 1].endswith((b"\n", b"\r")):
        return None
    ends = str(GIVEN["how"] == "no_value")
    lines[row:row] = [CONSTANT.replace("ENDS_AT_VALUES", ends).encode("utf-8")]
    text = b"".join(lines).decode("utf-8")
    return text if parse(text) is not None else None


tree = parse(SOURCE)
if tree is None:
    answer(None)
before = parse(GIVEN["before"] or "") or ast.parse("")
there = {(name, ast.dump(node)) for name, node in functions_in(before)}
changed = [node for name, node in functions_in(tree) if (name, ast.dump(node)) not in there and not does_nothing(node)]
if not changed:
    answer(None)

# Columns count bytes.
lines = SOURCE.encode("utf-8").splitlines(keepends=True)
if len(lines) != len(SOURCE.splitlines()) or b"\f" in SOURCE.encode("utf-8"):
    answer(None)
if GIVEN.get("how") in ("constant", "no_value"):
    answer(with_constants(lines, changed))
# A test may read the text of a function or of its file, so both stay: behind a return, and at the end.
for node in sorted(changed, key=lambda one: one.lineno, reverse=True):
    first = node.body[0]
    row, column = first.lineno - 1, first.col_offset
    for decorator in getattr(first, "decorator_list", []):
        # Its @ stands where the function itself does.
        row = min(row, decorator.lineno - 1)
    head, rest = lines[row][:column], lines[row][column:]
    lines[row] = head + (b"return; " if head.strip() else b"return\n" + head) + rest
quoted = SOURCE.replace('"""', "'''")
text = b"".join(lines).decode("utf-8") + f'\nr"""\n{quoted}\n"""\n'
answer(text if parse(text) is not None else None)
