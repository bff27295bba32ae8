// Slow answers, and silence.
import { describe, expect, it } from 'vitest';
import { takeTurn } from '../../src/llm/turn/take-turn.ts';
import { ManualClock, requestOf } from '../llm/support.ts';
import { MESSAGES, MINUTE, never, type Start } from './asking.ts';
import { type Act, ANSWER, type Harness } from './harness.ts';

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Time passes before the headers, then between them and the first word. */
async function askSlowServer(start: Start, headersMs: number, wordMs: number, deadlines = {}) {
  const [headers, word] = [gate(), gate()];
  const act: Act = { does: 'answer', headersAfter: headers.opened, bodyAfter: word.opened };
  const { provider, request, wire } = await start(act);
  const clock = new ManualClock();
  const asked = takeTurn(provider, requestOf({ messages: MESSAGES, ...request }), {
    signal: never(),
    clock,
    deadlines,
  });
  await wire?.whenAsked(1);
  clock.advance(headersMs);
  headers.open();
  clock.advance(wordMs);
  word.open();
  return await asked;
}

export function patience(start: Start, { plays }: Harness): void {
  const isSlow = plays({ does: 'answer', headersAfter: Promise.resolve() });
  if (isSlow)
    describe('a slow answer', () => {
      it.each([
        ['headers after 400 s', 400_000, 0],
        ['a first word 20 minutes behind the headers', 0, 20 * MINUTE],
        ['headers after 400 s, and a first word 20 minutes behind them', 400_000, 20 * MINUTE],
      ])('%s: in time by default', async (_, headersMs, wordMs) => {
        const { status, message } = await askSlowServer(start, headersMs, wordMs);
        expect({ status, content: message.content }).toEqual({
          status: { kind: 'success' },
          content: ANSWER,
        });
      });

      it('both waits count together towards the time until the first word', async () => {
        const deadlines = { firstEventMs: 26 * MINUTE, idleMs: MINUTE };
        const { status, detail } = await askSlowServer(start, 400_000, 20 * MINUTE, deadlines);
        expect(status).toEqual({ kind: 'timeout' });
        expect(detail).toContain('has said nothing for 1560 s');
      });

      it('that falls silent is given up, and its connection closed', async () => {
        const { provider, request, wire } = await start({ does: 'fall silent' });
        const clock = new ManualClock();
        const result = await takeTurn(provider, requestOf({ messages: MESSAGES, ...request }), {
          signal: never(),
          clock,
          deadlines: { idleMs: MINUTE },
          // Past the time it still sleeps for, which began before the first word.
          onEvent: () => void setImmediate(() => clock.advance(31 * MINUTE)),
        });
        expect(result.status).toEqual({ kind: 'timeout' });
        expect(result.message.content).not.toBe('');
        await wire?.whenLeft(1);
      });
    });
}
