import { type Evidence, type Goal, missed, type Verdict } from '../goal.ts';
import { testsHold } from '../python-tests.ts';

/**
 * Imports the package with all its modules and calls its functions. What a function of a known name
 * must answer is checked; of the others at least one has to give different answers to different
 * arguments. Methods of a class that cannot be made without arguments are left to the tests, which
 * must fail once they do nothing.
 */
const LOOK = `
import ast, importlib, inspect, json, math, os, pkgutil, sys
sys.path[:0] = [os.getcwd(), os.path.join(os.getcwd(), "src")]
import mathx
if not hasattr(mathx, "__path__"):
    print(json.dumps({"fault": "mathx is a module, not a package"})); sys.exit()
modules = [mathx]
for found in pkgutil.walk_packages(mathx.__path__, "mathx."):
    last = found.name.split(".")[-1]
    if last.startswith("test") or last.endswith("_test") or last == "__main__" or ".tests" in found.name: continue
    modules.append(importlib.import_module(found.name))
functions, unmade = {}, []
def collect(holder, prefix=""):
    for name, value in vars(holder).items():
        if name.startswith("_"): continue
        if isinstance(value, staticmethod): value = value.__func__
        if inspect.isfunction(value) and value.__module__.startswith("mathx"): functions[prefix + name] = value
        elif inspect.isclass(value) and value.__module__.startswith("mathx") and not prefix: collect_methods(value, name + ".")
def collect_methods(kind, prefix):
    collect(kind, prefix)
    try: made = kind()
    except Exception:
        unmade.append(kind.__name__)
        return
    for name in list(vars(kind)):
        bound = getattr(made, name, None)
        if inspect.ismethod(bound) and not name.startswith("_"): functions[prefix + name] = bound
for module in modules: collect(module)
def returns(function):
    try: tree = ast.parse(inspect.cleandoc("\\n" + inspect.getsource(function)))
    except Exception:
        import textwrap
        try: tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except Exception: return False
    return any(isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant) for node in ast.walk(tree))
KNOWN = [
    (("add", "sum_two", "plus"), (2, 3), 5), (("subtract", "sub", "minus"), (5, 3), 2),
    (("multiply", "mul", "times", "product_two"), (2, 3), 6), (("divide", "div"), (6, 3), 2),
    (("square",), (4,), 16), (("cube",), (2,), 8), (("factorial",), (5,), 120),
    (("power", "pow", "exponentiate"), (2, 3), 8), (("sqrt", "square_root"), (9,), 3),
    (("gcd",), (12, 8), 4), (("lcm",), (4, 6), 12), (("is_prime",), (7,), True), (("is_prime",), (8,), False),
    (("is_even",), (4,), True), (("mean", "average"), ([1, 2, 3],), 2), (("absolute", "abs_value"), (-3,), 3),
]
wrong, right = [], 0
def attempt(function, arguments):
    try: return True, function(*arguments)
    except Exception: return False, None
for names, arguments, expected in KNOWN:
    for name in names:
        function = next((functions[full] for full in functions if full.split(".")[-1] == name), None)
        if function is None: continue
        worked, value = attempt(function, arguments)
        close = worked and isinstance(value, (int, float)) and math.isclose(value, expected, abs_tol=1e-6)
        if close: right += 1
        elif worked: wrong.append(f"{name}{arguments} gives {value!r}, not {expected}")
varied = 0
for function in functions.values():
    answers = [repr(value) for arguments in ((2,), (3,), (2, 3), (5, 2), ([1, 2, 3],), ([4, 5],)) for worked, value in [attempt(function, arguments)] if worked and value is not None]
    if len(set(answers)) > 1: varied += 1
print(json.dumps({"functions": sorted(functions), "returning": sum(map(returns, functions.values())), "wrong": wrong, "computing": max(right, varied), "unmade": unmade}))
`;

interface Look {
  readonly fault?: string;
  readonly functions: readonly string[];
  readonly returning: number;
  readonly wrong: readonly string[];
  readonly computing: number;
  /** Classes that cannot be made without arguments. */
  readonly unmade: readonly string[];
}

async function judge(evidence: Evidence): Promise<Verdict> {
  const looked = await evidence.programs.python(['-c', LOOK], { cwd: evidence.workspace });
  const line = looked.stdout.trim().split('\n').at(-1) ?? '';
  if (looked.exitCode !== 0 || !line.startsWith('{')) {
    return missed(`mathx cannot be imported: ${looked.output.trim().split('\n').at(-1)}`);
  }
  const look = JSON.parse(line) as Look;
  if (look.fault !== undefined) return missed(look.fault);
  if (look.returning < 2) {
    return missed(`only ${look.returning} of ${look.functions.length} functions return a result`);
  }
  if (look.wrong.length > 0) return missed(look.wrong.join('; '));
  if (look.computing === 0 && look.unmade.length === 0)
    return missed(`nothing computes among ${look.functions.join(', ')}`);
  // A test inside the package may import what stands beside it.
  const imports = /^\s*(?:from\s+(?:(?:src\.)?mathx\b|\.)|import\s+(?:src\.)?mathx\b)/m;
  return testsHold(evidence, { least: 2, imports });
}

export const mathx: Goal = {
  name: 'mathx',
  text: 'Create a mathx package with tests',
  maxRounds: 12,
  needs: ['python', 'pytest'],
  judge,
};
