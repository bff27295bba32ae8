import { fill } from '../render/text/fold.ts';
import type { Style, Tone } from '../render/text/style.ts';
import { oneLine } from '../render/text/text.ts';

/** One line of `agent doctor`. `fail` prevents a run, `warn` limits it. */
export interface Finding {
  readonly name: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do; '' if all is well. */
  readonly next: string;
  /** The starts that it affects, if not all. */
  readonly of?: StartKind;
}

/** A new goal, or continuing the paused run. */
export type StartKind = 'goal' | 'resume';

const finding =
  (verdict: Finding['verdict']) =>
  (name: string, detail: string, next = ''): Finding => ({ name, verdict, detail, next });

export const okFinding = finding('ok');
export const warn = finding('warn');
export const fail = finding('fail');

const TONES: { readonly [V in Finding['verdict']]: Tone } = {
  ok: 'good',
  warn: 'warning',
  fail: 'bad',
};

const INDENT = 19;
/** On a screen narrower than this, the text goes below the name. */
const NARROW = 50;

/** Takes as many lines as its text needs at this width; nothing is cut. */
export function findingLine(
  { name, verdict, detail, next }: Finding,
  style: Style,
  width: number,
): string {
  const isNarrow = width < NARROW;
  const indent = isNarrow ? 5 : INDENT;
  const lines = [detail, next]
    .filter((words) => words !== '')
    .flatMap((words) => fill(oneLine(words), width - indent));
  const [first = '', ...rest] = isNarrow ? ['', ...lines] : lines;
  const head = `${style.paint(TONES[verdict], verdict.padEnd(4))} ${name.padEnd(13)} ${first}`;
  return [head.trimEnd(), ...rest.map((line) => `${' '.repeat(indent)}${line}`)].join('\n');
}
