import type { Style, Tone } from '../render/style.ts';
import { oneLine } from '../render/text.ts';

/** One line of `agent doctor`. `fail` prevents a run, `warn` limits it. */
export interface Finding {
  readonly name: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do; '' where all is well. */
  readonly next: string;
}

export const ok = (name: string, detail: string): Finding => ({
  name,
  verdict: 'ok',
  detail,
  next: '',
});

export const warn = (name: string, detail: string, next: string): Finding => ({
  name,
  verdict: 'warn',
  detail,
  next,
});

export const fail = (name: string, detail: string, next: string): Finding => ({
  name,
  verdict: 'fail',
  detail,
  next,
});

const TONES: { readonly [V in Finding['verdict']]: Tone } = {
  ok: 'good',
  warn: 'warning',
  fail: 'bad',
};

export function findingLine({ name, verdict, detail, next }: Finding, style: Style): string {
  const todo = next === '' ? '' : `\n${' '.repeat(19)}${oneLine(next)}`;
  return `${style.paint(TONES[verdict], verdict.padEnd(4))} ${name.padEnd(13)} ${oneLine(detail)}${todo}`;
}
