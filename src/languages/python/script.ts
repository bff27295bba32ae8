/**
 * The looks only Python itself can do, as one script that is never written to disk. It reads
 * `{path, source, planned}` as JSON from stdin, parses and never runs the file, and prints one
 * marked line of JSON. Python 3.8 and later. Every rule prefers silence to a false alarm.
 */
import { RESULTS } from './script-results.ts';

export const LOOK_MARK = 'PROBE-LOOK:';

const READ_AND_PARSE = `
import ast, builtins, json, os, re, site, sys, symtable
from importlib.util import find_spec
data = json.loads(sys.stdin.buffer.read().decode("utf-8"))
PATH, SOURCE, PLANNED = data["path"], data["source"], set(data["planned"])
BASE = os.path.basename(PATH)
HERE = os.path.dirname(PATH)
IS_TEST = BASE.startswith("test_") or BASE.endswith("_test.py")
problems, out = [], {"error": None, "defines": [], "prompts": [], "hasMain": False, "tests": 0}
def problem(line, text):
    problems.append((line, "line %d: %s" % (line, text)))
def finish():
    out["problems"] = [text for _, text in sorted(set(problems))[:12]]
    print("${LOOK_MARK}" + json.dumps(out))
    sys.exit(0)
def there(path):
    return os.path.exists(path) or path in PLANNED
def parse(path):
    try:
        with open(path, "rb") as file:
            return ast.parse(file.read(400000))
    except Exception:
        return None
try:
    compile(SOURCE, PATH, "exec", dont_inherit=True)
    tree = ast.parse(SOURCE)
except SyntaxError as error:
    out["error"] = {"line": error.lineno or 1, "message": error.msg, "text": (error.text or "").strip()[:120]}
    finish()
except (ValueError, RecursionError, MemoryError) as error:
    out["error"] = {"line": 1, "message": str(error), "text": ""}
    finish()
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
def is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
def dotted(node):
    if isinstance(node, ast.Call):
        return dotted(node.func)
    if isinstance(node, ast.Subscript):
        return dotted(node.value)
    if isinstance(node, ast.Attribute):
        return dotted(node.value) + "." + node.attr
    return node.id if isinstance(node, ast.Name) else ""
def last(node):
    return dotted(node).split(".")[-1]
def targets(node):
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, (ast.Store, ast.Del)):
            yield part.id
def top_names(body):
    names = set()
    for node in body:
        if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((item.asname or item.name).split(".")[0] for item in node.names)
        else:
            names.update(targets(node))
            for part in ("body", "orelse", "finalbody"):
                names |= top_names([one for one in getattr(node, part, []) or [] if isinstance(one, ast.stmt)])
            for handler in getattr(node, "handlers", []) or []:
                names |= top_names(handler.body)
    return names
def module_names(module):
    names = top_names(module.body)
    for node in ast.walk(module):
        if isinstance(node, ast.Global):
            names.update(node.names)
    return names
SKIP = {"node_modules", "__pycache__", "venv", "env", "site-packages", "build", "dist"}
def local_files():
    found = []
    for folder, folders, files in os.walk("."):
        folders[:] = sorted(one for one in folders if one not in SKIP and not one.startswith("."))
        for name in sorted(files):
            if name.endswith(".py"):
                found.append(os.path.normpath(os.path.join(folder, name)).replace(os.sep, "/"))
        if len(found) > 80 or folder.count(os.sep) > 4:
            break
    return [one for one in found if one != PATH][:80]
LOCAL = local_files()
def module_of(path):
    name = path[:-3].replace("/", ".")
    return name[:-9] if name.endswith(".__init__") else name
def is_test_file(path):
    name = path.split("/")[-1]
    return name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"
`;

const STUBS = `
ABSTRACT = {"ABC", "ABCMeta", "Protocol"}
BASES = {last(base) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases}
def without_text(body):
    return body[1:] if body and is_text(body[0]) else body
def raises_not_implemented(node):
    return isinstance(node, ast.Raise) and node.exc is not None and last(node.exc) == "NotImplementedError"
def is_ellipsis(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is Ellipsis
def check_stub(node, owner):
    marks = {last(one) for one in node.decorator_list}
    if marks & {"abstractmethod", "overload", "abstractproperty"} or re.search("no_?op|nothing|dummy|ignore", node.name):
        return
    if owner is not None:
        if {last(base) for base in owner.bases} & ABSTRACT or owner.name in BASES or any(one.arg == "metaclass" for one in owner.keywords):
            return
        if re.match("_?(Base|Abstract)|.*(Base|Interface|Mixin)$", owner.name):
            return
    body = without_text(node.body)
    derived = owner is not None and any(last(base) != "object" for base in owner.bases)
    quiet = node.name.startswith("__") or node.name in ("setUp", "tearDown") or derived
    if len(body) == 1 and isinstance(body[0], ast.Pass):
        what = "only holds pass"
    elif len(body) == 1 and is_ellipsis(body[0]):
        what = "only holds ..."
    elif len(body) == 1 and raises_not_implemented(body[0]):
        what, quiet = "only raises NotImplementedError", node.name.startswith("__")
    elif not body and not derived:
        what = "only holds a text"
    else:
        return
    if not quiet:
        problem(node.lineno, "the function %s %s: write its whole body" % (node.name, what))
def walk_stubs(body, owner):
    for node in body:
        if isinstance(node, FUNCTIONS):
            check_stub(node, owner)
            walk_stubs(node.body, None)
        elif isinstance(node, ast.ClassDef):
            walk_stubs(node.body, node)
        else:
            for part in ("body", "orelse", "finalbody"):
                walk_stubs([one for one in getattr(node, part, []) or [] if isinstance(one, ast.stmt)], owner)
walk_stubs(tree.body, None)
def is_code(node):
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)) or is_text(node) or is_ellipsis(node):
        return False
    if isinstance(node, ast.ClassDef) and not node.bases and not node.decorator_list:
        return any(is_code(one) for one in node.body)
    return True
if SOURCE.strip() and BASE not in ("__init__.py", "conftest.py") and not any(is_code(node) for node in tree.body):
    problem(1, "the file holds no code beside imports and comments: write the code")
`;

const DESCRIBE = String.raw`
def signature(node, skip=0):
    given = node.args
    names = [one.arg for one in getattr(given, "posonlyargs", []) + given.args]
    shown = []
    for index, name in enumerate(names):
        default = index - (len(names) - len(given.defaults))
        value = given.defaults[default] if default >= 0 else None
        text = "..." if value is not None else ""
        if isinstance(value, ast.Constant):
            text = repr(value.value)[:20]
        shown.append(name + ("=" + text if text else ""))
    shown = shown[skip:]
    if given.vararg:
        shown.append("*" + given.vararg.arg)
    elif given.kwonlyargs:
        shown.append("*")
    shown += [one.arg + ("" if value is None else "=...") for one, value in zip(given.kwonlyargs, given.kw_defaults)]
    if given.kwarg:
        shown.append("**" + given.kwarg.arg)
    return "(" + ", ".join(shown) + ")"
def class_signature(node):
    text, methods = "()", []
    for one in node.body:
        if isinstance(one, FUNCTIONS):
            skip = 0 if any(last(mark) == "staticmethod" for mark in one.decorator_list) else 1
            if one.name == "__init__":
                text = signature(one, 1)
            elif not one.name.startswith("_"):
                methods.append("." + one.name + signature(one, skip))
    return node.name + text + (" with " + ", ".join(methods[:12]) if methods else "")
for node in tree.body:
    if isinstance(node, FUNCTIONS + (ast.ClassDef,)) and not node.name.startswith("_"):
        shown = class_signature(node) if isinstance(node, ast.ClassDef) else node.name + signature(node)
        out["defines"].append({"name": node.name, "signature": shown[:300]})
out["defines"] = out["defines"][:40]
def is_guard(node):
    return isinstance(node, ast.If) and "__name__" in {one.id for one in ast.walk(node.test) if isinstance(one, ast.Name)}
def does_something(node):
    called = isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.Await))
    return called or is_guard(node) or isinstance(node, (ast.For, ast.While, ast.With))
out["hasMain"] = any(does_something(node) for node in tree.body)
def prompt_text(node):
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(prompt_text(one) if isinstance(one, ast.Constant) else "…" for one in node.values)
    return "…"
def is_input(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "input"
asked = sorted((node.lineno, node.col_offset, node) for node in ast.walk(tree) if is_input(node))
if "input" not in module_names(tree):
    out["prompts"] = [prompt_text(node.args[0])[:200] if node.args else "" for _, _, node in asked][:20]
defined_main = [node for node in tree.body if isinstance(node, FUNCTIONS) and node.name == "main"]
mentioned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
packaged = os.path.exists(os.path.join(HERE, "__init__.py")) or any(map(os.path.exists, ["pyproject.toml", "setup.py", "setup.cfg"]))
if defined_main and "main" not in mentioned and not out["hasMain"] and not IS_TEST and not packaged and BASE != "__init__.py":
    problem(defined_main[0].lineno, "main is never called: end the file with  if __name__ == \"__main__\": main()")
`;

export const SCRIPT_START = READ_AND_PARSE + STUBS + DESCRIBE + RESULTS;
