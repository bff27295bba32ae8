import { describe, expect, test } from 'vitest';
import { type AgentCall, runAgent } from '../../../../src/host/library/agent/run-agent.ts';
import type { NamedEvent } from '../../../../src/run/stream/other-names.ts';
import { listStoredSessions, readSession } from '../../../../src/sessions/places.ts';
import { named } from '../../../support/agent-world.ts';
import {
  SCRIPTED_MODEL,
  type Script,
  type ScriptedProvider,
} from '../../../support/scripted-provider.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../../../support/test-machine.ts';

const KEY = 'agent:main:channel:cli:account:default:peer:direct:user_123';
const read = (path: string) => ({ name: 'read_file', args: { path } });

const callIn = (
  world: TestWorld,
  provider: ScriptedProvider,
  userMessage = 'Hello',
  more: Partial<Omit<AgentCall, 'config'>> & { readonly config?: object } = {},
): AgentCall => ({
  ...{ sessionKey: KEY, userMessage },
  ...more,
  config: {
    ...{ provider, model: SCRIPTED_MODEL, workspace: WORKSPACE, machine: world.machine() },
    ...more.config,
  },
});

const typesOf = (events: readonly NamedEvent[]): string[] =>
  events.map(({ type, event }) =>
    type === 'llm_stream' ? `${type} ${(event as NamedEvent).type}` : type,
  );

const LOOKING: Script = (_, n) =>
  n === 1
    ? { fails: { kind: 'rate_limited' } }
    : n === 2
      ? { text: 'I look.', calls: [read('a.txt')] }
      : 'It says 42.';

describe('an engine in one call', () => {
  test('tells its events under their names, and resolves with what the last one says', async () => {
    const world = testWorld();
    world.write('a.txt', '42\n');
    const events: NamedEvent[] = [];
    const model = named('one', LOOKING);
    const onEvent = (event: NamedEvent) => void events.push(event);
    const call = runAgent(callIn(world, model, 'What is it?', { onEvent }));
    const iterated: NamedEvent[] = [];
    for await (const event of call) iterated.push(event);
    const reply = await call;
    expect(reply).toMatchObject({ reply: 'It says 42.', iterations: 2, ending: 'replied' });
    expect(Object.keys(reply)).toEqual(
      expect.arrayContaining(['reply', 'iterations', 'usage', 'lastCallUsage']),
    );
    expect(iterated).toEqual(events);
    expect(typesOf(events)).toEqual([
      ...['llm_start', 'llm_stream error', 'llm_end', 'retry'],
      ...['llm_start', 'llm_stream text_delta', 'llm_stream toolcall_end', 'llm_stream done'],
      ...['llm_end', 'tool_start', 'tool_end'],
      ...['llm_start', 'llm_stream text_delta', 'llm_stream done', 'llm_end', 'done'],
    ]);
    expect(events[3]).toEqual({
      ...{ type: 'retry', attempt: 2, reason: 'rate_limit', profileId: 'default' },
    });
    const said = events.filter(({ type }) => type === 'llm_end')[1];
    expect(said?.message).toMatchObject({
      toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }],
    });
    const started = events.find(({ type }) => type === 'tool_start');
    expect(started).toMatchObject({ toolName: 'read_file', toolCallId: expect.any(String) });
    expect(events.find(({ type }) => type === 'tool_end')).toEqual({
      ...{ type: 'tool_end', toolName: 'read_file', toolCallId: started?.toolCallId },
      ...{ durationMs: 0, isError: false },
    });
    expect(events.at(-1)).toEqual({ type: 'done', result: reply });
  });

  test('says the same without anybody who is told, and keeps nothing where no folder is named', async () => {
    const world = testWorld();
    world.write('a.txt', '42\n');
    const model = named('one', LOOKING);
    expect(await runAgent(callIn(world, model))).toMatchObject({ reply: 'It says 42.' });
    await runAgent(callIn(world, model));
    expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(listStoredSessions(world.machine().fs, WORKSPACE)).toEqual([]);
  });

  test('returns what there is when its turns are used up, and marks it', async () => {
    const model = named('one', () => ({ text: 'Still looking.', calls: [read('no.txt')] }));
    const reply = await runAgent(
      callIn(testWorld(), model, 'Go', { config: { maxIterations: 2 } }),
    );
    expect(reply).toMatchObject({ reply: 'Still looking.', iterations: 2, ending: 'limit' });
    expect(reply.detail).toContain('2 turns');
  });

  test('has a prompt of five sections, with the documents of the folder', async () => {
    const world = testWorld();
    world.write('SOUL.md', 'Be kind.\n');
    const model = named('one', () => 'Hello.');
    await runAgent(callIn(world, model));
    const prompt = model.requests[0]?.messages[0]?.content ?? '';
    const sections = [...prompt.matchAll(/^<([a-z-]+)>/gm)].map(([, name]) => name);
    expect(sections.filter((name) => name !== 'project-file')).toEqual([
      ...['identity', 'bootstrap-files', 'tools', 'safety', 'runtime'],
    ]);
    expect(prompt).toContain('Be kind.');
  });

  test('is told all eight documents of the folder, in their order', async () => {
    const world = testWorld();
    const names = ['AGENTS', 'SOUL', 'USER', 'TOOLS', 'IDENTITY', 'MEMORY', 'HEARTBEAT'];
    const files = [...names, 'BOOTSTRAP'].map((name) => `${name}.md`);
    for (const file of files.toReversed()) world.write(file, `word of ${file}\n`);
    const model = named('one', () => 'Hello.');
    await runAgent(callIn(world, model));
    const prompt = model.requests[0]?.messages[0]?.content ?? '';
    expect(prompt.match(/(?<=^word of ).*$/gm)).toEqual(files);
  });
});

describe('a key', () => {
  const kept = { config: { sessions: WORKSPACE } };

  test.each([
    ['of colons', KEY],
    ['that leads elsewhere', '../../etc/passwd'],
    ['that is a number', '1'],
    ['of any characters', ' \u0000ü\n🙂 '],
    ['of a thousand characters', 'k'.repeat(1_000)],
  ])('%s goes on with its conversation, and with no other', async (_, sessionKey) => {
    const world = testWorld();
    const model = named('one', (request) => `${request.messages.length}`);
    const say = (text: string, key: string) =>
      runAgent(callIn(world, model, text, { ...kept, sessionKey: key }));
    await say('other', 'other');
    expect((await say('first', sessionKey)).reply).toBe('2');
    expect((await say('second', sessionKey)).reply).toBe('4');
    expect((await say('third', `${sessionKey}!`)).reply).toBe('2');
    const { fs } = world.machine();
    const all = listStoredSessions(fs, WORKSPACE);
    expect(all).toHaveLength(3);
    for (const { id } of all) expect(id).toMatch(/^[0-9a-f]{16}$/);
    const names = all.map(({ id }) => readSession(fs, WORKSPACE, id)?.chat.name);
    expect(names).toContain(sessionKey);
  });

  test('whose process died within a call goes on with the next message; the call says so', async () => {
    const world = testWorld();
    const dying = world.machine();
    const twice = { calls: [read('a.txt'), read('b.txt')] };
    const model = named('one', (_, n) => (n === 1 ? twice : 'Fine.'));
    const onEvent = ({ type }: NamedEvent) => {
      if (type === 'tool_start') dying.kill();
    };
    const first = callIn(world, model, 'Look', {
      onEvent,
      config: { ...kept.config, machine: dying },
    });
    await expect(runAgent(first)).rejects.toThrow('the process was killed');
    const config = { ...kept.config, machine: world.machine() };
    const { fs } = config.machine;
    const lock = listStoredSessions(fs, WORKSPACE);
    expect(lock).toHaveLength(1);
    const reply = await runAgent(callIn(world, model, 'Again', { config }));
    expect(reply).toMatchObject({ reply: 'Fine.', ending: 'replied' });
    const results = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results).toHaveLength(2);
    expect(results[1]?.content).toBe('[Tool result missing — session was interrupted]');
  });
});

test('a long conversation is shortened, and says so', async () => {
  const world = testWorld();
  const events: NamedEvent[] = [];
  const model = named('one', (request) =>
    request.messages[1]?.content.startsWith('Summarize this conversation')
      ? 'Much was said.'
      : 'Yes.',
  );
  const say = () =>
    runAgent(
      callIn(world, model, 'word '.repeat(2_000), {
        onEvent: (event) => void events.push(event),
        config: { sessions: WORKSPACE, contextWindow: 16_384 },
      }),
    );
  for (let n = 0; n < 14 && !events.some(({ type }) => type === 'compaction'); n += 1) await say();
  const compaction = events.find(({ type }) => type === 'compaction');
  expect(compaction?.oldCount).toBeGreaterThan(Number(compaction?.newCount));
  expect(events.at(-1)).toMatchObject({ type: 'done', result: { reply: 'Yes.' } });
});

test.each([
  ['no key', { sessionKey: '' }, /sessionKey must be a text/],
  ['no settings', { config: null }, /config must be an object/],
  ['nothing said', { userMessage: ' ' }, /message is empty/],
  ['no function to tell', { onEvent: 'print' }, /onEvent must be a function/],
])('rejects with %s', async (_, more, message) => {
  const call = callIn(
    testWorld(),
    named('one', () => ''),
  );
  await expect(runAgent({ ...call, ...more } as AgentCall)).rejects.toThrow(message);
});

test.each([
  [{ maxTurns: 5 }, 'runAgent has no option "maxTurns".'],
  [{ config: { maxTurns: 5 } }, 'the config of runAgent has no option "maxTurns".'],
  [{ onEvent: 5 }, 'onEvent must be a function.'],
])('a call with %j is refused before anything is opened', async (more, message) => {
  const provider = named('one', () => 'Hello.');
  const call = callIn(testWorld(), provider, 'Hello', more as never);
  await expect(runAgent(call)).rejects.toMatchObject({ code: 'E_USAGE', message });
  expect(provider.requests).toEqual([]);
});
