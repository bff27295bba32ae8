/** Part of the script: a program that works its result out and shows it to nobody. */

export const RESULTS = `
PURE = set("abs all any bool chr dict divmod enumerate filter float format hex input int isinstance len list map max min oct ord "
    "pow range repr reversed round set sorted str sum tuple zip choice choices randint random randrange uniform sample "
    "lower upper casefold strip lstrip rstrip split join title capitalize replace startswith endswith isdigit isalpha isnumeric "
    "get keys values items index count copy".split())
LOCAL_FUNCTIONS = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.decorator_list}
def changes_nothing(name, seen):
    if name in seen:
        return True
    seen.add(name)
    for node in ast.walk(LOCAL_FUNCTIONS[name]):
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.With, ast.Global, ast.Nonlocal, ast.Raise, ast.Delete)):
            return False
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else None
            if called in LOCAL_FUNCTIONS:
                if not changes_nothing(called, seen):
                    return False
            elif last(node.func) not in PURE:
                return False
    return True
def gives_a_value(node):
    return any(isinstance(one, ast.Return) and one.value is not None and not (isinstance(one.value, ast.Constant) and one.value.value is None) for one in ast.walk(node))
def check_results(body):
    for node in body:
        if is_guard(node):
            check_results(node.body)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
            name = node.value.func.id
            if name in LOCAL_FUNCTIONS and gives_a_value(LOCAL_FUNCTIONS[name]) and changes_nothing(name, set()):
                call = ast.get_source_segment(SOURCE, node.value) or name + "(...)"
                problem(node.lineno, "the result of %s is thrown away, so nobody sees it: print(%s)" % (call, call))
if not IS_TEST:
    check_results(tree.body)
`;
