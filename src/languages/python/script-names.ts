/** Second half of the script: imports, names and tests. It goes on where `SCRIPT_START` ends. */
import { SCRIPT_START } from './script.ts';

const IMPORTS = `
try:
    site.addsitedir(site.getusersitepackages())
except Exception:
    pass
ROOTS = ["", HERE, "src"]
STDLIB = set(getattr(sys, "stdlib_module_names", ())) | set(sys.builtin_module_names) | {
    "msvcrt", "winreg", "winsound", "curses", "readline", "termios", "fcntl", "tty", "pwd", "resource", "tkinter", "distutils", "imp"}
def installed(name):
    if name in STDLIB:
        return True
    try:
        return find_spec(name) is not None
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
    return [one for one in LOCAL if one.split("/")[-1] == top + ".py" and not is_test_file(one)]
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
`;

const NAMES = String.raw`
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
        if not is_test_file(path) and not path.endswith("__init__.py"):
            module = parse(path)
            if module and name in {one.name for one in module.body if isinstance(one, FUNCTIONS + (ast.ClassDef,))}:
                return "add: from %s import %s" % (module_of(path), name)
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
`;

const TESTS = `
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
    out["tests"] = len(found)
    inherits = any(isinstance(node, ast.ClassDef) and node.bases for node in tree.body)
    words = {last(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    if not found and not inherits and not words & {"testmod", "testfile", "load_tests"}:
        if any(is_code(node) for node in tree.body):
            problem(1, "the file holds no tests: write functions named test_... that use assert")
    elif found and not any(is_assertion(node) for node in ast.walk(tree)):
        problem(found[0].lineno, "no test asserts anything: compare results with assert")
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    tested = [path for path in LOCAL if not is_test_file(path) and not path.endswith(("setup.py", "__main__.py"))]
    own = {node.name: node for node in tree.body if isinstance(node, FUNCTIONS + (ast.ClassDef,))}
    copied = False
    for path in tested if found else []:
        module = parse(path)
        for node in module.body if module else []:
            if isinstance(node, FUNCTIONS + (ast.ClassDef,)) and node.name in own and node.name in called and node.name != "main":
                copied = True
                problem(own[node.name].lineno, "%s is defined here again: remove it and add: from %s import %s" % (node.name, module_of(path), node.name))
    imported = {name.split(".")[0] for name in aliases.values()} | {(node.module or "").split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    if found and not copied and not local_imports and tested and not imported & OUTSIDE and not words & {"open", "__import__", "exec", "import_module"}:
        problem(1, "the tests import nothing from this folder: add an import from %s" % module_of(tested[0]))
finish()
`;

/** The whole script, for `python -c`. */
export const PYTHON_LOOK_SCRIPT = SCRIPT_START + IMPORTS + NAMES + TESTS;
