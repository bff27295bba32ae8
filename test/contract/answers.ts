// Models and good answers.
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/llm/provider.ts';
import type { ModelEvent } from '../../src/schema/model/turn.ts';
import { WRITE_FILE } from '../llm/support.ts';
import { ask, FAILED, never, type Start } from './asking.ts';
import { ANSWER, CALL, type Harness, THOUGHT } from './harness.ts';

export function models(start: Start): void {
  describe('models', () => {
    it('are listed and described under the same name', async () => {
      const { provider, model } = await start({ does: 'answer' });
      expect(await provider.list(never())).toContain(model);
      const info = await provider.describe(model, never());
      expect(info.model).toBe(model);
      expect(info.contextWindow === null || info.contextWindow > 0).toBe(true);
      const { tools, schema, thinking, images } = info.capabilities;
      expect([tools, schema, thinking].map((can) => typeof can)).toEqual(Array(3).fill('boolean'));
      expect(['boolean', 'undefined']).toContain(typeof images);
    });

    it('that are not there are refused with a sentence and a next step', async () => {
      const { describeUnknown } = await start({ does: 'answer' });
      const error = await describeUnknown().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ status: FAILED, message: /./, hint: /./ });
    });
  });
}

export function answers(start: Start, { plays }: Harness): void {
  describe('an answer', () => {
    it('comes as text, then once that it is finished, with what it cost', async () => {
      const { events, status, message, usage } = await ask(await start({ does: 'answer' }));
      expect(status).toEqual({ kind: 'success' });
      expect(textOf(events)).toBe(ANSWER);
      expect(message.content).toBe(ANSWER);
      expect(events.filter(({ type }) => type === 'finished')).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'stop' });
      for (const tokens of Object.values(usage)) {
        expect(Number.isInteger(tokens) && tokens >= 0).toBe(true);
      }
      expect(usage.input + usage.cacheRead + usage.cacheWrite).toBeGreaterThan(0);
      expect(usage.output).toBeGreaterThan(0);
    });

    it('cut off by its limit says so', async () => {
      const { status, message, hint } = await ask(await start({ does: 'answer', isCutOff: true }));
      expect(status).toEqual({ kind: 'truncated' });
      expect(ANSWER.startsWith(message.content) && message.content !== '').toBe(true);
      expect(hint).toBe('');
    });

    if (plays({ does: 'answer', with: ['thinking'] }))
      it('keeps thinking apart from the text', async () => {
        const { events, message } = await ask(await start({ does: 'answer', with: ['thinking'] }));
        expect(textOf(events, 'thinking')).toBe(THOUGHT);
        expect(message).toMatchObject({ thinking: THOUGHT, content: ANSWER });
      });

    if (plays({ does: 'answer', with: ['call'] }))
      describe('with a call', () => {
        it('hands it out whole, with an id', async () => {
          const stage = await start({ does: 'answer', with: ['call'] });
          const { status, message, events } = await ask(stage, { tools: [WRITE_FILE] });
          expect(status).toEqual({ kind: 'success' });
          expect(message.toolCalls).toEqual([{ id: expect.stringMatching(/./), ...CALL }]);
          expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
          expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'tool_calls' });
        });

        it('gives a repeated turn the same events', async () => {
          const stage = await start({ does: 'answer', with: ['call'] });
          const [one, other] = [await ask(stage), await ask(stage)];
          expect(callsOf(other.events)).toEqual(callsOf(one.events));
        });

        it('never acts on one that was cut off', async () => {
          const stage = await start({ does: 'answer', with: ['call'], isCutOff: true });
          const { status, message } = await ask(stage, { tools: [WRITE_FILE] });
          expect(status).toEqual({ kind: 'truncated' });
          expect(message.toolCalls).toBeUndefined();
        });

        it('hands out the one that came whole before the cut', async () => {
          const with2 = ['call', 'second call'] as const;
          const stage = await start({ does: 'answer', with: with2, isCutOff: true });
          const { status, message } = await ask(stage, { tools: [WRITE_FILE] });
          expect(status).toEqual({ kind: 'truncated' });
          expect(message.toolCalls).toEqual([{ id: expect.stringMatching(/./), ...CALL }]);
        });
      });

    it('to the same request is asked for with the same bytes', async () => {
      const stage = await start({ does: 'answer' });
      await ask(stage);
      await ask(stage);
      const [one, other] = stage.wire?.bodies ?? ['', ''];
      expect(other).toBe(one);
    });

    if (plays({ does: 'never answer' }))
      it('is never asked for with tools and a schema', async () => {
        const stage = await start({ does: 'answer' });
        const both = { tools: [WRITE_FILE], responseSchema: { type: 'object' } };
        await expect(ask(stage, both)).rejects.toThrow(/never both/);
        expect(stage.wire?.bodies).toEqual([]);
      });
  });
}

const textOf = (events: readonly ModelEvent[], type: 'text' | 'thinking' = 'text'): string =>
  events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');

const callsOf = (events: readonly ModelEvent[]): readonly ModelEvent[] =>
  events.filter(({ type }) => type === 'tool_call');
