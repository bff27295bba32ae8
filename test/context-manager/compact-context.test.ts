import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CompactionInput,
  decideCompaction,
  decideSweep,
} from '../../src/context-manager/compact-context.ts';
import { compactionText } from '../../src/context-manager/compaction-text.ts';
import { charsPerToken, estimateTokens } from '../../src/context-manager/prompt-size.ts';
import type { DriverName } from '../../src/schema/driver.ts';
import type { MessageRef } from '../../src/schema/state.ts';
import { settings } from '../support/run-state.ts';

type Draft = Pick<MessageRef, 'role' | 'cause' | 'length'>;

const numbered = (drafts: readonly Draft[]): MessageRef[] =>
  drafts.map((draft, index) => ({ ...draft, seq: (index + 1) * 3, offset: index * 100 }));

const head: readonly Draft[] = [
  { role: 'user', cause: 'plan_question', length: 600 },
  { role: 'assistant', cause: null, length: 400 },
];
/** One question, one reply with two calls, two results. */
const exchange = (length: number): readonly Draft[] => [
  { role: 'user', cause: 'action_question', length: 100 },
  { role: 'assistant', cause: null, length: 200 },
  { role: 'tool', cause: 'tool_result', length },
  { role: 'tool', cause: 'tool_result', length },
];
const conversationOf = (count: number, length: number) =>
  numbered([...head, ...Array.from({ length: count }, () => exchange(length)).flat()]);

const decide = (given: Partial<CompactionInput>) =>
  decideCompaction({ conversation: [], fixedChars: 1500, numCtx: 8192, measured: null, ...given });

const WINDOWS = [4096, 8192, 16_384, 131_072];

describe.each(WINDOWS)('With a window of %i tokens', (numCtx) => {
  const chars = (share: number) => Math.floor(numCtx * share * 3.2);
  /** Twenty exchanges that fill this share of the window. */
  const filled = (share: number) =>
    conversationOf(20, Math.floor((chars(share) - 1500 - 1000 - 20 * 300 - 82 * 20) / 40));

  it('half a window is left as it is', () => {
    expect(decide({ conversation: filled(0.6), numCtx }).kind).toBe('fits');
  });

  it('a window that is used to four fifths is brought down to two fifths', () => {
    const decision = decide({ conversation: filled(0.85), numCtx });
    expect(decision).toMatchObject({ kind: 'compact', fromSeq: 9 });
    if (decision.kind !== 'compact') return;
    expect(decision.usedAfter).toBeLessThanOrEqual(numCtx * (numCtx > 4096 ? 0.4 : 0.45));
    expect(decision.usedAfter).toBeGreaterThan(numCtx * 0.25);
    expect(decision.summaryChars).toBeGreaterThan(500);
  });

  it('what is compacted and summarised fits at once, so no second pass follows', () => {
    const conversation = filled(0.9);
    const decision = decide({ conversation, numCtx });
    if (decision.kind !== 'compact') throw new Error(decision.kind);
    const summary = {
      ...numbered([{ role: 'user', cause: 'summary', length: decision.summaryChars }])[0]!,
    };
    const next = [
      ...conversation.filter((message) => message.seq < decision.fromSeq),
      summary,
      ...conversation.filter((message) => message.seq > decision.toSeq),
    ];
    expect(decide({ conversation: next, numCtx }).kind).toBe('fits');
  });

  /** Results of five exchanges that fill so much of the window. */
  const ofFive = (share: number) => Math.floor((chars(share) - 2500 - 1500 - 500) / 10);

  it('five large exchanges stay and it says why', () => {
    const conversation = conversationOf(5, ofFive(0.8));
    expect(decide({ conversation, numCtx })).toMatchObject({ kind: 'cannot' });
  });

  it('six exchanges whose oldest is small are left alone: too little would come free', () => {
    const large = Array.from({ length: 5 }, () => exchange(ofFive(0.75))).flat();
    const conversation = numbered([...head, ...exchange(50), ...large]);
    expect(decide({ conversation, numCtx })).toMatchObject({ kind: 'cannot', why: /too little/ });
  });

  it('fewer than five stay only where that is asked for, since nothing else helped', () => {
    const conversation = conversationOf(5, ofFive(1.1));
    expect(decide({ conversation, numCtx })).toMatchObject({ kind: 'cannot' });
    expect(decide({ conversation, numCtx, overflowed: true })).toMatchObject({ kind: 'cannot' });
    expect(decide({ conversation, numCtx, leastKept: 1 })).toMatchObject({ kind: 'compact' });
  });
});

describe('What is left out', () => {
  it('begins after the goal and the plan and never parts a call from its results', () => {
    const draft = fc.oneof(
      fc.record({
        role: fc.constant('user' as const),
        cause: fc.constantFrom(
          'action_question' as const,
          'tool_result' as const,
          'refusal' as const,
          'subtask_started' as const,
        ),
        length: fc.nat(4000),
      }),
      fc.record({
        role: fc.constant('assistant' as const),
        cause: fc.constant(null),
        length: fc.nat(4000),
      }),
      fc.record({
        role: fc.constant('tool' as const),
        cause: fc.constant('tool_result' as const),
        length: fc.nat(9000),
      }),
    );
    fc.assert(
      fc.property(
        fc.array(draft, { maxLength: 60 }),
        fc.constantFrom(...WINDOWS),
        (drafts, numCtx) => {
          const conversation = numbered([...head, ...drafts]);
          const decision = decide({ conversation, numCtx });
          if (decision.kind !== 'compact') return;
          const from = conversation.findIndex((message) => message.seq === decision.fromSeq);
          const next = conversation.findIndex((message) => message.seq === decision.toSeq) + 1;
          expect(from).toBe(2);
          expect(next).toBeGreaterThan(from);
          expect(conversation[next]?.cause).not.toBe('tool_result');
          const replies = conversation.slice(next).filter((one) => one.role === 'assistant');
          expect(replies.length).toBeGreaterThanOrEqual(4);
          expect(decision.used - decision.usedAfter).toBeGreaterThanOrEqual(decision.used * 0.2);
        },
      ),
    );
  });

  it('without a plan begins after the first message', () => {
    const conversation = numbered([
      { role: 'user', cause: 'subtask_started', length: 300 },
      ...Array.from({ length: 12 }, () => exchange(1200)).flat(),
    ]);
    expect(decide({ conversation })).toMatchObject({ kind: 'compact', fromSeq: 6 });
  });

  it('may be more when the provider said that it does not fit', () => {
    const conversation = conversationOf(8, 400);
    expect(decide({ conversation }).kind).toBe('fits');
    expect(decide({ conversation, overflowed: true, historyKeep: 2 }).kind).toBe('compact');
  });
});

describe.each(WINDOWS)('After an overflow with a window of %i tokens', (numCtx) => {
  const chars = (share: number) => Math.floor(numCtx * share * 3.2);
  const overflowed = true;

  it('fewer exchanges stay when five of them are too much', () => {
    const conversation = conversationOf(5, chars(0.12));
    const decision = decide({ conversation, numCtx, overflowed, leastKept: 1 });
    if (decision.kind !== 'compact') throw new Error(decision.kind);
    expect(decision.usedAfter).toBeLessThanOrEqual(numCtx * 0.6);
    expect(decision.toSeq).toBeGreaterThan(decision.fromSeq);
  });

  it('the estimate is at least the window, however little it said before', () => {
    const conversation = conversationOf(8, chars(0.02));
    const measured = { tokens: 1000, chars: 4000 };
    expect(decide({ conversation, numCtx, measured }).used).toBeLessThan(numCtx);
    const { used } = decide({ conversation, numCtx, measured, overflowed });
    expect(used).toBeGreaterThanOrEqual(numCtx);
  });

  it('a question that waits for its answer always stays, and the goal with the plan', () => {
    const draft = fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      cause: fc.constantFrom('action_question' as const, 'tool_result' as const),
      length: fc.nat(chars(0.3)),
    });
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 30 }), (drafts) => {
        const question: Draft = { role: 'user', cause: 'content_question', length: 300 };
        const plain = drafts.map((one) => (one.role === 'user' ? one : { ...one, cause: null }));
        const conversation = numbered([...head, ...plain, question]);
        const decision = decide({ conversation, numCtx, overflowed });
        if (decision.kind !== 'compact') return;
        expect(decision.fromSeq).toBe(conversation[2]?.seq);
        expect(decision.toSeq).toBeLessThan(conversation.at(-1)?.seq ?? 0);
        expect(decision.used - decision.usedAfter).toBeGreaterThanOrEqual(decision.used * 0.2);
      }),
    );
  });
});

describe('What a subtask leaves behind that did not fit', () => {
  it('goes as a whole behind the goal and the plan, its open question too', () => {
    const question: Draft = { role: 'user', cause: 'action_question', length: 300 };
    const conversation = numbered([...head, ...exchange(900), question]);
    const input = { conversation, fixedChars: 1500, numCtx: 8192, measured: null };
    const sweep = decideSweep(input);
    expect(sweep).toMatchObject({ fromSeq: 9, toSeq: conversation.at(-1)?.seq });
    expect(sweep?.usedAfter).toBeLessThan(1500);
    expect(decideSweep({ ...input, conversation: numbered(head) })).toBeNull();
  });
});

describe('The estimate', () => {
  it('is cautious until the provider told a figure', () => {
    expect(estimateTokens(3200)).toBe(1000);
    expect(estimateTokens(3200, { tokens: 0, chars: 5000 })).toBe(1000);
  });
  it('follows what the provider counted, within reason', () => {
    expect(charsPerToken({ tokens: 1000, chars: 4000 })).toBe(4);
    expect(charsPerToken({ tokens: 1, chars: 4000 })).toBe(5);
    expect(charsPerToken({ tokens: 4000, chars: 1000 })).toBe(1);
  });
  it('decides the need: dense text compacts sooner', () => {
    const conversation = conversationOf(9, 600);
    expect(decide({ conversation }).kind).toBe('fits');
    expect(decide({ conversation, measured: { tokens: 9000, chars: 18_000 } }).kind).toBe(
      'compact',
    );
  });
});

describe('The text in its place', () => {
  const subtask = { id: '1.1', purpose: 'write it', checks: [] };
  const state = {
    goal: 'Create a game',
    plan: {
      tasks: [
        {
          id: '1',
          description: 'all',
          subtasks: [
            { ...subtask, status: 'completed' as const, summary: 'wrote game.py' },
            { ...subtask, id: '1.2', purpose: 'run it', status: 'in_progress' as const },
          ],
        },
      ],
      fallback: false,
    },
    active: {
      id: '1.2',
      actions: Array.from({ length: 40 }, (_, n) => ({
        id: `s${n}`,
        tool: 'run_cmd',
        target: `python t${n}.py`,
        status: 'error' as const,
        head: `exit\ncode ${n}`,
      })),
    },
    recentErrors: [],
    counters: { replans: 0 },
  } as unknown as Parameters<typeof compactionText>[0];

  it('holds goal, facts, ended subtasks and what was done', () => {
    const text = compactionText(state, 'files_exist: game.py', 8000);
    expect(text).toMatch(/^Earlier in this run/);
    for (const part of [
      'GOAL: Create a game',
      'ACTIVE SUBTASK 1.2: run it',
      'files_exist: game.py',
      'subtask 1.1 completed, write it: wrote game.py',
      '- run_cmd python t0.py (error): exit code 0',
    ])
      expect(text).toContain(part);
  });

  it('drops the oldest actions first and says how many', () => {
    const text = compactionText(state, 'files_exist: game.py', 900);
    expect(text.length).toBeLessThanOrEqual(900);
    expect(text).toMatch(/\(\d+ older lines left out\)/);
    expect(text).toContain('python t39.py');
    expect(text).not.toContain('python t0.py');
  });

  it('tells what failed before anything else is left out', () => {
    const recentErrors = ['run_cmd: exit code 3', 'check: tests did not pass'];
    const facts = `files_exist: ${Array.from({ length: 30 }, (_, n) => `file-${n}.py`).join(', ')}`;
    const errors = recentErrors.map((text, seq) => ({ text, about: text, seq }));
    const text = compactionText({ ...state, recentErrors: errors }, facts, 700);
    for (const error of recentErrors) expect(text).toContain(error);
    const [first, ...rest] = errors;
    const isMended = true as const;
    const mended = {
      ...state,
      recentErrors: [{ ...first!, text: 'it was odd', isMended }, ...rest],
    };
    expect(compactionText(mended, facts, 700, true)).not.toContain('it was odd');
    expect(compactionText(mended, facts, 700)).toContain('it was odd');
  });

  it('tells the plan that came later, since the first one is all that stays in view', () => {
    const [task] = state.plan?.tasks ?? [];
    const open = { ...subtask, id: '2.1', purpose: 'mend it', status: 'pending' as const };
    const plan = { fallback: false, tasks: [{ ...task!, subtasks: [...task!.subtasks, open] }] };
    const told = (replans: number, driver: DriverName) =>
      compactionText(
        {
          ...state,
          plan,
          settings: settings(driver),
          counters: { ...state.counters, replans },
        },
        '',
        2000,
      );
    expect(told(1, 'guided')).toContain('STILL TO DO: mend it');
    expect(told(0, 'guided')).not.toContain('mend it');
    // A model that leads has set it by a call, which does not stay.
    expect(told(0, 'free')).toContain('STILL TO DO: mend it');
  });

  it('is the same each time, and bounded for any goal and facts', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 3000 }),
        fc.string({ maxLength: 3000 }),
        fc.integer({ min: 300, max: 3000 }),
        (goal, facts, max) => {
          const text = compactionText({ ...state, goal }, facts, max);
          expect(text.length).toBeLessThanOrEqual(max);
          expect(compactionText({ ...state, goal }, facts, max)).toBe(text);
        },
      ),
    );
  });
});
