import { describe, expect, it } from 'vitest';
import { chunk, event, usageChunk } from '../../support/fake-openai-bodies.ts';
import { turn } from '../support.ts';
import { answering, answeringInTurn } from './support.ts';

const half = event(chunk({ content: 'half' }));
const counts = (completion_tokens: number) =>
  event(usageChunk({ prompt_tokens: 26, completion_tokens }));

it('a count below nothing is no count, and takes nothing from the others', async () => {
  const told = { prompt_tokens: 5, completion_tokens: -3 };
  const details = {
    prompt_tokens_details: { cached_tokens: -9 },
    completion_tokens_details: { reasoning_tokens: -7 },
  };
  const stream = half + event(chunk({}, 'stop')) + event(usageChunk({ ...told, ...details }));
  const { usage } = await turn((await answering({ stream })).provider);
  expect(usage).toMatchObject({ input: 5, output: 0, thinking: 0, cacheRead: 0 });
});

describe('an attempt that breaks off', () => {
  it('still counts what the server had told, the newest instead of the oldest', async () => {
    const { provider } = await answering({ stream: half + counts(3) + half + counts(5) + half });
    const { status, usage, events } = await turn(provider);
    expect(status).toEqual({ kind: 'invalid_response' });
    expect(usage).toMatchObject({ input: 26, output: 5 });
    expect(events.filter(({ type }) => type === 'usage')).toHaveLength(2);
  });

  it('has used nothing where the server told nothing', async () => {
    const { provider } = await answering({ stream: half, isCut: true });
    expect((await turn(provider)).usage).toMatchObject({ input: 0, output: 0 });
  });

  it('behind the reason for its end is whole', async () => {
    const stream = half + event(chunk({}, 'stop')) + counts(5);
    const { provider } = await answering({ stream, isCut: true });
    const { status, message, usage, isUncounted } = await turn(provider);
    expect([status.kind, message.content, usage.output]).toEqual(['success', 'half', 5]);
    expect(isUncounted).toBeUndefined();
  });

  it('behind the reason for its end and before any count is whole and not free', async () => {
    const stream = half + event(chunk({}, 'stop'));
    const cut = await turn((await answering({ stream, isCut: true })).provider);
    expect([cut.status.kind, cut.isUncounted]).toEqual(['success', true]);
    const whole = await turn((await answering({ stream })).provider);
    expect([whole.status.kind, whole.isUncounted]).toEqual(['success', undefined]);
  });

  it('before anything was said is asked again in another form, counts or not', async () => {
    const refusal = { error: { code: 400, message: 'temperature is not supported' } };
    const { provider, server } = await answeringInTurn([
      { stream: counts(1) + event(refusal) },
      { stream: half + event(chunk({}, 'stop')) },
    ]);
    expect((await turn(provider)).status).toEqual({ kind: 'success' });
    expect(server.chat(1)).not.toHaveProperty('temperature');
  });
});
