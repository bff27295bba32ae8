import { describe, expect, it } from 'vitest';
import {
  type CompactedRange,
  decideLast,
  decideRange,
  decideShortening,
  decideSweep,
  MAX_TRIES,
  sizesOfSweep,
  summaryChars,
} from '../../src/context-manager/compact-context.ts';
import {
  charsPerToken,
  estimateTokens,
  type PromptInput,
  sizesOf,
} from '../../src/context-manager/prompt-size.ts';
import { driverNamed, driverOf } from '../../src/drivers/driver-of.ts';
import type { MessageRef } from '../../src/schema/state.ts';
import { fc } from '../support/dice.ts';

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

const NOTHING_TRIED = { compactions: 0, cuts: 0 };

interface Case extends Partial<PromptInput> {
  readonly most?: number;
  readonly least?: number;
}

const inputOf = (given: Case): PromptInput => {
  const { most: _most, least: _least, ...input } = given;
  return { conversation: [], fixedChars: 1500, numCtx: 8192, measured: null, ...input };
};

/** What is left out where nothing is cut, and so many exchanges stay. */
function leftOutOf(given: Case): CompactedRange | null {
  const { most = 5, least = most } = given;
  const input = inputOf(given);
  const isNeeded = decideShortening(input, NOTHING_TRIED, false) !== null;
  const isDropped = input.overflowed || sizesOf(input).used >= input.numCtx * 0.7;
  expect(isNeeded && !isDropped).toBe(false);
  return isDropped ? decideRange(input, { most, least, isSummedUp: false, frees: 0.2 }) : null;
}

/** Tokens in use before it, and with a summary of full length after it. */
function usedAround(given: Case, { fromSeq, toSeq }: CompactedRange) {
  const input = inputOf(given);
  const { fixed, ratio, tokensOf, used } = sizesOf(input);
  const kept = input.conversation.filter(({ seq }) => seq < fromSeq || seq > toSeq);
  return { used, usedAfter: fixed + tokensOf(kept) + Math.floor(summaryChars(input) / ratio) };
}

const WINDOWS = [4096, 8192, 16_384, 131_072];

describe.each(WINDOWS)('With a window of %i tokens', (numCtx) => {
  const chars = (share: number) => Math.floor(numCtx * share * 3.2);
  /** Twenty exchanges that fill this share of the window. */
  const filled = (share: number) =>
    conversationOf(20, Math.floor((chars(share) - 1500 - 1000 - 20 * 300 - 82 * 20) / 40));

  it('half a window is left as it is', () => {
    expect(leftOutOf({ conversation: filled(0.6), numCtx })).toBeNull();
  });

  it('a window that is used to four fifths is brought down to two fifths', () => {
    const given = { conversation: filled(0.85), numCtx };
    const leftOut = leftOutOf(given);
    expect(leftOut).toMatchObject({ fromSeq: 9 });
    if (leftOut === null) return;
    const { usedAfter } = usedAround(given, leftOut);
    expect(usedAfter).toBeLessThanOrEqual(numCtx * (numCtx > 4096 ? 0.4 : 0.45));
    expect(usedAfter).toBeGreaterThan(numCtx * 0.25);
    expect(summaryChars(inputOf(given))).toBeGreaterThan(500);
  });

  it('what is compacted and summarised fits at once, so no second pass follows', () => {
    const conversation = filled(0.9);
    const leftOut = leftOutOf({ conversation, numCtx });
    if (leftOut === null) throw new Error('nothing is left out');
    const length = summaryChars(inputOf({ conversation, numCtx }));
    const next = [
      ...conversation.filter((message) => message.seq < leftOut.fromSeq),
      ...numbered([{ role: 'user', cause: 'summary', length }]),
      ...conversation.filter((message) => message.seq > leftOut.toSeq),
    ];
    expect(leftOutOf({ conversation: next, numCtx, least: 1 })).toBeNull();
  });

  /** Results of five exchanges that fill so much of the window. */
  const ofFive = (share: number) => Math.floor((chars(share) - 2500 - 1500 - 500) / 10);

  it('five large exchanges stay', () => {
    const conversation = conversationOf(5, ofFive(0.8));
    expect(leftOutOf({ conversation, numCtx })).toBeNull();
    expect(leftOutOf({ conversation, numCtx, least: 1 })).not.toBeNull();
  });

  it('six exchanges whose oldest is small are left alone: too little would come free', () => {
    const large = Array.from({ length: 5 }, () => exchange(ofFive(0.75))).flat();
    const conversation = numbered([...head, ...exchange(50), ...large]);
    expect(leftOutOf({ conversation, numCtx })).toBeNull();
    expect(leftOutOf({ conversation, numCtx, most: 3 })).not.toBeNull();
  });

  it('fewer than five stay only where that is asked for, since nothing else helped', () => {
    const conversation = conversationOf(5, ofFive(1.1));
    expect(leftOutOf({ conversation, numCtx })).toBeNull();
    expect(leftOutOf({ conversation, numCtx, overflowed: true })).toBeNull();
    expect(leftOutOf({ conversation, numCtx, least: 1 })).not.toBeNull();
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
          const leftOut = leftOutOf({ conversation, numCtx });
          if (leftOut === null) return;
          const from = conversation.findIndex((message) => message.seq === leftOut.fromSeq);
          const next = conversation.findIndex((message) => message.seq === leftOut.toSeq) + 1;
          expect(from).toBe(2);
          expect(next).toBeGreaterThan(from);
          expect(conversation[next]?.cause).not.toBe('tool_result');
          const replies = conversation.slice(next).filter((one) => one.role === 'assistant');
          expect(replies.length).toBeGreaterThanOrEqual(4);
          const { used, usedAfter } = usedAround({ conversation, numCtx }, leftOut);
          expect(used - usedAfter).toBeGreaterThanOrEqual(used * 0.2);
        },
      ),
    );
  });

  it('without a plan begins after the first message', () => {
    const conversation = numbered([
      { role: 'user', cause: 'subtask_started', length: 300 },
      ...Array.from({ length: 12 }, () => exchange(1200)).flat(),
    ]);
    expect(leftOutOf({ conversation })).toMatchObject({ fromSeq: 6 });
  });

  it('may be more when the provider said that it does not fit', () => {
    const conversation = conversationOf(8, 400);
    expect(leftOutOf({ conversation, most: 2 })).toBeNull();
    expect(leftOutOf({ conversation, overflowed: true, most: 2 })).not.toBeNull();
  });
});

describe.each(WINDOWS)('After an overflow with a window of %i tokens', (numCtx) => {
  const chars = (share: number) => Math.floor(numCtx * share * 3.2);
  const overflowed = true;

  it('fewer exchanges stay when five of them are too much', () => {
    const conversation = conversationOf(5, chars(0.12));
    const given = { conversation, numCtx, overflowed, least: 1 };
    const leftOut = leftOutOf(given);
    if (leftOut === null) throw new Error('nothing is left out');
    expect(usedAround(given, leftOut).usedAfter).toBeLessThanOrEqual(numCtx * 0.6);
    expect(leftOut.toSeq).toBeGreaterThan(leftOut.fromSeq);
  });

  it('the estimate is at least the window, however little it said before', () => {
    const conversation = conversationOf(8, chars(0.02));
    const measured = { tokens: 1000, chars: 4000 };
    expect(sizesOf(inputOf({ conversation, numCtx, measured })).used).toBeLessThan(numCtx);
    const { used } = sizesOf(inputOf({ conversation, numCtx, measured, overflowed }));
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
        const given = { conversation, numCtx, overflowed };
        const leftOut = leftOutOf(given);
        if (leftOut === null) return;
        expect(leftOut.fromSeq).toBe(conversation[2]?.seq);
        expect(leftOut.toSeq).toBeLessThan(conversation.at(-1)?.seq ?? 0);
        const { used, usedAfter } = usedAround(given, leftOut);
        expect(used - usedAfter).toBeGreaterThanOrEqual(used * 0.2);
      }),
    );
  });
});

describe('What did not fit', () => {
  const given = (conversation: readonly MessageRef[], more: Partial<PromptInput> = {}) => ({
    ...inputOf({ conversation, numCtx: 2048, overflowed: true }),
    ...{ goalChars: 40, ...more },
  });
  const decide = (...input: Parameters<typeof given>) =>
    decideShortening(given(...input), NOTHING_TRIED, false);
  const last = (...input: Parameters<typeof given>) =>
    decideLast(given(...input), NOTHING_TRIED, false);
  /** A plan that was asked for with the beginnings of files. */
  const told: readonly Draft[] = [
    { role: 'user', cause: 'plan_question', length: 4000 },
    { role: 'assistant', cause: null, length: 400 },
  ];

  it('loses old exchanges and long results, and the beginnings of files only when nothing else can go', () => {
    const many = numbered([...told, ...Array.from({ length: 9 }, () => exchange(300)).flat()]);
    expect(decide(many)).toMatchObject({ kind: 'compact' });
    const one = numbered([...told, ...exchange(3000)]);
    expect(decide(one)).toMatchObject({ cuts: [{ seq: 15 }, { seq: 18 }] });
    const little = numbered([...told, ...exchange(30)]);
    expect(decide(little)).toBeNull();
    expect(last(little)).toMatchObject({ kind: 'cut', cuts: [{ seq: 3, ends: 340 }] });
    expect(last(little, { overflowed: false })).toBeNull();
  });

  it('loses also what frees little, before it is said that nothing is left', () => {
    const first: Draft = { role: 'user', cause: 'plan_question', length: 600 };
    const conversation = numbered([first, ...told.slice(1), ...exchange(450), ...exchange(450)]);
    const fixedChars = 6000;
    expect(decide(conversation, { fixedChars })).toBeNull();
    expect(last(conversation, { fixedChars })).not.toBeNull();
    expect(last(numbered([first]), { fixedChars })).toBeNull();
  });
});

describe('Whoever leads', () => {
  const DRIVERS = [
    ['free', driverNamed('free')],
    ['guided', driverNamed('guided')],
    ['chat', driverOf({ driver: 'chat', calling: 'wire' })],
  ] as const;
  const results = (length: number) => conversationOf(12, length);
  const sized = (share: number) => {
    const least = [...Array(2000).keys()].find((length) => {
      const { used } = sizesOf(inputOf({ conversation: results(length) }));
      return used >= 8192 * share;
    });
    return results(least ?? 0);
  };

  it.each(DRIVERS)('the conversation is shortened from the same size on: %s', (_name, driver) => {
    const decide = (share: number) =>
      decideShortening(
        inputOf({ conversation: sized(share) }),
        NOTHING_TRIED,
        driver.summary !== null,
      );
    expect(decide(0.68)).toBeNull();
    expect(decide(0.71)).toMatchObject({ kind: 'compact' });
  });

  it.each(DRIVERS)('the tries have an end: %s', (_name, driver) => {
    const input = inputOf({ conversation: results(5000), overflowed: true });
    let tried = { compactions: 0, cuts: 0 };
    for (let n = 0; n < 6; n += 1) {
      const how = decideShortening(input, tried, driver.summary !== null);
      if (how === null) break;
      const { compactions, cuts } = tried;
      tried =
        how.kind === 'cut'
          ? { ...tried, cuts: cuts + 1 }
          : { ...tried, compactions: compactions + 1 };
    }
    expect(tried).toEqual({ compactions: MAX_TRIES, cuts: MAX_TRIES });
  });
});

describe('What a subtask leaves behind that did not fit', () => {
  it('goes as a whole behind the goal and the plan, its open question too', () => {
    const question: Draft = { role: 'user', cause: 'action_question', length: 300 };
    const conversation = numbered([...head, ...exchange(900), question]);
    const input = { conversation, fixedChars: 1500, numCtx: 8192, measured: null };
    const sweep = decideSweep(input);
    expect(sweep).toMatchObject({ fromSeq: 9, toSeq: conversation.at(-1)?.seq });
    expect(sizesOfSweep(input, conversation).usedAfter).toBeLessThan(1500);
    expect(decideSweep({ ...input, conversation: numbered(head) })).toBeNull();
  });
});

describe('The estimate', () => {
  it('is cautious until the provider told a figure', () => {
    expect(estimateTokens(3200)).toBe(1000);
    expect(charsPerToken({ tokens: 0, chars: 5000 })).toBe(3.2);
  });
  it('follows what the provider counted, within reason', () => {
    expect(charsPerToken({ tokens: 1000, chars: 4000 })).toBe(4);
    expect(charsPerToken({ tokens: 1, chars: 4000 })).toBe(5);
    expect(charsPerToken({ tokens: 4000, chars: 1000 })).toBe(1);
  });
  it('decides the need: dense text compacts sooner', () => {
    const conversation = conversationOf(9, 600);
    expect(leftOutOf({ conversation })).toBeNull();
    const measured = { tokens: 9000, chars: 18_000 };
    expect(leftOutOf({ conversation, measured })).not.toBeNull();
  });
});
