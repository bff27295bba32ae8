/** Where the marks of a timeline stand. Pure. */
import { CHECKS, kindOf } from './checks.ts';
import type { Shape } from './said.ts';
import type { Entry, MarkName, Work } from './work.ts';

export type MarkShape = 'bar' | 'dot' | 'tick' | 'cross' | 'ring' | 'line' | 'note' | 'person';

export interface TimelineMark {
  readonly entry: Entry;
  /** Left edge in columns of the same width; how long something took is said, not drawn. */
  readonly column: number;
  readonly shape: MarkShape;
  /** 0 to 1 of a bar: its tokens, against the most of all. */
  readonly height: number;
  readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  /** What a mark of this shape and tone means. */
  readonly means: string;
  /** Of a line: in which row its word stands, so that it is not written over its neighbour's; -1: no room for it. */
  readonly row: number;
}

/** Letters of a word in the narrowest column, at the least. */
const LETTERS = 1.6;
const ROWS = 2;

const WORDS: { readonly [mark in MarkName]?: string } = { killed: 'cut off', finished: 'ended' };

export const wordOf = (mark: MarkName): string => WORDS[mark] ?? mark.replaceAll('_', ' ');

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
  const text = 'The process that worked on it stopped here unexpectedly';
  return [...work.entries, { ...head, kind: 'mark', mark: 'killed', text, isWarning: true }];
}

export function timelineOf(entries: readonly Entry[]): readonly TimelineMark[] {
  const most = entries.reduce((all, entry) => Math.max(all, tokensOf(entry)), 1);
  /** Of each row: the first column that is free. */
  const free = Array.from({ length: ROWS }, () => 0);
  return entries.map((entry, column) => {
    const drawn = formOf(entry);
    const isLine = drawn.shape === 'line' && entry.kind === 'mark';
    const row = isLine ? free.findIndex((from) => from <= column) : 0;
    if (isLine && row >= 0) free[row] = column + 1 + wordOf(entry.mark).length / LETTERS;
    return { entry, column, height: tokensOf(entry) / most, ...drawn, row };
  });
}

const tokensOf = (entry: Entry): number =>
  entry.kind === 'turn'
    ? entry.usage.input + entry.usage.output + entry.usage.cacheRead + entry.usage.cacheWrite
    : 0;

/** Each kind of mark once, in the order of their first. */
export function legendOf(marks: readonly TimelineMark[]): readonly TimelineMark[] {
  const first = new Map<string, TimelineMark>();
  for (const mark of marks) if (!first.has(mark.means)) first.set(mark.means, mark);
  return [...first.values()];
}

type Form = Pick<TimelineMark, 'shape' | 'tone' | 'means'>;
const form = (shape: MarkShape, tone: TimelineMark['tone'], means: string): Form => ({
  ...{ shape, tone, means },
});

/** Of a check, the shapes of the other views. */
const OF_CHECKS: { readonly [shape in Shape]?: MarkShape } = { done: 'tick', failed: 'cross' };

function formOf(entry: Entry): Form {
  switch (entry.kind) {
    case 'turn':
      return entry.status === 'success'
        ? form('bar', 'plain', 'turn of the model (its height: tokens)')
        : form('bar', 'bad', 'turn that failed');
    case 'action':
      if (entry.failedBefore !== undefined)
        return form('cross', 'plain', 'command that failed before the first change');
      return entry.status === 'ok' || entry.status === 'running'
        ? form('dot', 'plain', 'call')
        : form('dot', 'warn', 'call that failed, was refused or cut off');
    case 'check': {
      const { shape, tone, word } = CHECKS[kindOf(entry)];
      return form(OF_CHECKS[shape] ?? 'ring', tone === 'live' ? 'plain' : tone, word);
    }
    case 'said':
    case 'command':
      return form('person', 'plain', 'what you said');
    case 'mark':
      if (!LINES.has(entry.mark))
        return form('note', entry.isWarning ? 'warn' : 'plain', 'question, answer or note');
      return entry.isWarning
        ? form('line', 'warn', 'cut off, paused or failed')
        : form('line', 'plain', 'resumed, changed its way or ended');
    default:
      return entry satisfies never;
  }
}
