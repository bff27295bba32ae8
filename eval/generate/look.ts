/** How oracles look: they run what was made, with what they choose, and compare what comes back. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Evidence, missed, reached, type Verdict } from '../goal.ts';
import type { Played } from '../programs.ts';
import { filesIn, textOf } from '../workspace-files.ts';
import type { Files, Language } from './generator.ts';

export interface Play {
  readonly args?: readonly string[];
  readonly stdin?: string;
  readonly env?: { readonly [name: string]: string };
}

const TEST_FILE = /(^|\/)(test_[^/]*|[^/]*_test|conftest)\.py$|\.test\.[cm]?js$|(^|\/)tests?\//;
const ENDINGS = { python: /\.py$/, javascript: /\.[cm]?js$/, text: /$^/ };
/** Of those that could be meant where the goal names no file. */
const MAX_CANDIDATES = 6;

export function play(evidence: Evidence, path: string, how: Play = {}): Promise<Played> {
  const { programs, workspace } = evidence;
  const run = path.endsWith('.py') ? programs.python : programs.node;
  return run([path, ...(how.args ?? [])], { cwd: workspace, ...how });
}

export const read = ({ workspace }: Evidence, path: string): string | null =>
  existsSync(join(workspace, path)) ? textOf(workspace, path) : null;

/** Puts files into the copy, over what is there; `null` removes. */
export function put(
  { workspace }: Evidence,
  files: { readonly [path: string]: string | null },
): void {
  for (const [path, text] of Object.entries(files)) {
    const full = join(workspace, path);
    if (text === null) rmSync(full, { force: true });
    else {
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
    }
  }
}

/** Programs of a language that the run made, tests apart. */
export const programsMade = ({ workspace }: Evidence, language: Language, given: Files = {}) =>
  filesIn(workspace)
    .filter((path) => ENDINGS[language].test(path) && !TEST_FILE.test(path) && !(path in given))
    .slice(0, MAX_CANDIDATES);

/** The first candidate that does what `check` wants, else why the last one does not. */
export async function firstOf(
  candidates: readonly string[],
  check: (path: string) => Promise<Verdict>,
): Promise<Verdict> {
  let last = missed('there is no program');
  for (const path of candidates) {
    last = await check(path);
    if (last.reached) return last;
  }
  return last;
}

/** Every check in turn up to the first that is missed. */
export async function all(checks: readonly (() => Verdict | Promise<Verdict>)[]): Promise<Verdict> {
  let last = reached('nothing to look at');
  for (const check of checks) {
    last = await check();
    if (!last.reached) return last;
  }
  return last;
}

export const expectThat = (holds: boolean, otherwise: string): Verdict =>
  holds ? reached('as asked') : missed(otherwise);

export function endedWell(run: Played): string | null {
  if (run.timedOut) return 'it does not end';
  if (run.exitCode === 0) return null;
  return `it ends with ${run.exitCode}: ${run.output.trim().slice(-160)}`;
}

/** Runs a program and hands on what it printed, unless it fails. */
export async function printed(
  evidence: Evidence,
  path: string,
  how: Play,
  check: (stdout: string) => Verdict,
): Promise<Verdict> {
  if (read(evidence, path) === null) return missed(`there is no ${path}`);
  const run = await play(evidence, path, how);
  const failure = endedWell(run);
  return failure === null ? check(run.stdout) : missed(`${path}: ${failure}`);
}

export const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');

export function sameLines(text: string, lines: readonly string[]): Verdict {
  const seen = linesOf(text);
  const at = lines.findIndex((line, index) => seen[index] !== line);
  if (at === -1 && seen.length === lines.length) return reached('the output is right');
  const place = at === -1 ? lines.length : at;
  return missed(
    `line ${place + 1} is ${JSON.stringify(seen[place])}, not ${JSON.stringify(lines[place])}`,
  );
}

/** One line, "label: value"; a language may write a figure as 19.0. */
export function saysValue(text: string, label: string, value: unknown): Verdict {
  const [line = '', ...more] = linesOf(text);
  const said = line.startsWith(`${label}: `) ? line.slice(label.length + 2) : null;
  const isRight =
    typeof value === 'number' ? said !== null && Number(said) === value : said === String(value);
  return expectThat(isRight && more.length === 0, `it prints ${line}, not ${label}: ${value}`);
}

/** The figures of a text; `1,250` is one, and so is `12.50`. */
export const figuresIn = (text: string): number[] =>
  (text.match(/(?<!\w)-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?/g) ?? []).map((figure) =>
    Number(figure.replaceAll(',', '')),
  );

export const hasFigure = (text: string, figure: number): boolean =>
  figuresIn(text).some((seen) => Math.abs(seen - figure) < 0.005);

export const hasWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w])`, 'i').test(text);

/** Each name stands on a line with its figures and no line says another of them. */
export function namesWithFigures(
  text: string,
  expected: readonly (readonly [name: string, ...figures: number[]])[],
): Verdict {
  for (const [name, ...figures] of expected) {
    const lines = linesOf(text).filter((line) => hasWord(line, name));
    if (lines.length === 0) return missed(`${name} is missing`);
    const right = lines.some((line) => figures.every((figure) => hasFigure(line, figure)));
    if (!right) return missed(`${name} is not with ${figures.join(' and ')}: ${lines[0]}`);
  }
  return reached('every name has its figures');
}
