// Every way to fail, and its status.
import { describe, expect, it } from 'vitest';
import type { TurnStatus } from '../../src/schema/model/turn.ts';
import { ask, CRASHED, CUT, FAILED, type Start } from './asking.ts';
import { type Act, ANSWER, type Harness } from './harness.ts';

const refuse = (status: number, headers?: Record<string, string>): Act => ({
  does: 'refuse',
  status,
  ...(headers ? { headers } : {}),
});

/** Every way to fail that a fake can play. `next`: whether there is something the user can do. */
const FAILURES: readonly (readonly [name: string, act: Act, status: TurnStatus, next: boolean])[] =
  [
    ['401', refuse(401), { kind: 'auth_failed' }, true],
    ['402', refuse(402), { kind: 'quota_exceeded' }, true],
    ['403', refuse(403), { kind: 'auth_failed' }, true],
    ['404', refuse(404), FAILED, true],
    ['400', refuse(400), FAILED, false],
    ['429', refuse(429), { kind: 'rate_limited' }, true],
    [
      '429 with a time to wait',
      refuse(429, { 'retry-after': '7' }),
      { kind: 'rate_limited', retryAfterMs: 7000 },
      true,
    ],
    ['500', refuse(500), CRASHED, true],
    ['502', refuse(502), CUT, true],
    ['a prompt that is too long', { does: 'overflow' }, { kind: 'context_overflow' }, false],
    ['a crash of the model', { does: 'crash' }, CRASHED, false],
    ['a connection cut before the answer', { does: 'cut', after: 'nothing' }, CUT, false],
    ['a connection cut in mid-answer', { does: 'cut', after: 'text' }, CUT, false],
    ['a body nobody can read', { does: 'garble' }, { kind: 'invalid_response' }, false],
    ['an answer without its end', { does: 'stop' }, { kind: 'invalid_response' }, false],
  ];

export function failures(start: Start, { plays }: Harness): void {
  describe('a failure', () => {
    it.each(FAILURES.filter(([, act]) => plays(act)))(
      '%s has its status, its sentence and its next step apart, and is not asked again',
      async (_, act, status, next) => {
        const stage = await start(act);
        const result = await ask(stage, { tools: undefined });
        expect(result.status).toMatchObject(status);
        expect(result.detail).not.toBe('');
        if (next) expect(result.hint).not.toBe('');
        if (result.hint !== '') expect(result.detail).not.toContain(result.hint);
        expect(result.message.toolCalls).toBeUndefined();
        expect(stage.wire?.bodies ?? ['the only one']).toHaveLength(1);
      },
    );

    if (plays({ does: 'cut', after: 'text' }))
      it('keeps what was said before it', async () => {
        const { message } = await ask(await start({ does: 'cut', after: 'text' }));
        expect(message.content).toBe(ANSWER);
      });

    if (plays(refuse(500)))
      it('leaves the provider as it was: the next turn is asked', async () => {
        const stage = await start(refuse(500));
        await ask(stage);
        await ask(stage);
        expect(stage.wire?.bodies ?? ['', '']).toHaveLength(2);
      });
  });
}
