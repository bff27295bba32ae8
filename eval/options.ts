import { parseArgs } from 'node:util';

export interface EvalOptions {
  readonly model: string | null;
  /** As given with `--goals`: `known`, `fixed`, kinds, names. Empty: every development generator. */
  readonly goals: readonly string[];
  readonly runs: number;
  readonly seed: number;
  /** Runs of kept generators, with seeds from the operating system; `null`: not a drawn table. */
  readonly draw: number | null;
  /** This process does the `n`th of every `of` runs. */
  readonly part: Part;
  readonly isJson: boolean;
  /** Overrides each goal's own bound. */
  readonly maxRounds: number | null;
  readonly timeoutMs: number;
  /** Every finished run is appended here at once. */
  readonly out: string;
  /** Folder that gets workspaces: of a drawn table all, else of runs that did not end well. */
  readonly keep: string | null;
  readonly agent: string;
  /** `plain`: one prompt and nothing around it, to compare with. */
  readonly runner: 'agent' | 'plain';
  /** Handed to the agent as they are. */
  readonly passedOn: readonly string[];
  /** The run to copy out of `keep`, by its folder's name. */
  readonly look: string | null;
  /** Results files to report on, without running anything. */
  readonly report: readonly string[];
  /** Which seeds were looked at. */
  readonly spent: string;
}

export interface Part {
  readonly n: number;
  readonly of: number;
}

/** A wrong command line; the message says what to write. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const HELP = `npm run eval -- [options]
Runs goals on a real model. Each has an oracle that runs what was made with inputs of its own, and
that says what was done to given files unasked. Most goals are made by generators, four in
each of twelve kinds; a seed chooses names, words, figures, files, wording and language.

  --model MODEL       as the agent takes it, for example embedded:FILE.gguf
  --goals A,B         what to run: a generator (script/table), a kind (script), known (hello,
                      rock-paper-scissors, mathx), fixed (all goals that stand word for word), or
                      one of those by name. Default: every generator that is not kept
  --runs N            runs of each goal (default 1)
  --seed N            the first run's seed, for the goal and the model; each further run has the
                      next (default 1)
  --max-rounds N      instead of each goal's own bound
  --timeout SECONDS   for one run (default 900)
  --runner plain      not the agent: one prompt with the small files, written as it answers. Judged
                      alike, it claims nothing; needs --model. The same table takes both
  --tool-mode, --temperature, --host, --allow   as the agent takes them
  --out FILE          results, one JSON line a run, appended (default eval-results.jsonl). Runs that
                      stand in it (same goal, seed, model, options) are not run again, so the same
                      command goes on after a crash; another FILE begins anew
  --part N/M          only the Nth of every M runs; M processes or machines share a table
  --keep DIR          keeps workspace, journal and output of runs that missed, claimed falsely or
                      harmed
  --json              the report as JSON on stdout
  --report A,B        reports on results files and runs nothing

Tables that nobody could tune to:
  --draw N            N runs of the kept generators, in turn. Their seeds are drawn from the
                      operating system once and stand in the first line of --out; every part and
                      every start after a crash takes them from there. Of a run only counts are
                      shown; all its files go to --keep (default FILE.runs)
  --look RUN          copies the files of a run (its folder's name in --keep) to FILE.looked/RUN and
                      marks its seed as spent in eval/spent-seeds.json: it is never run again in a
                      drawn table. Needs --out or --keep as the table had them
`;

export function parseOptions(args: readonly string[]): EvalOptions | null {
  const { values } = parse(args);
  if (values.help) return null;
  const passedOn = (['tool-mode', 'temperature', 'host'] as const).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  const out = values.out ?? 'eval-results.jsonl';
  const draw = values.draw === undefined ? null : count('--draw', values.draw, 1);
  const isSealed = draw !== null || values.look !== undefined;
  return {
    model: values.model ?? null,
    goals: list(values.goals),
    runs: count('--runs', values.runs, 1),
    seed: count('--seed', values.seed, 1),
    draw,
    part: partOf(values.part ?? '1/1'),
    isJson: values.json ?? false,
    maxRounds:
      values['max-rounds'] === undefined ? null : count('--max-rounds', values['max-rounds'], 1),
    timeoutMs: count('--timeout', values.timeout, 900) * 1000,
    out,
    keep: values.keep ?? (isSealed ? `${out}.runs` : null),
    agent: values.agent ?? 'dist/bin.cjs',
    runner: runnerOf(values.runner, values.model),
    passedOn: [...passedOn, ...(values.allow ?? []).flatMap((name) => ['--allow', name])],
    look: values.look ?? null,
    report: list(values.report),
    spent: values.spent ?? 'eval/spent-seeds.json',
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
        draw: text,
        part: text,
        look: text,
        report: text,
        spent: text,
        'max-rounds': text,
        timeout: text,
        runner: text,
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

const list = (text: string | undefined): string[] =>
  (text ?? '').split(',').filter((name) => name !== '');

function runnerOf(name = 'agent', model?: string): EvalOptions['runner'] {
  if (name !== 'agent' && name !== 'plain')
    throw new UsageError(`--runner must be agent or plain, not "${name}"`);
  if (name === 'plain' && model === undefined) throw new UsageError('--runner plain needs --model');
  return name;
}

function partOf(text: string): Part {
  const [, n, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (n !== undefined && of !== undefined && n >= 1 && n <= of) return { n, of };
  throw new UsageError(`--part must be like 2/4, not "${text}"`);
}

function count(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`${name} must be a whole number above 0, not "${text}"`);
}
