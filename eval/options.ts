import { parseArgs } from 'node:util';
import type { Goal } from './goal.ts';

export interface EvalOptions {
  readonly model: string | null;
  readonly goals: readonly Goal[];
  readonly runs: number;
  readonly seed: number;
  readonly isJson: boolean;
  /** Overrides each goal's own bound. */
  readonly maxRounds: number | null;
  readonly timeoutMs: number;
  /** Every finished run is appended here at once. */
  readonly out: string;
  /** Folder that gets the workspaces of runs that failed or claimed falsely. */
  readonly keep: string | null;
  readonly agent: string;
  /** Handed to the agent as they are. */
  readonly passedOn: readonly string[];
}

/** A wrong command line; the message says what to write. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const HELP = `npm run eval -- [options]
  --model MODEL       as the agent takes it, for example embedded:FILE.gguf
  --goals A,B         names of goals (default: all)
  --runs N            runs of each goal (default 1)
  --seed N            the first run's seed; each further run has the next (default 1)
  --max-rounds N      instead of each goal's own bound
  --timeout SECONDS   for one run (default 900)
  --tool-mode, --temperature, --host, --allow   as the agent takes them
  --out FILE          results, one JSON line a run, appended (default eval-results.jsonl)
  --keep DIR          keeps workspace and output of runs that missed or claimed falsely
  --json              the report as JSON on stdout
`;

export function parseOptions(args: readonly string[], known: readonly Goal[]): EvalOptions | null {
  const { values } = parse(args);
  if (values.help) return null;
  const names = (values.goals ?? '').split(',').filter((name) => name !== '');
  const goals = names.length === 0 ? known : names.map((name) => find(name, known));
  const passedOn = (['tool-mode', 'temperature', 'host'] as const).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  return {
    model: values.model ?? null,
    goals,
    runs: count('--runs', values.runs, 1),
    seed: count('--seed', values.seed, 1),
    isJson: values.json ?? false,
    maxRounds:
      values['max-rounds'] === undefined ? null : count('--max-rounds', values['max-rounds'], 1),
    timeoutMs: count('--timeout', values.timeout, 900) * 1000,
    out: values.out ?? 'eval-results.jsonl',
    keep: values.keep ?? null,
    agent: values.agent ?? 'dist/bin.js',
    passedOn: [...passedOn, ...(values.allow ?? []).flatMap((name) => ['--allow', name])],
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        model: text,
        goals: text,
        runs: text,
        seed: text,
        'max-rounds': text,
        timeout: text,
        'tool-mode': text,
        temperature: text,
        host: text,
        allow: { type: 'string', multiple: true },
        out: text,
        keep: text,
        agent: text,
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`);
  }
}

function find(name: string, known: readonly Goal[]): Goal {
  const goal = known.find((candidate) => candidate.name === name);
  if (goal !== undefined) return goal;
  throw new UsageError(
    `there is no goal "${name}"; there are: ${known.map((one) => one.name).join(', ')}`,
  );
}

function count(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`${name} must be a whole number above 0, not "${text}"`);
}
