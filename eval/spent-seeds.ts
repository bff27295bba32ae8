/** Seeds of kept generators whose run somebody looked at: what was learnt from them must not be measured with them. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EvalOptions, UsageError } from './options.ts';
import type { Drawn } from './orders.ts';
import type { EvalResult } from './result.ts';

export const readSpent = (file: string): readonly Drawn[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Drawn[]) : [];

export const isSpent = ({ generator, seed }: Drawn, spent: readonly Drawn[]): boolean =>
  spent.some((one) => one.generator === generator && one.seed === seed);

/** Marks the seed of a run as spent, then copies its files out; returns where they lie. */
export function look(
  run: string,
  { keep, spent }: Pick<EvalOptions, 'keep' | 'spent'>,
  to: string,
): string {
  const from = join(keep ?? '', run);
  const resultFile = join(from, 'result.json');
  if (!existsSync(resultFile)) throw new UsageError(`there is no run ${from}`);
  const { goal, seed } = JSON.parse(readFileSync(resultFile, 'utf8')) as EvalResult;
  const one: Drawn = { generator: goal, seed };
  const before = readSpent(spent);
  if (!isSpent(one, before)) {
    writeFileSync(spent, `${JSON.stringify([...before, one], null, 2)}\n`);
  }
  const place = join(to, run);
  cpSync(from, place, { recursive: true });
  return place;
}
