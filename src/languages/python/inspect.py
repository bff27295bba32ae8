"""What only Python itself can tell of a Python file: whether it parses, what it offers, what it asks.

Reads {path, source} as JSON from stdin, parses the source and never runs it, and prints one marked
line of JSON: {error, defines, prompts}. It runs from its text (python -c) in the workspace and is
never written there. Python 3.8 and later.
"""

import ast
import json
import sys

data = json.loads(sys.stdin.buffer.read().decode("utf-8"))
PATH, SOURCE = data["path"], data["source"]
out = {"error": None, "defines": [], "prompts": []}


def finish():
    print("PROBE:" + json.dumps(out))
    sys.exit(0)


# Syntax: nothing else is looked at in a file that does not parse.
try:
    compile(SOURCE, PATH, "exec", dont_inherit=True)
    tree = ast.parse(SOURCE)
except SyntaxError as error:
    line = error.lineno or 1
    # Its own text of the line may come from the file of that name on the disk.
    text = "".join(SOURCE.split("\n")[line - 1 : line]).strip()
    out["error"] = {"line": line, "message": error.msg, "text": text[:120]}
    finish()
except (ValueError, RecursionError, MemoryError) as error:
    out["error"] = {"line": 1, "message": str(error), "text": ""}
    finish()


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

# What the file offers and what it asks.
for node in tree.body:
    if isinstance(node, FUNCTIONS + (ast.ClassDef,)) and not node.name.startswith("_"):
        out["defines"].append(node.name + ("" if isinstance(node, ast.ClassDef) else "()"))
out["defines"] = out["defines"][:40]


def prompt_text(node):
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(prompt_text(one) if isinstance(one, ast.Constant) else "…" for one in node.values)
    return "…"


def is_input(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "input"


asked = sorted((node.lineno, node.col_offset, node) for node in ast.walk(tree) if is_input(node))
# A name that the file gives to something else asks nobody.
bound = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
bound |= {getattr(one, "asname", None) or one.name for one in ast.walk(tree) if isinstance(one, FUNCTIONS + (ast.alias,))}
if "input" not in bound:
    out["prompts"] = [prompt_text(node.args[0])[:200] if node.args else "" for _, _, node in asked][:20]
finish()
