/** Calls functions of a made module, in a process of their own. */
import { type Evidence, missed, reached, type Verdict } from '../goal.ts';
import { read } from './look.ts';

/** An expression over the module, which is called `m`, and the value that must come out as JSON. */
export interface Call {
  readonly expression: string;
  /** `undefined`: it must throw. */
  readonly value?: unknown;
}

const MARK = '@@calls ';

const PYTHON = `
import importlib.util, json, os, sys
path, calls = sys.argv[1], json.loads(sys.argv[2])
sys.path[:0] = [os.getcwd(), os.path.dirname(os.path.abspath(path))]
name = os.path.splitext(os.path.basename(path))[0]
if name == "__init__":
    name = os.path.basename(os.path.dirname(os.path.abspath(path)))
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(path))))
m = importlib.import_module(name)
results = []
for call in calls:
    try: results.append({"value": eval(call)})
    except Exception as error: results.append({"error": f"{type(error).__name__}: {error}"})
print("\\n${MARK}" + json.dumps(results, default=str))
`;

const JAVASCRIPT = `
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
const [path, calls] = process.argv.slice(-2);
const loaded = await import(pathToFileURL(resolve(path)));
const m = { ...(typeof loaded.default === 'object' ? loaded.default : {}), ...loaded };
const results = [];
for (const call of JSON.parse(calls)) {
  try { const value = await (0, eval)('(m) => (' + call + ')')(m); results.push({ value: value === undefined ? null : value }); }
  catch (error) { results.push({ error: String(error) }); }
}
console.log('\\n${MARK}' + JSON.stringify(results));
process.exit(0);
`;

export async function callsAnswer(
  evidence: Evidence,
  path: string,
  calls: readonly Call[],
): Promise<Verdict> {
  if (read(evidence, path) === null) return missed(`there is no ${path}`);
  const expressions = JSON.stringify(calls.map(({ expression }) => expression));
  const { programs, workspace: cwd } = evidence;
  const run = path.endsWith('.py')
    ? await programs.python(['-c', PYTHON, path, expressions], { cwd })
    : await programs.node(['--input-type=module', '-e', JAVASCRIPT, path, expressions], { cwd });
  const line = run.stdout.split('\n').findLast((one) => one.startsWith(MARK));
  if (line === undefined) {
    return missed(`${path} cannot be loaded: ${run.output.trim().slice(-160)}`);
  }
  const results = JSON.parse(line.slice(MARK.length)) as { value?: unknown; error?: string }[];
  for (const [at, { expression, value }] of calls.entries()) {
    const result = results[at] ?? {};
    if (value === undefined && result.error === undefined) {
      return missed(`${expression} does not fail: ${JSON.stringify(result.value)}`);
    }
    if (value === undefined) continue;
    if (result.error !== undefined) return missed(`${expression} fails: ${result.error}`);
    if (!isSame(result.value, value)) {
      return missed(
        `${expression} is ${JSON.stringify(result.value)}, not ${JSON.stringify(value)}`,
      );
    }
  }
  return reached(`${calls.length} calls answer right`);
}

/** Figures to a thousandth, keys in any order. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other) < 0.001;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other;
  }
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === others.length &&
    keys.every((key) =>
      isSame((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}
