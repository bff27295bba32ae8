/** Where the marks of a timeline stand. Pure. */
import type { Entry, MarkName, Work } from './work.ts';

export interface TimelineMark {
  readonly entry: Entry;
  /** Left edge in columns of the same width; how long something took is said, not drawn. */
  readonly column: number;
  readonly shape: 'bar' | 'dot' | 'tick' | 'cross' | 'line' | 'person';
  /** 0 to 1 of a bar: its tokens, against the most of all. */
  readonly height: number;
  readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  /** Of a line: in which row its word stands, so that it is not written over its neighbour's; -1: no room for it. */
  readonly row: number;
}

/** Letters of a word in the narrowest column, at the least. */
const LETTERS = 1.6;
const ROWS = 2;

export const wordOf = (mark: MarkName): string =>
  mark === 'killed' ? 'cut off' : mark.replaceAll('_', ' ');

/** What changes how the work goes is a line of its own, through the whole height. */
const LINES: ReadonlySet<MarkName> = new Set([
  'killed',
  'resumed',
  'paused',
  'finished',
  'model_switched',
  'shortened',
  'new_plan',
  'undone',
]);

/** A process that was cut off writes nothing of it; the next one does. */
export function withCut(work: Work): Work['entries'] {
  const head = { seq: work.seq, key: work.entries.length, at: work.lastAt, subtask: work.active };
  const text = 'The process that worked on it ended here, without a word';
  return [...work.entries, { ...head, kind: 'mark', mark: 'killed', text, isWarning: true }];
}

export function timelineOf(entries: readonly Entry[]): readonly TimelineMark[] {
  const most = entries.reduce((all, entry) => Math.max(all, tokensOf(entry)), 1);
  /** Of each row: the first column that is free. */
  const free = Array.from({ length: ROWS }, () => 0);
  return entries.map((entry, column) => {
    const form = formOf(entry);
    const isLine = form.shape === 'line' && entry.kind === 'mark';
    const row = isLine ? free.findIndex((from) => from <= column) : 0;
    if (isLine && row >= 0) free[row] = column + 1 + wordOf(entry.mark).length / LETTERS;
    return { entry, column, height: tokensOf(entry) / most, ...form, row };
  });
}

const tokensOf = (entry: Entry): number =>
  entry.kind === 'turn'
    ? entry.usage.input + entry.usage.output + entry.usage.cacheRead + entry.usage.cacheWrite
    : 0;

function formOf(entry: Entry): Pick<TimelineMark, 'shape' | 'tone'> {
  switch (entry.kind) {
    case 'turn':
      return { shape: 'bar', tone: entry.status === 'success' ? 'plain' : 'bad' };
    case 'action':
      return { shape: 'dot', tone: entry.status === 'ok' ? 'plain' : 'warn' };
    case 'check':
      if (entry.isSkipped) return { shape: 'dot', tone: 'plain' };
      if (entry.isMeantToFail) return { shape: entry.passed ? 'dot' : 'tick', tone: 'plain' };
      return entry.passed ? { shape: 'tick', tone: 'good' } : { shape: 'cross', tone: 'bad' };
    case 'said':
    case 'command':
      return { shape: 'person', tone: 'plain' };
    case 'mark':
      return {
        shape: LINES.has(entry.mark) ? 'line' : 'dot',
        tone: entry.isWarning ? 'warn' : 'plain',
      };
    default:
      return entry satisfies never;
  }
}
