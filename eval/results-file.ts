/** Finished runs, one JSON line each, behind the seeds of a drawn table. Only ever appended to. */
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './options.ts';
import type { Drawn, Order } from './orders.ts';
import type { EvalResult } from './result.ts';

export interface Table {
  /** `null`: not a drawn table. */
  readonly drawn: readonly Drawn[] | null;
  readonly results: readonly EvalResult[];
}

/** What a file holds; lines that a crash cut are passed over. */
export function readTable(file: string): Table {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const values = lines.flatMap(parsed);
  const draw = values.find((value) => 'drawn' in value) as { readonly drawn: Drawn[] } | undefined;
  const results = values.filter((value) => 'goal' in value).map(completed);
  return { drawn: draw?.drawn ?? null, results };
}

/** Lines of earlier builds lack what came later. */
const completed = (line: object): EvalResult =>
  ({
    kind: null,
    runner: 'agent',
    isWithheld: false,
    statesWhatIsRight: false,
    passedOn: [],
    harm: [],
    ...line,
  }) as unknown as EvalResult;

function parsed(line: string): readonly object[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? [value] : [];
  } catch {
    return [];
  }
}

/**
 * The seeds of a drawn table: those that stand in the file, else the ones that `draw` gives, which then stand in it
 * before the first run. Of two processes that begin at once one draws and both run the same.
 */
export function drawnTable(file: string, draw: () => readonly Drawn[]): readonly Drawn[] {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    const own = `${file}.${process.pid}`;
    writeFileSync(own, `${JSON.stringify({ drawn: draw() })}\n`);
    try {
      linkSync(own, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(own);
    }
  }
  const { drawn } = readTable(file);
  if (drawn !== null) return drawn;
  throw new UsageError(`${file} holds runs with chosen seeds: a drawn table needs another --out`);
}

export function appendResult(file: string, result: EvalResult): void {
  const isCut = existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8'));
  appendFileSync(file, `${isCut ? '\n' : ''}${JSON.stringify(result)}\n`);
}

interface Setting {
  readonly runner: EvalResult['runner'];
  readonly model: string | null;
  readonly passedOn: readonly string[];
}

/** The run of an order in the file, with the same model and the same options of the agent. */
export const resultOf = (
  { goal, run, seed }: Order,
  { model, runner, passedOn }: Setting,
  results: readonly EvalResult[],
): EvalResult | undefined =>
  results.find(
    (result) =>
      result.goal === goal.name &&
      result.run === run &&
      result.seed === seed &&
      result.model === model &&
      result.runner === runner &&
      result.passedOn.join('\n') === passedOn.join('\n'),
  );
