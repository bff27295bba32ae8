import { describe, expect, it } from 'vitest';
import { cutText, decideCuts } from '../../src/context-manager/cut-messages.ts';
import type { MessageRef } from '../../src/schema/state.ts';
import { fc } from '../support/dice.ts';

const message = (seq: number, length: number, cause: MessageRef['cause'] = 'tool_result') =>
  ({ seq, offset: seq, role: 'tool', cause, length }) satisfies MessageRef;

const decide = (numCtx: number, conversation: readonly MessageRef[]) =>
  decideCuts({ conversation, fixedChars: 1500, numCtx, measured: null, overflowed: true }, 0.2);

describe('a message that is cut', () => {
  it('keeps its beginning and its end and says how much is missing', () => {
    const text = cutText(`begin ${'x'.repeat(5000)} end`, 1000);
    const [, head = '', gone, tail = ''] =
      /^(begin x+)\n\[truncated (\d+) chars\]\n(x+ end)$/.exec(text) ?? [];
    expect(head.length + Number(gone) + tail.length).toBe(5010);
    expect(cutText('short', 1000)).toBe('short');
  });

  it('keeps so much of each end as must stay', () => {
    const text = cutText(`${'g'.repeat(500)}${'x'.repeat(5000)}${'q'.repeat(500)}`, 1100, 500);
    expect(text).toMatch(/^g{500}x*\n\[truncated \d+ chars\]\nx*q{500}$/);
    expect(text.length).toBeLessThanOrEqual(1100);
  });

  it('has at most the length it may have, whole characters only', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'é', '語', '😀'), { minLength: 400, maxLength: 900 }),
        fc.integer({ min: 400, max: 800 }),
        (characters, max) => {
          const text = cutText(characters.join(''), max);
          expect(text.length).toBeLessThanOrEqual(Math.max(max, 0));
          expect(Buffer.from(text).toString()).toBe(text);
        },
      ),
    );
  });
});

describe.each([4096, 8192, 16_384, 131_072])('with a window of %i tokens', (numCtx) => {
  it('a result that fills it is cut, to 20,000 characters at most', () => {
    const [cut, ...others] = decide(numCtx, [message(1, 300), message(2, numCtx * 3)]);
    expect(others).toEqual([]);
    expect(cut?.seq).toBe(2);
    expect(cut?.maxChars).toBeLessThanOrEqual(Math.min(20_000, numCtx * 0.5));
    expect(cut?.maxChars).toBeGreaterThanOrEqual(400);
  });

  it('results are left alone where cutting them frees less than a fifth', () => {
    const answer = { ...message(2, numCtx * 3, null), role: 'assistant' as const };
    expect(decide(numCtx, [message(1, 450), answer])).toEqual([]);
  });

  it('replies of the model and what the engine told are never cut', () => {
    const replies = [message(1, numCtx * 2, null), message(2, numCtx * 2, 'subtask_started')];
    expect(decide(numCtx, replies)).toEqual([]);
  });
});
