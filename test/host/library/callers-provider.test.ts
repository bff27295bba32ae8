/** A provider of the calling program that breaks its contract pauses the run, and is named as what failed. */
import { describe, expect, test } from 'vitest';
import { createSession } from '../../../src/host/library/create-session.ts';
import { memoryWorkspace } from '../../../src/host/library/memory-workspace.ts';
import { openRun } from '../../../src/host/library/open-run.ts';
import {
  type MakeProvider,
  registerProvider,
} from '../../../src/host/library/registered-providers.ts';
import { runGoal } from '../../../src/host/library/run-goal.ts';
import { type Provider, ProviderError } from '../../../src/llm/provider.ts';
import { NO_USAGE } from '../../../src/schema/model/turn.ts';

const INFO = {
  ...{ model: 'm', digest: null, contextWindow: 32_768 },
  capabilities: { tools: true, schema: true, thinking: false },
};
const END = { type: 'finished', reason: 'stop', rawReason: 'stop', usage: NO_USAGE };

/** As a program writes it that was not compiled against the types; private fields need their own object. */
class Own {
  readonly name = 'own';
  readonly #info: unknown;
  readonly #stream: () => unknown;
  constructor(stream: () => unknown, info: unknown = INFO) {
    this.#stream = stream;
    this.#info = info;
  }
  stream() {
    return this.#stream();
  }
  async describe() {
    return this.#info;
  }
  isFree() {
    return this.#info !== null;
  }
  async list() {
    return ['m'];
  }
  async close() {}
}

const giving = (...events: readonly unknown[]) =>
  new Own(async function* () {
    yield* events;
  });

const work = (provider: Own, more: object = {}) =>
  runGoal({
    ...memoryWorkspace(),
    ...{ goal: 'Write a.txt', model: 'm', provider: provider as unknown as Provider, ...more },
  });

describe('a provider of the program that', () => {
  test.each<readonly [string, Own, string]>([
    [
      'throws',
      new Own(() => {
        throw new TypeError('fetch failed');
      }),
      'failed: fetch failed',
    ],
    ['gives no stream', new Own(() => undefined), 'failed: '],
    ['gives nothing', giving(null), 'something that is no event'],
    [
      'gives a number for text',
      giving({ type: 'text', text: 5 }, END),
      'an event text whose text is wrong',
    ],
    [
      'gives the arguments of a call as text',
      giving({ type: 'tool_call', call: { id: '1', name: 'read_file', args: '{}' } }, END),
      'an event tool_call whose call.args is wrong',
    ],
    [
      'gives a call without an id',
      giving({ type: 'tool_call', call: { name: 'read_file', args: {} } }, END),
      'an event tool_call whose call.id is wrong',
    ],
    [
      'gives arguments of a call that are no JSON',
      giving({ type: 'tool_call', call: { id: '1', name: 'read_file', args: { path: 1n } } }, END),
      'an event tool_call whose call.args is no JSON',
    ],
    [
      'gives a function for what its server needs back',
      giving({ type: 'opaque', blocks: () => 1 }, END),
      'an event opaque whose blocks is no JSON',
    ],
    [
      'counts no tokens',
      giving({ ...END, usage: undefined }),
      'an event finished whose usage is wrong',
    ],
    [
      'counts NaN',
      giving({ ...END, usage: { ...NO_USAGE, output: Number.NaN } }),
      'an event finished whose usage.output is wrong',
    ],
    [
      'ends for a reason of its own',
      giving({ ...END, reason: 'end_turn' }),
      'an event finished whose reason is wrong',
    ],
    [
      'fails with a status of its own',
      new Own(() => {
        throw new ProviderError({ kind: 'auth_error' } as never, 'wrong key', '');
      }),
      'an error without a known status: wrong key',
    ],
    [
      'keeps no raw reason',
      giving({ ...END, rawReason: null }),
      'an event finished whose rawReason is wrong',
    ],
  ])('%s pauses the run', async (_what, provider, told) => {
    const result = await work(provider);
    expect(result).toMatchObject({ ending: 'paused', exitCode: 7, why: 'provider_unavailable' });
    expect(result.detail).toContain('The provider own');
    expect(result.detail).toContain(told);
  });

  test('has no name is refused', async () => {
    const call = work(Object.assign(giving(END), { name: undefined }) as never);
    await expect(call).rejects.toMatchObject({ message: 'The provider has no name.' });
  });

  test('fails lets the next model answer', async () => {
    const next = giving({ type: 'text', text: 'Here I am.' }, END) as unknown as Provider;
    const fallbacks = [{ provider: next, model: 'n', profile: 'spare' }];
    const result = await work(giving(null), { fallbacks });
    expect(result).toMatchObject({ ending: 'answered', answer: 'Here I am.' });
  });

  test.each<readonly [string, unknown, string]>([
    ['nothing', null, 'a description of its model whose form is wrong'],
    [
      'no window',
      { ...INFO, contextWindow: '32k' },
      'a description of its model whose contextWindow is wrong',
    ],
    [
      'a price that is none',
      { ...INFO, price: { input: Number.NaN } },
      'a description of its model whose price.input is wrong',
    ],
  ])('describes its model with %s is refused before a run begins', async (_what, info, told) => {
    const call = work(new Own(() => undefined, info));
    await expect(call).rejects.toThrow(told);
    await expect(call).rejects.toBeInstanceOf(ProviderError);
  });
});

test('what a call holds beside JSON is gone before the call is carried out, as after a crash', async () => {
  const args = { path: 'a.txt', content: 'x', note: undefined, made: new Date(0) };
  const provider = giving({ type: 'tool_call', call: { id: '1', name: 'write_file', args } }, END);
  const ready: unknown[] = [];
  for await (const event of work(provider, { maxRounds: 1 }))
    if (event.type === 'tool_call_ready') ready.push(event.args);
  expect(ready[0]).toStrictEqual({ path: 'a.txt', content: 'x', made: '1970-01-01T00:00:00.000Z' });
});

test('an error of another copy of this package says what it says', async () => {
  class OfAnotherCopy extends Error {
    override readonly name = 'ProviderError';
    readonly status = { kind: 'auth_failed' };
    readonly hint = 'Ask for a key.';
  }
  const failing = new Own(() => {
    throw new OfAnotherCopy('wrong key');
  });
  expect(await work(failing)).toMatchObject({ why: 'auth', hint: 'Ask for a key.' });
});

describe('a call that is stopped before it has a model', () => {
  const stopping = new Own(() => undefined);
  stopping.describe = async () => {
    throw new ProviderError({ kind: 'aborted' }, 'The request was cancelled.', '');
  };
  const options = () => ({
    ...memoryWorkspace(),
    ...{ goal: 'Write a.txt', model: 'm', provider: stopping as unknown as Provider },
  });

  test('rejects with E_INTERRUPTED', async () => {
    const run = runGoal(options());
    await expect(run).rejects.toMatchObject({ code: 'E_INTERRUPTED' });
    await expect(openRun(options())).rejects.toMatchObject({ code: 'E_INTERRUPTED' });
    const { goal: _goal, ...talk } = options();
    await expect(createSession(talk)).rejects.toMatchObject({ code: 'E_INTERRUPTED' });
  });
});

describe('a registered provider', () => {
  test.each<readonly [string, MakeProvider, object]>([
    [
      'that cannot be made is what failed',
      () => {
        throw new Error('no socket');
      },
      { name: 'ProviderError', message: 'The provider poor failed: no socket' },
    ],
    ['that is nothing is refused', (() => undefined) as never, { code: 'E_USAGE' }],
  ])('%s', async (_what, make, error) => {
    const unregister = registerProvider('poor', make);
    const call = runGoal({ ...memoryWorkspace(), goal: 'Write a.txt', model: 'poor/m' });
    await expect(call).rejects.toMatchObject(error);
    unregister();
  });

  test('is made by a function', () => {
    expect(() => registerProvider('poor', 5 as never)).toThrow('Nothing makes the provider');
  });
});
