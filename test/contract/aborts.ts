// Requests that are given up.
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/llm/provider.ts';
import type { ModelEvent } from '../../src/schema/model/turn.ts';
import { requestOf } from '../llm/support.ts';
import { ask, MESSAGES, never, type Start } from './asking.ts';
import type { Harness } from './harness.ts';

/** Sockets and processes that keep this process alive. */
const handles = (): number =>
  process.getActiveResourcesInfo().filter((name) => /TCPSocket|Process/.test(name)).length;

export function aborts(start: Start, { plays }: Harness): void {
  describe('an abort', () => {
    it('before the request sends nothing', async () => {
      const stage = await start({ does: 'answer' });
      expect((await ask(stage, {}, AbortSignal.abort())).status).toEqual({ kind: 'aborted' });
      expect(stage.wire?.bodies ?? []).toEqual([]);
    });

    if (plays({ does: 'never answer' }))
      it('before the answer reaches the server', async () => {
        const stage = await start({ does: 'never answer' });
        const caller = new AbortController();
        const asked = ask(stage, {}, caller.signal);
        await stage.wire?.whenAsked(1);
        caller.abort();
        expect((await asked).status).toEqual({ kind: 'aborted' });
        await stage.wire?.whenLeft(1);
      });

    if (plays({ does: 'fall silent' }))
      it('in mid-answer ends the stream, and leaves no handle and no listener', async () => {
        const before = handles();
        const stage = await start({ does: 'fall silent' });
        const caller = new AbortController();
        const heard: ModelEvent[] = [];
        const read = async (): Promise<void> => {
          const request = requestOf({ messages: MESSAGES, ...stage.request });
          for await (const event of stage.provider.stream(request, caller.signal)) {
            heard.push(event);
            if (event.type === 'text') caller.abort();
          }
        };
        const error = await read().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(ProviderError);
        expect(error).toMatchObject({ status: { kind: 'aborted' } });
        expect(heard.at(-1)).toMatchObject({ type: 'text' });
        await stage.wire?.whenLeft(1);
        expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
        await stage.close();
        await expect.poll(handles).toBeLessThanOrEqual(before);
      });

    if (plays({ does: 'fall silent' }))
      it('is not needed where a stream is given up half-way', async () => {
        const { provider, request, wire } = await start({ does: 'fall silent' });
        const asked = requestOf({ messages: MESSAGES, ...request });
        for await (const { type } of provider.stream(asked, never())) if (type === 'text') break;
        await wire?.whenLeft(1);
      });

    it('is listened for no longer than a request lasts', async () => {
      const { provider, request } = await start({ does: 'answer' });
      const caller = new AbortController();
      const asked = requestOf({ messages: MESSAGES, ...request });
      for (let n = 0; n < 3; n += 1) {
        for await (const _ of provider.stream(asked, caller.signal));
        await provider.list(caller.signal);
      }
      await expect.poll(() => getEventListeners(caller.signal, 'abort')).toEqual([]);
    });
  });
}
