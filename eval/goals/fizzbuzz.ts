import { type Evidence, type Goal, missed, type Verdict } from '../goal.ts';
import { testsHold } from '../python-tests.ts';
import { pythonSources } from '../workspace-files.ts';

/** Every function of one parameter is tried: one answer a number, or all of them up to a number. */
const LOOK = `
import importlib.util, inspect, io, json, sys, contextlib, os
sys.path.insert(0, os.getcwd())
def expected(n): return "FizzBuzz" if n % 15 == 0 else "Fizz" if n % 3 == 0 else "Buzz" if n % 5 == 0 else str(n)
def norm(value): return str(value).strip().lower()
for path in sys.argv[1:]:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            spec = importlib.util.spec_from_file_location("candidate", path)
            module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module)
    except BaseException: continue
    for name, function in inspect.getmembers(module, inspect.isfunction):
        def call(n):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed): value = function(n)
            if value is None: value = printed.getvalue().split()
            return value
        try: single = all(norm(call(n)) == norm(expected(n)) for n in range(1, 31))
        except BaseException: single = False
        try: whole = [norm(v) for v in call(15)] == [norm(expected(n)) for n in range(1, 16)] and [norm(v) for v in call(5)] == [norm(expected(n)) for n in range(1, 6)]
        except BaseException: whole = False
        if single or whole: print(json.dumps(path + ": " + name)); sys.exit()
print("null")
`;

async function judge(evidence: Evidence): Promise<Verdict> {
  const { workspace, programs } = evidence;
  const sources = pythonSources(workspace);
  if (sources.length === 0) return missed('there is no program');
  const { stdout } = await programs.python(['-c', LOOK, ...sources], { cwd: workspace });
  const found = JSON.parse(stdout.trim().split('\n').at(-1) || 'null') as string | null;
  if (found === null) return missed(`no function in ${sources.join(', ')} plays fizzbuzz`);
  return testsHold(evidence, { least: 2, imports: /^\s*(?:from|import)\s+\S*fizz/im });
}

export const fizzbuzz: Goal = {
  name: 'fizzbuzz',
  text: 'Write fizzbuzz with tests',
  maxRounds: 12,
  needs: ['python', 'pytest'],
  judge,
};
