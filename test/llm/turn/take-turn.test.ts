import { describe, expect, it } from 'vitest';
import { type Provider, ProviderError } from '../../../src/llm/provider.ts';
import type { Deadlines } from '../../../src/llm/turn/deadlines.ts';
import { takeTurn } from '../../../src/llm/turn/take-turn.ts';
import { type ModelEvent, NO_USAGE } from '../../../src/schema/model/turn.ts';
import { ManualClock, requestOf, turn } from '../support.ts';

type Script = (signal: AbortSignal) => AsyncIterable<ModelEvent>;

const providerOf = (stream: Script): Provider => ({
  name: 'scripted',
  stream: (_, signal) => stream(signal),
  describe: () => Promise.reject(new Error('not asked here')),
  list: async () => [],
  close: async () => undefined,
});

const text = (content: string): ModelEvent => ({ type: 'text', text: content });
const finished = (
  reason: Extract<ModelEvent, { type: 'finished' }>['reason'] = 'stop',
): ModelEvent => ({ type: 'finished', reason, rawReason: `raw ${reason}`, usage: NO_USAGE });

const saying = (...events: ModelEvent[]): Provider =>
  providerOf(async function* () {
    yield* events;
  });

/** Says the given events and then nothing any more, not even when it is aborted. */
function stubborn(...events: ModelEvent[]) {
  let cancelled = false;
  const provider = providerOf(async function* (signal) {
    signal.addEventListener('abort', () => {
      cancelled = true;
    });
    yield* events;
    await new Promise(() => undefined);
  });
  return { provider, wasCancelled: () => cancelled };
}

function start(provider: Provider, deadlines: Partial<Deadlines> = {}) {
  const clock = new ManualClock();
  const abort = new AbortController();
  const heard: ModelEvent[] = [];
  let onHeard = (): void => undefined;
  const result = takeTurn(provider, requestOf(), {
    clock,
    signal: abort.signal,
    deadlines,
    onEvent: (event) => {
      heard.push(event);
      onHeard();
    },
  });
  const hears = (count: number): Promise<void> =>
    new Promise((resolve) => {
      onHeard = () => heard.length >= count && resolve();
      onHeard();
    });
  return { result, clock, abort, hears };
}

describe('how a turn ends', () => {
  it.each([
    ['stop', 'success'],
    ['tool_calls', 'success'],
    ['length', 'truncated'],
    ['refusal', 'refused'],
    ['other', 'invalid_response'],
  ] as const)('%s is %s, and the raw word is kept', async (reason, kind) => {
    const result = await turn(saying(text('hello'), finished(reason)));
    expect(result.status.kind).toBe(kind);
    expect(result.rawReason).toBe(`raw ${reason}`);
    expect(result.message.content).toBe('hello');
  });

  it('a stream that ends without being finished is no answer', async () => {
    const result = await turn(saying(text('half')));
    expect(result.status).toEqual({ kind: 'invalid_response' });
    expect(result.message.content).toBe('half');
  });

  it('nothing but thinking is no answer', async () => {
    const result = await turn(saying({ type: 'thinking', text: 'hm' }, finished()));
    expect(result.status).toEqual({ kind: 'invalid_response', ofCall: true });
    expect(result.message.thinking).toBe('hm');
  });

  it('a failure keeps its status, its sentence and its hint', async () => {
    const failing = providerOf(async function* () {
      yield text('so far');
      throw new ProviderError({ kind: 'auth_failed' }, 'No entry.', 'Sign in.');
    });
    const result = await turn(failing);
    expect(result).toMatchObject({
      status: { kind: 'auth_failed' },
      detail: 'No entry.',
      hint: 'Sign in.',
      message: { content: 'so far' },
    });
  });

  it('a bug in a provider is not hidden', async () => {
    const broken = providerOf(async function* () {
      yield text('x');
      throw new RangeError('a bug');
    });
    await expect(turn(broken)).rejects.toThrow('a bug');
  });

  it('blocks that only their provider reads are kept with its name', async () => {
    const result = await turn(saying({ type: 'opaque', blocks: [1] }, text('x'), finished()));
    expect(result.message.opaque).toEqual({ provider: 'scripted', blocks: [1] });
  });
});

describe('deadlines', () => {
  const limits = { firstEventMs: 100, idleMs: 50, totalMs: 1000 };

  it('a model that says nothing at all is given up and its request cancelled', async () => {
    const { provider, wasCancelled } = stubborn();
    const { result, clock } = start(provider, limits);
    await clock.someoneSleeps();
    clock.advance(100);
    expect(await result).toMatchObject({
      status: { kind: 'timeout' },
      detail: 'The model has said nothing for 0.1 s.',
    });
    expect(wasCancelled()).toBe(true);
  });

  it('after its first word a model may be silent only for a while', async () => {
    const { result, clock, hears } = start(stubborn(text('so')).provider, limits);
    await hears(1);
    await clock.someoneSleeps();
    clock.advance(100);
    expect(await result).toMatchObject({
      status: { kind: 'timeout' },
      detail: expect.stringContaining('stopped responding'),
      message: { content: 'so' },
    });
  });

  it('the silence after the first word is not as long as the wait for it', async () => {
    const { result, clock, hears } = start(stubborn(text('so')).provider, {
      firstEventMs: 1000,
      idleMs: 50,
    });
    await hears(1);
    await clock.someoneSleeps();
    clock.advance(50);
    expect((await result).detail).toBe('The model stopped responding for 0.05 s.');
  });

  it('counts that come at once are no first word', async () => {
    const usage = { type: 'usage', usage: NO_USAGE } as const;
    const { result, clock, hears } = start(stubborn(usage).provider, limits);
    await hears(1);
    await clock.someoneSleeps();
    clock.advance(50);
    clock.advance(50);
    expect((await result).detail).toBe('The model has said nothing for 0.1 s.');
  });

  it('the whole turn has an end, too', async () => {
    const { provider } = stubborn();
    const { result, clock } = start(provider, { firstEventMs: 5000, idleMs: 5000, totalMs: 1000 });
    await clock.someoneSleeps();
    clock.advance(1000);
    expect((await result).detail).toContain('is not done after 1 s');
  });

  it('a first word that comes after 29 minutes is in time', async () => {
    let speak = (): void => undefined;
    const spoken = new Promise<void>((resolve) => {
      speak = resolve;
    });
    const slow = providerOf(async function* () {
      await spoken;
      yield text('at last');
      yield finished();
    });
    const { result, clock } = start(slow);
    await clock.someoneSleeps();
    clock.advance(29 * 60_000);
    speak();
    expect((await result).status).toEqual({ kind: 'success' });
  });
});

describe('an abort', () => {
  it('ends the turn at once, whatever the provider does, and cancels the request', async () => {
    const { provider, wasCancelled } = stubborn(text('half'));
    const { result, abort, hears } = start(provider);
    await hears(1);
    abort.abort();
    expect(await result).toMatchObject({
      status: { kind: 'aborted' },
      message: { content: 'half' },
    });
    expect(wasCancelled()).toBe(true);
  });

  it('before the start ends it, too', async () => {
    const { provider } = stubborn();
    const result = await turn(provider, {}, AbortSignal.abort());
    expect(result.status).toEqual({ kind: 'aborted' });
  });
});

describe('a model stuck in a loop is cut off', () => {
  it('when it writes the same line for ever', async () => {
    const { provider, wasCancelled } = stubborn(
      ...Array.from({ length: 40 }, () => text('A river, a river so vast,\n')),
    );
    const result = await turn(provider);
    expect(result.status).toEqual({ kind: 'truncated' });
    expect(result.detail).toContain('"A river, a river so vast,"');
    expect(wasCancelled()).toBe(true);
  });

  it('when it writes only white space', async () => {
    const { provider } = stubborn(...Array.from({ length: 400 }, () => text(' \n\t      ')));
    const result = await turn(provider);
    expect(result.detail).toContain('white space');
  });

  it('when it thinks in circles', async () => {
    const { provider } = stubborn({ type: 'thinking', text: 'But wait.\n'.repeat(50) });
    expect((await turn(provider)).status).toEqual({ kind: 'truncated' });
  });

  it('but not for a table of thirty equal lines, or a program with much indentation', async () => {
    const content = `${'0 0 0\n'.repeat(30)}end\n${' '.repeat(2000)}x\n${' '.repeat(2000)}y`;
    const result = await turn(saying(...[...content].map(text), finished()));
    expect(result.status).toEqual({ kind: 'success' });
  });
});
