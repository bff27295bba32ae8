/** Further keys, further models and other servers work the same whoever asks. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { AIAgent } from '../../../src/host/library/agent/ai-agent.ts';
import type { AIAgentOptions } from '../../../src/host/library/agent/contract.ts';
import { runAgent } from '../../../src/host/library/agent/run-agent.ts';
import {
  type ConversationOptions,
  createSession,
} from '../../../src/host/library/create-session.ts';
import { loadConfig } from '../../../src/host/library/load-config.ts';
import { memoryWorkspace } from '../../../src/host/library/memory-workspace.ts';
import { registerProvider } from '../../../src/host/library/registered-providers.ts';
import { type GoalOptions, runGoal } from '../../../src/host/library/run-goal.ts';
import type { NamedEvent } from '../../../src/run/stream/other-names.ts';
import type { StreamEvent } from '../../../src/schema/events/stream.ts';

import { type FakeOpenAi, startFakeOpenAi } from '../../support/fake-openai.ts';
import { openAiError, saying } from '../../support/fake-openai-bodies.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';

const LIST = { object: 'list', data: [{ id: 'm', object: 'model' }] };
const FIRST = 'sk-first-0123456789';
const SECOND = 'sk-second-0123456789';

let server: FakeOpenAi;
beforeEach(async () => {
  server = await startFakeOpenAi({
    pages: { '/v1/models': LIST },
    script: (_request, _n, { authorization }) =>
      authorization === `Bearer ${SECOND}`
        ? { stream: saying('Hello.') }
        : openAiError(401, 'no', 'invalid_api_key'),
  });
});
afterEach(() => server.close());

/** As a file of settings has two keys of a server that is called by a name of its own. */
async function settled(name = 'mistral') {
  const own = {
    model: `${name}/m`,
    providers: { [name]: { apiKey: FIRST, baseUrl: server.url } },
    profiles: [{ id: 'second', provider: name, apiKey: SECOND }],
  };
  const world = memoryWorkspace({ 'own.json': JSON.stringify(own) });
  const { workspace, machine } = world;
  const config = await loadConfig({ workspace, machine, env: {}, file: 'own.json' });
  return { ...config, machine };
}

const keysAsked = (): readonly string[] =>
  server.headers.flatMap(({ authorization = '' }, at) =>
    server.requests[at]?.startsWith('POST') ? [authorization.replace('Bearer ', '')] : [],
  );

describe.each(['openai', 'mistral'])('the second key of %s in a settings file', (name) => {
  test('is asked in a conversation, and the switch is an event', async () => {
    const events: StreamEvent[] = [];
    const session = await createSession({
      ...(await settled(name)),
      journal: 'memory',
      onEvent: (event) => void events.push(event),
    });
    expect(await session.send('Hi')).toMatchObject({ answer: 'Hello.' });
    await session.close();
    expect(keysAsked()).toEqual([FIRST, SECOND]);
    const switched = events.find(({ type }) => type === 'model_switched');
    expect(switched).toMatchObject({ status: 'auth_failed', to: { profile: 'second' } });
  });

  test('is asked by an engine in one call, which says why', async () => {
    const config = await settled(name);
    const events: NamedEvent[] = [];
    const onEvent = (event: NamedEvent): void => void events.push(event);
    const call = { sessionKey: 'k', userMessage: 'Hi', config, onEvent };
    expect(await runAgent(call)).toMatchObject({ reply: 'Hello.' });
    expect(keysAsked()).toEqual([FIRST, SECOND]);
    expect(events.find(({ type }) => type === 'retry')).toMatchObject({ reason: 'auth' });
  });

  test('is asked in a run', async () => {
    const events: StreamEvent[] = [];
    const run = runGoal({ ...(await settled(name)), goal: 'Say hello', maxRounds: 1 });
    for await (const event of run) events.push(event);
    expect(keysAsked().slice(0, 2)).toEqual([FIRST, SECOND]);
    expect(events.find(({ type }) => type === 'model_switched')).toMatchObject({
      status: 'auth_failed',
    });
  });
});

test('an agent asks a server of another name at its address, and is refused without one', async () => {
  const { machine } = memory();
  const agent = (config: NonNullable<AIAgentOptions['config']>) =>
    AIAgent.create({ config, machine, providers: ['mistral'], models: ['m'], userPrompt: 'Hi' });
  const mistral = { apiKey: SECOND, baseUrl: server.url };
  const done = await agent({ providers: { mistral } }).run();
  expect(done.error).toBeUndefined();
  expect(done.conversation.at(-1)).toMatchObject({ content: 'Hello.' });
  expect(() => agent({ providers: { mistral: { apiKey: SECOND } } })).toThrow('has no address');
});

test('a fallback is a name, and has the address that is given for it', async () => {
  const { machine, workspace } = await settled();
  const session = await createSession({
    ...{ workspace, machine, journal: 'memory', model: 'one/m', fallbacks: ['two/m'] },
    providers: {
      one: { apiKey: FIRST, baseUrl: server.url },
      two: { apiKey: SECOND, baseUrl: server.url },
    },
  });
  expect(await session.send('Hi')).toMatchObject({ answer: 'Hello.' });
  await session.close();
});

test('a provider that was opened is closed again if a fallback cannot be', async () => {
  let closed = 0;
  const close = async (): Promise<void> => {
    closed += 1;
  };
  const unregister = registerProvider('own', () => ({ ...scriptedProvider(() => ''), close }));
  onTestFinished(unregister);
  const { machine, workspace } = await settled();
  const place = { workspace, machine, journal: 'memory' } as const;
  await expect(
    createSession({ ...place, model: 'own/m', fallbacks: ['openai/m'] }),
  ).rejects.toThrow('needs a key');
  expect(closed).toBe(1);
});

describe('what nobody could mean is refused', () => {
  const base = { workspace: '/workspace', model: 'mistral/m' };

  test('a provider of another name without its address', async () => {
    const providers = { mistral: { apiKey: FIRST } };
    await expect(createSession({ ...base, ...memory(), providers })).rejects.toMatchObject({
      ...{ code: 'E_USAGE', message: 'The provider "mistral" has no address.' },
    });
  });

  test('an option that there is not, with the nearest one', async () => {
    const conversation = { ...base, maxIteration: 3 } as unknown as ConversationOptions;
    await expect(createSession(conversation)).rejects.toMatchObject({
      message: 'createSession has no option "maxIteration".',
      hint: 'Did you mean "maxIterations"?',
    });
    const run = { ...base, goal: 'x', maxRound: 3 } as unknown as GoalOptions;
    await expect(runGoal(run)).rejects.toMatchObject({ hint: 'Did you mean "maxRounds"?' });
  });
});

const memory = () => {
  const { workspace, machine } = memoryWorkspace();
  return { workspace, machine };
};
