"""Looks that only Python itself can take at a Python file.

Reads {path, source, planned} as JSON from stdin, parses the source and never runs it, and prints
one marked line of JSON: {error, problems, defines, prompts}. It runs from its text (python -c) in
the workspace and is never written there. Python 3.8 and later. Every rule prefers silence to a
false alarm. What it says is read by a model that is to mend the file.
"""

import ast
import builtins
import json
import os
import re
import site
import symtable
import sys
from glob import glob
from importlib.machinery import PathFinder
from importlib.util import find_spec

data = json.loads(sys.stdin.buffer.read().decode("utf-8"))
PATH, SOURCE, PLANNED = data["path"], data["source"], set(data["planned"])
BASE = os.path.basename(PATH)
HERE = os.path.dirname(PATH)
problems, out = [], {"error": None, "defines": [], "prompts": []}


def is_test(path):
    name = path.split("/")[-1]
    return name.startswith("test_") or name.endswith("_test.py")


def serves_tests(path):
    return is_test(path) or path.split("/")[-1] == "conftest.py"


IS_TEST = is_test(PATH)


def problem(line, text):
    problems.append((line, "line %d: %s" % (line, text)))


def finish():
    out["problems"] = [text for _, text in sorted(set(problems))[:12]]
    print("PROBE-LOOK:" + json.dumps(out))
    sys.exit(0)


def there(path):
    return os.path.exists(path) or path in PLANNED


def parse(path):
    try:
        with open(path, "rb") as file:
            return ast.parse(file.read(400000))
    except Exception:
        return None


# Syntax: nothing else is looked at in a file that does not parse.
try:
    compile(SOURCE, PATH, "exec", dont_inherit=True)
    tree = ast.parse(SOURCE)
except SyntaxError as error:
    out["error"] = {"line": error.lineno or 1, "message": error.msg, "text": (error.text or "").strip()[:120]}
    finish()
except (ValueError, RecursionError, MemoryError) as error:
    out["error"] = {"line": 1, "message": str(error), "text": ""}
    finish()


# Helpers: parts of a tree, and the other files here.
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


def import_line(path, name):
    return "from %s import %s" % (module_of(path), name)


# Stubs: functions whose body is still to be written, and files without code.
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


# What the file offers and what it asks.
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
            marks = [last(mark) for mark in one.decorator_list]
            given = "" if "property" in marks else signature(one, 0 if "staticmethod" in marks else 1)
            # These are called on the class itself: said by the word that makes them so.
            of = "".join("@%s " % mark for mark in marks if mark in ("staticmethod", "classmethod"))
            if one.name == "__init__":
                text = signature(one, 1)
            elif not one.name.startswith("_"):
                methods.append((of or ".") + one.name + given)
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


HAS_MAIN = any(does_something(node) for node in tree.body)


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
if defined_main and "main" not in mentioned and not HAS_MAIN and not IS_TEST and not packaged and BASE != "__init__.py":
    problem(defined_main[0].lineno, "main is never called: end the file with  if __name__ == \"__main__\": main()")


# Imports: of files here, planned ones and what is installed.
try:
    site.addsitedir(site.getusersitepackages())
except Exception:
    pass
ROOTS = ["", HERE, "src"]
STDLIB = set(getattr(sys, "stdlib_module_names", ())) | set(sys.builtin_module_names) | {
    "msvcrt", "winreg", "winsound", "curses", "readline", "termios", "fcntl", "tty", "pwd", "resource", "tkinter", "distutils", "imp"}


# Only looked at: nothing of a virtual environment is run.
SITES = [one for root in (".venv", "venv") for one in glob(root + "/lib/python*/site-packages") + [root + "/Lib/site-packages"]]


def installed(name):
    if name in STDLIB:
        return True
    try:
        return find_spec(name) is not None or PathFinder.find_spec(name, SITES) is not None
    except Exception:
        return True


def has_python(folder):
    inside = folder + "/"
    return any(one.startswith(inside) for one in LOCAL) or any(one.startswith(inside) for one in PLANNED) or PATH.startswith(inside)


def locate(parts, roots):
    for root in roots:
        base = "/".join(([root] if root else []) + parts)
        if there(base + "/__init__.py") or base + "/__init__.py" == PATH:
            return base + "/__init__.py"
        if there(base + ".py") or base + ".py" == PATH:
            return base + ".py"
        if has_python(base):
            return base + "/"
    return None


def provides(target, name):
    if target in PLANNED and not os.path.exists(target):
        return None
    folder = target if target.endswith("/") else target[:-11] if target.endswith("/__init__.py") else None
    if folder is not None and (locate([name], [folder.rstrip("/")]) or target.endswith("/")):
        return None
    module = tree if target == PATH else parse(target)
    if module is None:
        return None
    names = module_names(module)
    stars = any(isinstance(node, ast.ImportFrom) and any(one.name == "*" for one in node.names) for node in ast.walk(module))
    if name in names or stars or "__getattr__" in names or "globals" in {last(one) for one in ast.walk(module) if isinstance(one, ast.Call)}:
        return None
    return sorted(one for one in names if not one.startswith("_"))


def check_name(line, target, name):
    names = provides(target, name)
    if names is not None:
        offered = ", ".join(names[:8]) or "nothing"
        problem(line, "%s does not define %s (it defines: %s)" % (target, name, offered))


def elsewhere(top):
    return [one for one in LOCAL if one.split("/")[-1] == top + ".py" and not serves_tests(one)]


CONFIGURED = any(map(os.path.exists, ["pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", "tox.ini", "conftest.py", "tests/conftest.py"]))
local_imports, aliases = 0, {}


def check_import(node, parts, names, optional):
    global local_imports
    dots = ".".join(parts)
    target = locate(parts, ROOTS)
    top = locate(parts[:1], ROOTS)
    if top is None or (top.endswith("/") and installed(parts[0])):
        if optional or installed(parts[0]):
            return
        other = elsewhere(parts[-1])
        if other:
            local_imports += 1
            if not CONFIGURED:
                problem(node.lineno, "there is no module %s, but there is %s: import it as %s" % (dots, other[0], module_of(other[0])))
        else:
            problem(node.lineno, "%s is neither a file here nor installed: import what exists or do without it" % dots)
        return
    local_imports += 1
    if top == PATH and HERE == "" and BASE != "__init__.py":
        if parts[0] in STDLIB:
            problem(node.lineno, "the name of this file hides Python's own module %s: another file name is needed" % parts[0])
        else:
            problem(node.lineno, "the file imports itself (%s): import from the file that has it, or define it here" % dots)
    elif target == PATH:
        own = {one.name for one in tree.body if isinstance(one, FUNCTIONS + (ast.ClassDef,))}
        missing = [one for one in names if one != "*" and one not in own and locate(parts + [one], ROOTS) is None]
        if missing and not optional:
            problem(node.lineno, "the package imports %s from itself: write the code here" % ", ".join(missing))
    elif target is None:
        if not optional and not installed(parts[0]):
            problem(node.lineno, "there is no module %s here" % dots)
    elif not optional:
        for one in names:
            check_name(node.lineno, target, one)


def check_relative(node, optional):
    global local_imports
    local_imports += 1
    folder = HERE.split("/") if HERE else []
    if len(folder) < node.level:
        if not os.path.exists("__init__.py"):
            problem(node.lineno, "this file is not in a package, so the import must be written without the leading dot")
        return
    folder = folder[: len(folder) - (node.level - 1)]
    parts = node.module.split(".") if node.module else []
    target = locate(folder + parts, [""])
    if target is None:
        if not optional:
            problem(node.lineno, "there is no module %s in %s: write the code itself here" % (node.module or ".", "/".join(folder)))
    elif target == PATH and parts:
        problem(node.lineno, "the file imports itself: import from the file that has it, or define it here")
    elif not optional and target != PATH:
        for one in node.names:
            if one.name != "*":
                check_name(node.lineno, target, one.name)


def walk_imports(node, optional):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for one in child.names:
                check_import(child, one.name.split("."), [], optional)
                aliases[one.asname or one.name.split(".")[0]] = one.name if one.asname else one.name.split(".")[0]
        elif isinstance(child, ast.ImportFrom) and child.level:
            check_relative(child, optional)
        elif isinstance(child, ast.ImportFrom):
            names = [one.name for one in child.names if one.name != "*"]
            check_import(child, child.module.split("."), names, optional)
        else:
            inner = optional or isinstance(child, ast.Try) or (isinstance(child, ast.If) and not is_guard(child))
            walk_imports(child, inner)


PATHS_CHANGED = "sys.path" in SOURCE
walk_imports(tree, PATHS_CHANGED)
stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
if not PATHS_CHANGED:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
            name = node.value.id
            if name in aliases and name not in stored and name not in arguments and not node.attr.startswith("__"):
                target = locate(aliases[name].split("."), ROOTS)
                if target and target != PATH and target.endswith(".py") and not target.endswith("__init__.py"):
                    check_name(node.lineno, target, node.attr)


# Names: what is used and defined nowhere.
GIVEN = set(dir(builtins)) | {"__file__", "__name__", "__doc__", "__package__", "__spec__", "__loader__", "__builtins__",
    "__path__", "__annotations__", "__module__", "__qualname__", "__class__", "__dict__", "__debug__", "WindowsError", "__conditional_annotations__"}


def tables(table):
    yield table
    for child in table.get_children():
        yield from tables(child)


def used_names():
    top = symtable.symtable(SOURCE, PATH, "exec")
    defined, used = module_names(tree), set()
    for table in tables(top):
        for symbol in table.get_symbols():
            bound = symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
            if table is top and bound or symbol.is_declared_global() and bound:
                defined.add(symbol.get_name())
            elif symbol.is_referenced() and (table is top or symbol.is_global()):
                used.add(symbol.get_name())
    return used - defined - GIVEN


def how_to_define(name):
    for path in LOCAL:
        if not serves_tests(path) and not path.endswith("__init__.py"):
            module = parse(path)
            if module and name in {one.name for one in module.body if isinstance(one, FUNCTIONS + (ast.ClassDef,))}:
                return "add: " + import_line(path, name)
    if name in STDLIB or name in ("pytest",):
        return "add: import %s" % name
    return "define or import it"


DYNAMIC = re.search(r"\bNameError\b|\bglobals\(|\blocals\(|\bvars\(|\bexec\(|\bbuiltins\b|import \*", SOURCE)
if not DYNAMIC:
    unknown = used_names()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in unknown:
            unknown.discard(node.id)
            problem(node.lineno, "%s is not defined: %s" % (node.id, how_to_define(node.id)))


# Parts of Python's own modules: those that are the same everywhere and do nothing when they are imported.
PLAIN = {"sys", "math", "random", "string", "itertools", "functools", "collections", "statistics", "operator", "json", "re", "textwrap"}
# A part that may not be there was thought of.
CAREFUL = re.search(r"\bhasattr\b|\bgetattr\b|\bAttributeError\b|\bplatform\b|\bversion_info\b", SOURCE)


def plain_imports():
    bound = {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)} | set(targets(tree))
    bound |= {one.name for one in ast.walk(tree) if isinstance(one, FUNCTIONS + (ast.ClassDef,))}
    for node in ast.walk(tree):
        for item in node.names if isinstance(node, ast.Import) else []:
            name = item.asname or item.name
            ours = any(there(folder + item.name + end) for folder in ("", HERE and HERE + "/") for end in (".py", "/__init__.py"))
            if item.name in PLAIN and name not in bound and not ours:
                yield name, item.name


def where_it_is(part):
    return "import %s and use it by itself" % part if part in PLAIN else "use what is there"


if not DYNAMIC and not CAREFUL:
    plain = dict(plain_imports())
    parts = [one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)]
    added = {one.attr for one in parts if not isinstance(one.ctx, ast.Load)}
    for node in parts:
        if node.attr not in added:
            module = plain.get(node.value.id)
            if module and not hasattr(__import__(module), node.attr):
                problem(node.lineno, "%s has no %s: %s" % (module, node.attr, where_it_is(node.attr)))


# Tests: that there are some, that they assert, and that they test what is here.
def is_test_class(node):
    return isinstance(node, ast.ClassDef) and (node.name.startswith("Test") or any("Test" in last(base) for base in node.bases))


def tests_in(body):
    found = []
    for node in body:
        if isinstance(node, FUNCTIONS) and node.name.startswith("test"):
            found.append(node)
        elif is_test_class(node):
            found += tests_in(node.body)
    return found


OUTSIDE = {"subprocess", "importlib", "runpy", "os", "pathlib", "doctest", "pexpect", "urllib", "http", "requests", "socket"}


def is_assertion(node):
    if isinstance(node, (ast.Assert, ast.Raise)):
        return True
    return isinstance(node, ast.Call) and re.search("assert|raises|fail|check|verify|expect|warns|approx|testmod|given", dotted(node), re.I)


if IS_TEST:
    found = tests_in(tree.body)
    inherits = any(isinstance(node, ast.ClassDef) and node.bases for node in tree.body)
    words = {last(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    if not found and not inherits and not words & {"testmod", "testfile", "load_tests"}:
        if any(is_code(node) for node in tree.body):
            problem(1, "the file holds no tests: write functions named test_... that use assert")
    elif found and not any(is_assertion(node) for node in ast.walk(tree)):
        problem(found[0].lineno, "no test asserts anything: compare results with assert")
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    tested = [path for path in LOCAL if not serves_tests(path) and not path.endswith(("setup.py", "__main__.py"))]
    own = {node.name: node for node in tree.body if isinstance(node, FUNCTIONS + (ast.ClassDef,))}
    copied = False
    for path in tested if found else []:
        module = parse(path)
        for node in module.body if module else []:
            if isinstance(node, FUNCTIONS + (ast.ClassDef,)) and node.name in own and node.name in called and node.name != "main":
                copied = True
                problem(own[node.name].lineno, "%s is defined here again: remove it and add: %s" % (node.name, import_line(path, node.name)))
    imported = {name.split(".")[0] for name in aliases.values()} | {(node.module or "").split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    if found and not copied and not local_imports and tested and not imported & OUTSIDE and not words & {"open", "__import__", "exec", "import_module"}:
        problem(1, "the tests import nothing from this folder: add an import from %s" % module_of(tested[0]))
finish()
