/** State -> next step, while the content of a file is asked for. */
import { describe, expect, it } from 'vitest';
import { guided } from '../../../src/drivers/guided/guided.ts';
import { next } from '../../../src/steps/next.ts';
import type { Row } from '../../steps/shared-steps.ts';
import { action, active, content, pending, round, said, turn } from '../../support/run-state.ts';
import { working } from './states.ts';

const LAST = Number.MAX_SAFE_INTEGER;
const CUT = turn({ purpose: 'content', status: { kind: 'truncated' } });
const FAULTY = content({ tries: 1, faults: ['line 1: no', 'line 2: nor'] });

const cutContent: readonly Row[] = [
  [
    'content that was cut off: it is taken out with its question',
    working({
      lastTurn: CUT,
      guided: { contentRequest: FAULTY },
      conversation: said('subtask_started', 'content_question'),
    }),
    { do: 'rewind', fromSeq: 12, why: 'line 1: no line 2: nor' },
  ],
  [
    'content that is none: the same',
    working({
      lastTurn: turn({ purpose: 'content', decoded: 'invalid' }),
      guided: { contentRequest: FAULTY },
      conversation: said('content_question'),
    }),
    { do: 'rewind', fromSeq: 11 },
  ],
  [
    'content that was cut off behind a compaction that took its question',
    working({ lastTurn: CUT, guided: { contentRequest: FAULTY }, conversation: said('summary') }),
    { do: 'rewind', fromSeq: LAST },
  ],
  [
    'content that was cut off three times',
    working({ lastTurn: CUT, guided: { contentRequest: content({ tries: 3 }) } }),
    { do: 'replan', why: 'no usable content came for hello.mjs' },
  ],
];

const onWire = pending(['write_file'], { next: 1, unreportedResult: 'write_file' });
const written = { ...onWire, areRecovered: true };
const outcomes: readonly Row[] = [
  [
    'a file with problems: its content is asked for anew',
    working({
      pending: written,
      guided: { contentRequest: FAULTY },
      conversation: said('subtask_started', 'content_question'),
    }),
    { do: 'rewind', fromSeq: 12, why: 'line 1: no line 2: nor' },
  ],
  [
    'a file with problems, its question compacted away: nothing goes',
    working({ pending: written, guided: { contentRequest: FAULTY } }),
    { do: 'rewind', fromSeq: LAST },
  ],
  ['a file without problems', working({ pending: written }), { do: 'tell' }],
  [
    'a file with problems by a call on the wire of the driver before',
    working({ pending: onWire, guided: { contentRequest: FAULTY } }),
    { do: 'tell' },
  ],
  [
    'another outcome while content is wanted',
    working({
      pending: pending(['read_file'], { next: 1, unreportedResult: 'read_file' }),
      guided: { contentRequest: content() },
    }),
    { do: 'tell' },
  ],
];

const contents: readonly Row[] = [
  [
    'a file to write',
    working({ guided: { contentRequest: content() } }),
    {
      do: 'ask',
      question: { kind: 'content', file: 'hello.mjs' },
      cause: 'content_question',
      tries: 0,
    },
  ],
  [
    'a file that was asked for',
    working({ guided: { contentRequest: FAULTY }, conversation: said('content_question') }),
    { do: 'ask', cause: null, tries: 1 },
  ],
  [
    'a refusal in the main conversation: the question is said again',
    working({
      guided: { contentRequest: FAULTY },
      conversation: said('content_question', 'refusal'),
    }),
    { do: 'ask', cause: 'content_question' },
  ],
  [
    'a file that somebody else changed',
    working({
      guided: { contentRequest: content() },
      round: round({ origin: 'planned' }),
      active: active({ actions: [action('write_file', 'hello.mjs', { status: 'conflict' })] }),
    }),
    {
      do: 'open_round',
      origin: 'planned',
      calls: [{ id: 'planned_1', does: 'reads_files', args: { path: 'hello.mjs' } }],
    },
  ],
  [
    'a conflict about another file',
    working({
      guided: { contentRequest: content() },
      active: active({ actions: [action('write_file', 'other.mjs', { status: 'conflict' })] }),
    }),
    { do: 'ask', question: { kind: 'content', file: 'hello.mjs' } },
  ],
  [
    'content that never came',
    working({ guided: { contentRequest: content({ tries: 3 }) } }),
    { do: 'replan', why: 'no usable content came for hello.mjs' },
  ],
  [
    'a repair that is told',
    working({ mainConversation: [], conversation: said('content_question', 'tool_result') }),
    { do: 'close_branch', why: 'repaired' },
  ],
];

describe('the guided driver', () => {
  it.each([...cutContent, ...outcomes, ...contents])('goes on after %s', (_, state, step) => {
    expect(next(state, { maxRounds: 24 }, guided)).toMatchObject(step);
  });
});
