/** Places the marks of a timeline. Pure. */
import { allTokens } from '../../schema/model/usage.ts';
import { CHECKS, checkKindOf } from './checks.ts';
import type { StandingShape } from './label.ts';
import type { MarkName, WatchedWork, WorkEntry } from './work.ts';

export type MarkShape = 'bar' | 'dot' | 'tick' | 'cross' | 'ring' | 'line' | 'note' | 'person';

export interface TimelineMark {
  readonly entry: WorkEntry;
  /** The left edge, in columns of equal width; durations are written, not drawn. */
  readonly column: number;
  readonly shape: MarkShape;
  /** The height of a bar, 0 to 1: its tokens relative to the largest turn. */
  readonly height: number;
  readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  /** What a mark of this shape and tone means. */
  readonly means: string;
  /** The row of a line's word, so that words do not overlap; -1: there is no room for it. */
  readonly row: number;
}

/** The number of letters that certainly fit in the narrowest column. */
const LETTERS = 1.6;
const ROWS = 2;

const WORDS: { readonly [mark in MarkName]?: string } = { killed: 'cut off', finished: 'ended' };

export const markWord = (mark: MarkName): string => WORDS[mark] ?? mark.replaceAll('_', ' ');

/** Marks that change the course of the work are lines through the whole height. */
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

/** A process that was cut off cannot record it; until the next process does, the page adds the mark. */
export function withCut(work: WatchedWork): WatchedWork['entries'] {
  const head = { seq: work.seq, key: work.entries.length, at: work.lastAt, subtask: work.active };
  const text = 'The process that worked on it stopped here unexpectedly';
  return [...work.entries, { ...head, kind: 'mark', mark: 'killed', text, isWarning: true }];
}

export function timelineOf(entries: readonly WorkEntry[]): readonly TimelineMark[] {
  const most = entries.reduce((all, entry) => Math.max(all, tokensOf(entry)), 1);
  /** The first free column of each row. */
  const firstFree = Array.from({ length: ROWS }, () => 0);
  return entries.map((entry, column) => {
    const entryForm = formOf(entry);
    const isLine = entryForm.shape === 'line' && entry.kind === 'mark';
    const row = isLine ? firstFree.findIndex((from) => from <= column) : 0;
    if (isLine && row >= 0) firstFree[row] = column + 1 + markWord(entry.mark).length / LETTERS;
    return { entry, column, height: tokensOf(entry) / most, ...entryForm, row };
  });
}

const tokensOf = (entry: WorkEntry): number => (entry.kind === 'turn' ? allTokens(entry.usage) : 0);

/** Each kind of mark once, in order of first appearance. */
export function legendOf(marks: readonly TimelineMark[]): readonly TimelineMark[] {
  const first = new Map<string, TimelineMark>();
  for (const mark of marks) if (!first.has(mark.means)) first.set(mark.means, mark);
  return [...first.values()];
}

type Form = Pick<TimelineMark, 'shape' | 'tone' | 'means'>;
const form = (shape: MarkShape, tone: TimelineMark['tone'], means: string): Form => ({
  shape,
  tone,
  means,
});

/** The shapes of checks in the other views, as shapes of the timeline. */
const CHECK_SHAPES: { readonly [shape in StandingShape]?: MarkShape } = {
  done: 'tick',
  failed: 'cross',
};

function formOf(entry: WorkEntry): Form {
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
      const { shape, tone, word } = CHECKS[checkKindOf(entry)];
      return form(CHECK_SHAPES[shape] ?? 'ring', tone === 'live' ? 'plain' : tone, word);
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
