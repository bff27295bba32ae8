import { describe, expect, it } from 'vitest';
import { fold, reduce } from '../../../src/context-manager/fold/fold.ts';
import { driverOf } from '../../../src/drivers/driver-of.ts';
import { FORMAT_VERSION, type JournalRecord, type Located } from '../../../src/schema/records.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { next } from '../../../src/steps/next.ts';
import { aboutOutcome } from '../../support/built-in-tools.ts';
import { fc } from '../../support/dice.ts';
import { type RandomSetup, randomRun } from '../../support/random-run.ts';
import { journalOf } from '../../support/run-in.ts';

const setups: fc.Arbitrary<RandomSetup> = fc.record({
  mode: fc.constantFrom('native', 'json', 'auto'),
  dice: fc.array(fc.nat(99), { minLength: 1, maxLength: 40 }),
  kills: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 }),
  maxRounds: fc.constantFrom(3, 12),
  contextWindow: fc.constantFrom(2048, 8192),
});

const copy = (state: RunState): RunState => JSON.parse(JSON.stringify(state));

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}

/** Records with their places, as a journal would hold them. */
const located = (records: readonly JournalRecord[]): readonly Located[] =>
  records.map((record, index) => ({ ...record, seq: index + 1, ts: 0, offset: index * 100 }));

const LIMITS = { maxRounds: 24 };
/** `npm run crash` tries many. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 5);

describe('the fold of a journal', () => {
  it('is plain data, the same from the start and from a copy of any state, which decides the next step alone', async () => {
    await fc.assert(
      fc.asyncProperty(setups, async (setup) => {
        const records = journalOf((await randomRun(setup)).world);
        const whole = fold(records);
        let state: RunState | null = null;
        for (const [index, record] of records.entries()) {
          state = freeze(reduce(state, freeze(record)));
          if (state.settings && !state.ended)
            expect(next(state, LIMITS, driverOf(state.settings))).toEqual(
              next(copy(state), LIMITS, driverOf(state.settings)),
            );
          if (index % 7 !== 0) continue;
          expect(fold(records.slice(index + 1), copy(state))).toEqual(whole);
        }
        expect(state).toEqual(whole);
        expect(whole && copy(whole)).toStrictEqual(whole);
      }),
      { numRuns: RUNS },
    );
  });

  it('begins with run_opened and has only one', () => {
    const [opened] = located([OPENED]);
    expect(() => fold(located([{ type: 'subtask_started', subtask: '1.1' }]))).toThrow();
    expect(() => fold([opened as Located, opened as Located])).toThrow();
  });
});

const OPENED: JournalRecord = {
  type: 'run_opened',
  format: FORMAT_VERSION,
  run: 'r',
  goal: 'g',
  goalHash: 'h',
  startedAt: 0,
  version: '0',
};

const plan = (status: 'pending') => ({
  fallback: false,
  tasks: [
    {
      id: '1',
      description: 'd',
      subtasks: [1, 2].map((n) => ({
        id: `1.${n}`,
        purpose: 'p',
        checks: [],
        status,
      })),
    },
  ],
});

const finished = (n: number): JournalRecord => ({
  type: 'action_finished',
  id: `1.1#${n}#0`,
  tool: 'run_cmd',
  ...aboutOutcome('run_cmd', call(n).args),
  signature: `s${n}`,
  callId: `c${n}`,
  status: n % 2 === 0 ? 'ok' : 'error',
  result: `a long result ${n} `.repeat(40),
  resultHash: `h${n}`,
  facts: { exitCode: n % 2, changed: n % 3 === 0 },
  hashes: {},
});

const call = (n: number) => ({ id: `c${n}`, name: 'run_cmd', args: { cmd: `node ${n}.mjs` } });

const round = (n: number): readonly JournalRecord[] => [
  { type: 'round_started', n, subtask: '1.1', origin: 'planned', calls: [call(n)] },
  {
    type: 'action_intended',
    id: `1.1#${n}#0`,
    class: 'command',
    tool: 'run_cmd',
    args: call(n).args,
    signature: `s${n}`,
    files: [],
  },
  finished(n),
];

const afterActions = (count: number): RunState => {
  const rounds = Array.from({ length: count }, (_, index) => round(100 + index)).flat();
  const start: JournalRecord = { type: 'subtask_started', subtask: '1.1' };
  const state = fold(
    located([OPENED, { type: 'plan_set', plan: plan('pending'), why: '' }, start, ...rounds]),
  );
  return state as RunState;
};

describe('the size of a state', () => {
  it('does not grow with the number of actions', () => {
    const size = (state: RunState) => JSON.stringify(state).length;
    expect(size(afterActions(800)) - size(afterActions(80))).toBeLessThan(200);
    expect(size(afterActions(800))).toBeLessThan(20_000);
  });

  it('forgets the actions of a subtask when it ends', () => {
    const state = afterActions(50);
    const end: JournalRecord = {
      type: 'subtask_finished',
      subtask: '1.1',
      status: 'completed',
      summary: 'done',
    };
    const ended = reduce(state, { ...end, seq: 999, ts: 0, offset: 9 });
    expect(ended.active).toBeNull();
    expect(ended.intents).toEqual({});
    expect(ended.plan?.tasks[0]?.subtasks[0]).toMatchObject({
      status: 'completed',
      summary: 'done',
    });
  });
});

const message = (cause: 'nudge' | 'content_question'): JournalRecord => ({
  type: 'message_added',
  role: 'user',
  text: 'words',
  cause,
});

describe('a conversation', () => {
  const seqs = (records: readonly JournalRecord[]) =>
    fold(located([OPENED, ...records]))?.conversation.map((ref) => ref.seq);
  const four = Array.from({ length: 4 }, () => message('nudge'));

  it('is shortened a second time although its summary is younger than what follows it', () => {
    const first: JournalRecord = { type: 'compacted', fromSeq: 2, toSeq: 3, text: 'short' };
    expect(seqs([...four, first])).toEqual([6, 4, 5]);
    const second: JournalRecord = { type: 'compacted', fromSeq: 6, toSeq: 4, text: 'shorter' };
    expect(seqs([...four, first, second])).toEqual([7, 5]);
  });

  it('keeps its summary when a message older than it is taken out', () => {
    const compacted: JournalRecord = { type: 'compacted', fromSeq: 2, toSeq: 3, text: 'short' };
    const rewound: JournalRecord = { type: 'rewound', fromSeq: 5, why: 'refused' };
    expect(seqs([...four, compacted, rewound])).toEqual([6, 4]);
  });

  it('keeps the names and places of messages that were cut', () => {
    const cut = [{ seq: 3, text: 'cut', toolCallId: 'c', toolName: 't' }];
    const record: JournalRecord = { type: 'compacted', fromSeq: 3, toSeq: 3, text: '', cut };
    const state = fold(located([OPENED, ...four, record]));
    expect(state?.conversation.map((ref) => ref.seq)).toEqual([2, 3, 4, 5]);
    expect(state?.conversation[1]).toMatchObject({ offset: 500, length: 3, role: 'user' });
    const rewound: JournalRecord = { type: 'rewound', fromSeq: 3, why: 'refused' };
    expect(seqs([...four, record, rewound])).toEqual([2]);
  });

  it('goes on beside itself in a branch and comes back as it was', () => {
    const open: JournalRecord = { type: 'branched', at: 'open', why: '' };
    const close: JournalRecord = { type: 'branched', at: 'close', why: '' };
    expect(seqs([...four, open])).toEqual([]);
    expect(seqs([...four, open, message('content_question'), close])).toEqual([2, 3, 4, 5]);
  });
});

describe('a resumed run', () => {
  const resumed: JournalRecord = { type: 'run_resumed', version: '0', limits: {} };
  const paused: JournalRecord = { type: 'run_paused', why: 'stalled', detail: '', hint: '' };
  const nudged = (records: readonly JournalRecord[]) => {
    const active = afterActions(1);
    const state = {
      ...active,
      active: active.active && { ...active.active, nudges: 2, blocks: 1 },
    };
    return fold(
      located(records).map((record) => ({ ...record, seq: record.seq + 90 })),
      state,
    );
  };

  it('starts with fresh patience after a pause', () => {
    expect(nudged([paused, resumed])?.active).toMatchObject({ nudges: 0, blocks: 0 });
  });

  it('keeps its patience and its rounds where another process takes it up', () => {
    const before = nudged([]);
    const taken = nudged([{ type: 'lease_taken', token: 2, host: 'here', version: '0' }]);
    expect(taken?.active).toMatchObject({ nudges: 2, blocks: 1 });
    expect(taken?.counters).toEqual(before?.counters);
    expect(taken?.lease).toEqual({ token: 2, host: 'here' });
  });

  it('has worked as long as the gaps between the records of each process say', () => {
    const at = (record: JournalRecord, seq: number, ts: number) => ({
      ...record,
      seq,
      ts,
      offset: seq,
    });
    const start = { ...afterActions(1), workedMs: 0, lastAt: 1_000 };
    const note: JournalRecord = { type: 'note', kind: 'x', data: {} };
    const lease: JournalRecord = { type: 'lease_taken', token: 2, host: 'here', version: '0' };
    const records = [
      at(note, 91, 1_400),
      at(lease, 92, 9_000),
      at(note, 93, 9_100),
      at(note, 94, 500),
    ];
    expect(fold(records, start)?.workedMs).toBe(500);
    const again = [at(paused, 95, 600), at(resumed, 96, 700), at(note, 97, 900)];
    const once = fold([...records, ...again], start);
    expect(once).toMatchObject({ workedMs: 200, workedBefore: 600 });
    const more = [at(paused, 98, 950), at(resumed, 99, 9_000), at(note, 100, 9_001)];
    expect(fold(more, once)).toMatchObject({ workedMs: 1, workedBefore: 850 });
  });
});
