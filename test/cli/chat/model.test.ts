import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../../src/host/engine-port.ts';
import { TardigradeError } from '../../../src/lib/errors.ts';
import { left, ready } from './talking.ts';

/** @param times how often each model can be opened */
function opening(times: { readonly [model: string]: number }): (engine: Engine) => Engine {
  const left = new Map(Object.entries(times));
  return (engine) => ({
    ...engine,
    openModel: async (request) => {
      const name = request.choice.model ?? 'usual';
      const more = left.get(name) ?? 0;
      left.set(name, more - 1);
      if (more > 0) return engine.openModel(request);
      throw new TardigradeError('E_USAGE', `There is no key for ${name}.`, 'Set one.');
    },
  });
}

test('/model with one that cannot be opened goes on with the former model', async () => {
  const talking = await ready((request) => `messages: ${request.messages.length}`, {
    argv: ['chat', '-m', 'openai/first'],
    engine: opening({ first: 1, second: 2 }),
  });
  talking.say('/model openai/second');
  await talking.sees('Continuing with');
  talking.say('one');
  await talking.sees('messages: 2');
  talking.say('/model openai/other');
  await talking.sees('There is no key for other.');
  talking.say('two');
  await talking.sees('messages: 4');
  expect(await left(talking)).toBe(0);
  expect(talking.all()).toContain('Back to it: ');
});

test('/model ends the conversation with the error if the former model cannot be opened either', async () => {
  const talking = await ready(() => 'Hello.', {
    argv: ['chat', '-m', 'openai/first'],
    engine: opening({ first: 1 }),
  });
  talking.say('/model openai/other');
  expect(await talking.ended).toBe(2);
  expect(talking.all()).toContain('There is no key for first.');
});

test('/clear keeps the model that /model chose', async () => {
  const talking = await ready(() => 'Hello.', {
    argv: ['chat', '-m', 'openai/first'],
    engine: opening({ first: 1, second: 2 }),
  });
  talking.say('/model openai/second');
  await talking.sees('Continuing with');
  talking.say('/clear');
  await talking.sees('A new conversation has begun');
  expect(await left(talking)).toBe(0);
});

test('a /clear that fails closes the model that it opened, and the conversation goes on', async () => {
  let [opened, closed] = [0, 0];
  const talking = await ready(() => 'Hello.', {
    engine: (engine) => ({
      ...engine,
      openModel: async (request) => {
        const model = await engine.openModel(request);
        opened += 1;
        const { provider } = model;
        const describe = (): never => {
          throw new TardigradeError('E_PROVIDER', 'It is gone.', '');
        };
        return {
          ...model,
          provider: {
            ...provider,
            ...(opened > 1 ? { describe } : {}),
            close: async () => {
              closed += 1;
            },
          },
        };
      },
    }),
  });
  talking.say('/clear');
  await talking.sees('It is gone.');
  expect([opened, closed]).toEqual([2, 1]);
  talking.say('one');
  await talking.sees('Hello.');
  expect(await left(talking)).toBe(0);
});

describe('/model with one that is being fetched', () => {
  /** Fetches `slow` until it is told to stop. */
  const fetching = (engine: Engine): Engine => ({
    ...engine,
    openModel: async (request) => {
      const { choice, signal, report } = request;
      if (choice.model !== 'slow') return engine.openModel(request);
      report?.('Fetching slow.');
      await once(signal, 'abort');
      throw new TardigradeError('E_USAGE', 'The download was stopped.', '');
    },
  });
  const begun = async () => {
    const talking = await ready(() => 'Hello.', {
      argv: ['chat', '-m', 'openai/first'],
      engine: fetching,
    });
    talking.say('/model openai/slow');
    await talking.sees('Fetching slow.');
    return talking;
  };

  test('goes on with the former model after Ctrl+C', async () => {
    const talking = await begun();
    talking.type('\u0003');
    await talking.sees('The download was stopped.');
    talking.say('one');
    await talking.sees('Hello.');
    expect(await left(talking)).toBe(0);
  });

  test('ends when the person leaves', async () => {
    const talking = await begun();
    talking.type('\u0004');
    expect(await talking.ended).toBe(0);
  });
});
