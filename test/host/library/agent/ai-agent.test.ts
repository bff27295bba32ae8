import { describe, expect, test, vi } from 'vitest';
import { AIAgent, type AIAgentSession } from '../../../../src/host/library/agent/ai-agent.ts';
import type { AIAgentOptions } from '../../../../src/host/library/agent/contract.ts';
import { logLine } from '../../../../src/host/log/line.ts';
import { ProviderError } from '../../../../src/llm/provider.ts';
import type { LogEntry } from '../../../../src/schema/events/log-entry.ts';
import type { StreamEvent } from '../../../../src/schema/events/stream.ts';
import { agentIn, named } from '../../../support/agent-world.ts';
import { SCRIPTED_MODEL } from '../../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../../support/test-machine.ts';

const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } });
const read = (path: string) => ({ name: 'read_file', args: { path } });

/** The entries of a folder of the memory disk that are no work of tools. */
const stateOf = (world: ReturnType<typeof testWorld>) =>
  world.read('.agent_context/history.jsonl') ?? world.read('.agent_context/lock');

describe('an agent', () => {
  test('works in a session of its own, and leaves the one it came from as it was', async () => {
    const world = testWorld();
    const model = named('one', (_, n) => (n === 1 ? { calls: [write('a.txt', 'hi\n')] } : 'Done.'));
    const before = AIAgent.create(agentIn(world, model));
    const after = await before.run();
    expect(before).toMatchObject({ success: false, conversation: [], currentTurn: 0, logs: [] });
    expect(before.error).toBeUndefined();
    expect(after).toMatchObject({ success: true, currentTurn: 2 });
    expect(after.conversation.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'assistant'],
    ]);
    expect(after.conversation.at(-1)?.content).toBe('Done.');
    expect(after.accounting.map(({ type }) => type)).toEqual(['llm', 'tool', 'llm']);
    expect(after.mcpClient.tools).toContain('write_file');
    expect(world.read('a.txt')).toBe('hi\n');
    expect(stateOf(world)).toBeNull();
    expect(model.requests[0]?.messages[0]?.content).toBe('Be short.');
  });

  test('is made at once, and waiting for that does nothing', async () => {
    const model = named('one', () => 'Hello.');
    const session = AIAgent.create(agentIn(testWorld(), model));
    expect((session as { then?: unknown }).then).toBeUndefined();
    expect(await session).toBe(session);
    expect(model.requests).toEqual([]);
  });

  test('has a copy of what it was given, frozen, and functions and providers themselves', async () => {
    const world = testWorld();
    const onLog = vi.fn();
    const model = named('one', () => 'Hello.');
    const options = agentIn(world, model, { callbacks: { onLog }, config: { mcpServers: {} } });
    const session = AIAgent.create(options);
    (options.models as string[]).push('other');
    (options as { userPrompt: string }).userPrompt = 'Changed';
    const after = await session.run();
    expect(model.requests[0]?.messages.at(-1)?.content).toBe('Hello');
    expect(onLog).toHaveBeenCalledTimes(after.logs.length);
    expect(Object.isFrozen(options.models)).toBe(false);
    for (const part of [after, after.config, after.conversation, after.logs, after.accounting])
      expect(Object.isFrozen(part)).toBe(true);
  });

  test('without a message of the user says the system prompt to the model', async () => {
    const model = named('one', () => 'Hello.');
    const { userPrompt: _user, ...options } = agentIn(testWorld(), model);
    await AIAgent.create(options).run();
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', content: 'Be short.' }]);
  });

  test('without a folder has no tools but those it names', async () => {
    const model = named('one', (_, n) => (n === 1 ? { calls: [{ name: 'add', args: {} }] } : '5'));
    const add = {
      ...{ name: 'add', description: 'Adds.', inputSchema: { type: 'object', properties: {} } },
      touches: 'nothing' as const,
      execute: () => '5',
    };
    const { workspace: _workspace, ...options } = agentIn(testWorld(), model, { tools: [add] });
    const after = await AIAgent.create({
      ...options,
      workspace: undefined,
    } as never as AIAgentOptions).run();
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['add']);
    expect(after.conversation.at(-1)?.content).toBe('5');
  });
});

describe('providers and models', () => {
  test('are asked each for each, in order; one that is not there is passed over with a warning', async () => {
    const asked: string[] = [];
    const having = (name: string, ...models: string[]) => ({
      ...named(name, (request) => {
        asked.push(`${name}:${request.model}`);
        return request.model === 'm2' ? 'Yes.' : { fails: { kind: 'auth_failed' as const } };
      }),
      describe: async (model: string) => {
        if (!models.includes(model))
          throw new ProviderError(
            { kind: 'model_error', retryable: false },
            `no ${model} here`,
            '',
          );
        const capabilities = { tools: true, schema: true, thinking: false };
        return { model, digest: null, contextWindow: 8192, capabilities };
      },
    });
    const after = await AIAgent.create({
      ...agentIn(testWorld(), having('a', 'm1')),
      providers: [having('a', 'm1'), having('b', 'm2')],
      models: ['m0', 'm1', 'm2'],
    }).run();
    expect(asked).toEqual(['a:m1', 'b:m2']);
    expect(after.success).toBe(true);
    const warnings = after.logs.filter(({ severity }) => severity === 'WRN');
    const lines = warnings.map((entry) => logLine(entry, { hasColor: false, isAscii: true }));
    expect(lines[0]).toBe('[WRN] <- [0.0] llm a:m0: a:m0 -> a:m1: no m0 here');
    expect(lines.join('\n')).toContain('b m1 cannot be used: no m1 here');
  });

  test('that all fail end it with an error, and retry asks the next one first', async () => {
    const world = testWorld();
    const dead = named('dead', () => ({ fails: { kind: 'network_error', retryable: true } }));
    const failed = await AIAgent.create(agentIn(world, dead, { maxRetries: 2 })).run();
    expect(failed).toMatchObject({ success: false, currentTurn: 0 });
    expect(failed.error).toContain('scripted network_error');
    expect(dead.requests).toHaveLength(2);
    expect(failed.logs.at(-1)).toMatchObject({ severity: 'ERR', fatal: true });
    const fine = named('fine', () => 'Here.');
    const refusing = named('refusing', () => ({ fails: { kind: 'refused' } }));
    const both = { ...agentIn(world, refusing), providers: [refusing, fine] };
    const first = await AIAgent.create(both).run();
    expect(first.error).toContain('scripted refused');
    const second = await first.retry();
    expect(second.success).toBe(true);
    expect(refusing.requests).toHaveLength(1);
    expect(second.conversation).toHaveLength(3);
    expect(first.conversation).toHaveLength(2);
  });
});

describe('a retry', () => {
  const writes = { text: 'I write.', calls: [write('a.txt', 'hi\n')] };
  const refusing = () =>
    named('refusing', (_, n) => (n === 1 ? writes : { fails: { kind: 'refused' } }));
  const roles = (model: ReturnType<typeof named>) =>
    model.requests.at(-1)?.messages.map(({ role }) => role);

  test('goes on behind the last whole turn with the next pair, and repeats no call', async () => {
    const fine = named('fine', () => 'Done.');
    const options = agentIn(testWorld(), fine, { maxTurns: 2 });
    const failed = await AIAgent.create({ ...options, providers: [refusing(), fine] }).run();
    expect(failed).toMatchObject({ success: false, currentTurn: 1 });
    const after = await failed.retry();
    expect(after.success).toBe(true);
    expect(roles(fine)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(after.conversation.at(-1)?.content).toBe('Done.');
    expect(after.accounting.slice(0, failed.accounting.length)).toEqual(failed.accounting);
    expect(after.accounting.filter(({ type }) => type === 'tool')).toHaveLength(1);
    expect(after.logs.length).toBeGreaterThan(failed.logs.length);
  });

  test('begins with the same pair if no model was asked', async () => {
    const [one, two] = [named('one', () => 'Done.'), named('two', () => 'Done.')];
    const world = testWorld();
    const workspace = `${WORKSPACE}/later`;
    const options = { ...agentIn(world, one), providers: [one, two], workspace };
    const failed = await AIAgent.create(options).run();
    expect(failed.success).toBe(false);
    world.write('later/a.txt', '');
    expect((await failed.retry()).success).toBe(true);
    expect([one.requests.length, two.requests.length]).toEqual([1, 0]);
  });

  test('begins anew where that is asked for', async () => {
    const fine = named('fine', () => 'Done.');
    const options = { ...agentIn(testWorld(), fine), providers: [refusing(), fine] };
    const failed = await AIAgent.create(options).run();
    await failed.retry({ from: 'start' });
    expect(roles(fine)).toEqual(['system', 'user']);
    expect(() => failed.retry({ from: 'end' } as never)).toThrow("from must be 'start'");
  });
});

describe('turns', () => {
  const lastTexts = (session: AIAgentSession) => session.conversation.map(({ content }) => content);

  test('end with one that has no tools and says so', async () => {
    const world = testWorld();
    world.write('a.txt', 'x\n');
    const model = named('one', ({ tools }) => (tools ? { calls: [read('a.txt')] } : 'Enough.'));
    const after = await AIAgent.create(agentIn(world, model, { maxTurns: 3 })).run();
    expect(after).toMatchObject({ success: true, currentTurn: 3 });
    expect(lastTexts(after).at(-2)).toContain('no more tools');
    expect(model.requests.map(({ tools }) => tools !== undefined)).toEqual([true, true, false]);
  });

  test('whose calls all fail are not counted as often as may be tried again', async () => {
    const model = named('one', ({ tools }) => (tools ? { calls: [read('no.txt')] } : 'Nothing.'));
    const options = agentIn(testWorld(), model, { maxTurns: 2, maxRetries: 3 });
    const after = await AIAgent.create(options).run();
    expect(after.currentTurn).toBe(5);
    expect(after.success).toBe(true);
  });

  test('without an answer are an error that keeps what was said', async () => {
    const world = testWorld();
    world.write('a.txt', 'x\n');
    const model = named('one', () => ({ calls: [read('a.txt')] }));
    const after = await AIAgent.create(agentIn(world, model, { maxTurns: 2 })).run();
    expect(after.success).toBe(false);
    expect(after.error).toContain('2 turns');
    expect(after.conversation.length).toBeGreaterThan(3);
    expect(lastTexts(after).join('\n')).toContain('Not run: the last turn had no tools.');
    expect(after.logs.at(-1)).toMatchObject({ severity: 'ERR', fatal: true });
  });

  test('stop when the caller says so', async () => {
    const stop = new AbortController();
    const model = named('one', () => {
      stop.abort();
      return { calls: [read('a.txt')] };
    });
    const options = agentIn(testWorld(), model, { signal: stop.signal });
    const after = await AIAgent.create(options).run();
    expect(after).toMatchObject({ success: false, error: 'stopped by the user' });
    const again = await AIAgent.create(options).run();
    expect(again.error).toBe('It was stopped.');
    expect(again.logs.map((entry) => logLine(entry, { hasColor: false, isAscii: true }))).toEqual([
      `[ERR] <- [0.0] llm one:${SCRIPTED_MODEL}: Error: It was stopped. (fatal=true)`,
    ]);
  });
});

describe('a run of an agent', () => {
  const lastOf = async (run: ReturnType<AIAgentSession['run']>) => {
    const events: StreamEvent[] = [];
    for await (const event of run) events.push(event);
    return { first: events[0], last: events.at(-1), session: await run };
  };

  test('tells its events, the last of which says how it ended', async () => {
    const model = named('one', () => 'Hello.');
    const { first, last } = await lastOf(AIAgent.create(agentIn(testWorld(), model)).run());
    expect(first).toMatchObject({ type: 'started', model: { provider: 'one' } });
    expect(last).toMatchObject({ type: 'result', exitCode: 0, answer: 'Hello.' });
    const dead = named('dead', () => ({ fails: { kind: 'network_error', retryable: false } }));
    const failing = await lastOf(AIAgent.create(agentIn(testWorld(), dead)).run());
    expect(failing.session.success).toBe(false);
    expect(failing.last).toMatchObject({ type: 'result', exitCode: 7, ending: 'failed' });
  });

  test('is stopped by abort, and resolves', async () => {
    const run = AIAgent.create(
      agentIn(
        testWorld(),
        named('one', () => {
          run.abort();
          return { calls: [read('a.txt')] };
        }),
      ),
    ).run();
    expect((await lastOf(run)).last).toMatchObject({ exitCode: 130, ending: 'interrupted' });
  });
});

test('two agents in one folder do not overwrite each other unseen', async () => {
  const world = testWorld();
  world.write('a.txt', 'one\n');
  let letGo = (): void => {};
  const other = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const edit = (text: string) => ({
    name: 'edit_file',
    args: { path: 'a.txt', old_text: 'one', new_text: text },
  });
  const slow = named('slow', (_, n) =>
    n === 1 ? { calls: [read('a.txt')] } : n === 2 ? { calls: [edit('slow')] } : 'Done.',
  );
  const waiting = {
    ...slow,
    async *stream(...args: Parameters<typeof slow.stream>) {
      if (slow.requests.length === 1) await other;
      yield* slow.stream(...args);
    },
  };
  const quick = named('quick', (_, n) =>
    n === 1 ? { calls: [read('a.txt')] } : n === 2 ? { calls: [edit('quick')] } : 'Done.',
  );
  const first = AIAgent.create(agentIn(world, waiting)).run();
  await AIAgent.create(agentIn(world, quick)).run();
  letGo();
  const { conversation } = await first;
  expect(world.read('a.txt')).toBe('quick\n');
  expect(conversation.filter(({ role }) => role === 'tool').at(-1)?.content).toMatch(/changed/i);
});

test.each<[string, Partial<AIAgentOptions>, RegExp]>([
  ['no provider', { providers: [] }, /providers must be/],
  ['an unknown provider', { providers: ['nobody'] }, /no provider called "nobody"/],
  ['no model', { models: [] }, /models must be/],
  ['a server that is not there', { tools: ['files'] }, /no server called "files"/],
  ['no turns', { maxTurns: 0 }, /maxTurns must be/],
  ['nothing to say', { systemPrompt: '', userPrompt: ' ' }, /nothing to say/],
  ['a temperature of hell', { temperature: 9 }, /temperature is 9/],
  ['a misspelt option', { dney: ['make'] } as never, /has no option "dney"/],
  ['a rule that is no list', { allow: 'make' as never }, /allow/],
  ['no configuration', { config: null as never }, /config must be/],
  ['half a machine', { machine: { fs: {} } as never }, /machine must be/],
  ['a misspelt key', { config: { providers: { openai: { apiKye: 'x' } as never } } }, /"apiKye"/],
])('is not made from %s', (_, more, message) => {
  const options = agentIn(
    testWorld(),
    named('one', () => ''),
    more,
  );
  expect(() => AIAgent.create(options)).toThrow(message);
});

test('gives each entry of its log at once', async () => {
  const seen: LogEntry[] = [];
  const model = named('one', () => {
    expect(seen.at(-1)).toMatchObject({ severity: 'TRC', direction: 'request' });
    return 'Hello.';
  });
  const callbacks = { onLog: (entry: LogEntry) => void seen.push(entry) };
  await AIAgent.create(agentIn(testWorld(), model, { callbacks })).run();
  expect(seen.map(({ severity }) => severity)).toEqual(['VRB', 'TRC', 'VRB', 'TRC']);
  expect(seen[0]?.remoteIdentifier).toBe(`one:${SCRIPTED_MODEL}`);
});
