/** Conversations of the built `agent serve`: the earlier design's five requests and its seven names. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client, ClientEvent } from '../../src/server/client/client.ts';
import { agentLab } from '../support/e2e-agent.ts';
import type { FakeOllama, Reply } from '../support/fake-ollama.ts';
import { noteIn } from '../support/live-lab.ts';
import {
  called,
  endTalks,
  MODEL,
  modelSaying,
  type Served,
  serveIn,
  until,
} from '../support/server-lab.ts';

const lab = agentLab();
/** One server works in the folders of all tests, with one model that says what the test at work wants. */
const root = lab.folder();
let ollama: FakeOllama;
let served: Served;
let client: Client;
let script: (n: number) => Reply;
/** What it was asked before the test at work. */
let before = 0;
const askedOf = (n: number): string => ollama.chats[before + n] ?? '';
const timesAsked = (): number => ollama.chats.length - before;

beforeAll(async () => {
  ollama = await modelSaying((n) => script(n - before));
  await serving();
}, 180_000);
beforeEach(() => {
  before = ollama.chats.length;
});
afterEach(() => endTalks(root));
afterAll(async () => {
  await served.agent.kill();
  endTalks(root);
  await ollama.close();
});

async function serving(token = ''): Promise<void> {
  served = await serveIn(lab, root, { OLLAMA_HOST: ollama.url }, { token });
  client = served.client;
}

const SEVEN = [
  ...['text_delta', 'tool_call', 'tool_result', 'approval_required', 'completed', 'error'],
  'trace',
];
const ASKS = called('run_cmd', { cmd: 'git init here' });
const named = (events: readonly ClientEvent[], name: string) =>
  events.filter(({ event }) => event === name).map(({ data }) => data);
const isEnd = ({ event }: ClientEvent): boolean => event === 'completed';

describe('a conversation', () => {
  test('has one holder of its stream and any number beside it; who comes back misses nothing', async () => {
    script = (n) => ({ content: `Answer ${n}, in some words.` });
    const folder = lab.folder();
    const session = await client.createSession({
      ...{ workspacePath: folder, model: `ollama/${MODEL}` },
    });
    const holder = session.events();
    const first = holder.next();
    await expect
      .poll(async () => {
        const second = session.events();
        return second.next().then(
          () => 200,
          (error) => error.problem.status,
        );
      })
      .toBe(409);
    const beside = until(session.events({ observe: true }), isEnd);
    await session.chat('one');
    await first;
    const rest = await until(holder, isEnd);
    expect(
      named(rest, 'text_delta')
        .map(({ text }) => text)
        .join(''),
    ).toBe('Answer 1, in some words.');
    expect(named(await beside, 'completed')).toHaveLength(1);
    // Leaving it frees it; what was sent is not sent again, and what came meanwhile is.
    await session.chat('two');
    const again = await until(session.events(), isEnd);
    expect(
      named(again, 'text_delta')
        .map(({ text }) => text)
        .join(''),
    ).toBe('Answer 2, in some words.');
  });

  test('takes commands behind a slash, and its undo is told to who follows', async () => {
    const replies = [called('write_file', { path: 'a.txt', content: 'hello\n' })];
    script = (n) => replies[n - 1] ?? { content: 'Done.' };
    const folder = lab.folder();
    const session = await client.createSession({
      ...{ workspacePath: folder, model: `ollama/${MODEL}` },
    });
    await until(session.send('Write a file'), isEnd);
    expect((await session.command('/status')).said).toContain('files, by 1 message');
    await expect(session.command('/goal x')).rejects.toMatchObject({
      problem: { status: 400, hint: expect.stringContaining('/model') },
    });
    expect((await session.command(`/model ollama/${MODEL}`)).said).toContain('Continuing with');
    await expect(session.command('/model ollama/none:1b')).rejects.toThrow();
    expect(existsSync(join(folder, 'a.txt'))).toBe(true);
    const following = until(
      session.events({ observe: true, names: 'tardigrade', records: true }),
      ({ event, data }) =>
        event === 'record' && (data.record as { type: string }).type === 'file_restored',
    );
    expect((await session.undo({ dryRun: true })).outcome).toBe('planned');
    expect(await session.undo()).toMatchObject({ outcome: 'undone', removed: ['a.txt'] });
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
    await following;
    expect((await session.undo()).outcome).toBe('nothing_to_undo');
    await session.chat('And now?');
    await expect.poll(() => session.get()).toMatchObject({ state: 'idle', messages: 2 });
    // Nobody has read the end of the message before.
    const said: ClientEvent[] = [];
    for await (const event of session.send('Really?', { names: 'tardigrade' })) said.push(event);
    expect(named(said, 'person_said')).toMatchObject([{ text: 'Really?' }]);
    expect(said.at(-1)?.event).toBe('message_ended');
    await session.close();
    expect((await session.undo({ dryRun: true })).outcome).toBe('planned');
    expect((await session.undo()).outcome).toBe('nothing_to_undo');
  });

  test('is a process of its own: a server that is killed in the middle of a message ends nothing, and asks no model again', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    script = (n) => ({ content: `Answer ${n}.`, ...(n === 1 ? {} : { beforeEnd: held }) });
    const folder = lab.folder();
    const wish = { workspacePath: folder, model: `ollama/${MODEL}` };
    const session = await client.createSession(wish);
    await until(session.send('Say something'), isEnd);
    await session.chat('And more');
    await ollama.whenChat(before + 2);
    await served.agent.kill();
    await serving(client.token);
    const again = client.session(session.id);
    await expect.poll(async () => (await again.get()).state).toBe('working');
    await expect(again.chat('x')).rejects.toMatchObject({ problem: { status: 409 } });
    const heard = until(again.events(), isEnd);
    letGo();
    const text = named(await heard, 'text_delta').map((data) => data.text);
    expect(text.join('')).toBe('Answer 2.');
    expect(named(await heard, 'completed')).toMatchObject([
      { reason: 'answered', usage: { output: expect.any(Number) } },
    ]);
    expect(timesAsked()).toBe(2);
    expect(await again.chat('And then')).toEqual({ turn: 3 });
    await ollama.whenChat(before + 3);
  });

  test('whose process is gone comes back with the next message, and works first on what was cut off', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    script = (n) =>
      n === 1 ? { content: 'never heard', beforeEnd: held } : { content: `Answer ${n}.` };
    const folder = lab.folder();
    const wish = { workspacePath: folder, model: `ollama/${MODEL}` };
    const session = await client.createSession(wish);
    await session.chat('Say something');
    await ollama.whenChat(before + 1);
    const { pid } = await noteIn(root);
    process.kill(pid, 'SIGKILL');
    letGo();
    await expect.poll(async () => (await session.get()).state).toBe('closed');
    expect((await session.get()).isOpen).toBe(true);
    const resumed = await client.resumeSession(session.id, wish);
    const heard = await until(resumed.events(), isEnd);
    expect(named(heard, 'text_delta').at(-1)).toEqual({ text: 'Answer 2.' });
    expect(timesAsked()).toBe(2);
    expect((await resumed.get()).messages).toBe(1);
    await resumed.close();
    expect((await resumed.get()).state).toBe('closed');
    expect(await resumed.chat('And more')).toEqual({ turn: 2 });
    const more = await until(resumed.events(), isEnd);
    expect(named(more, 'text_delta')).toEqual([{ text: 'Answer 3.' }]);
    expect((await noteIn(root)).pid).not.toBe(pid);
  });

  test('is created, said something, asks, and completes by the seven names alone; its log in the earlier form is gone on from as a new one, whose calls and answers give no right', async () => {
    const replies = [ASKS, { content: 'It is there.' }, ASKS];
    script = (n) => replies[n - 1] ?? { content: 'Not again.' };
    const folder = lab.folder();
    const wish = { workspacePath: folder, provider: 'ollama', model: MODEL };
    const first = await client.createSession(wish);
    expect(await first.chat('Begin a repository')).toEqual({ turn: 1 });
    await expect(first.chat('And now?')).rejects.toMatchObject({ problem: { status: 409 } });
    const heard: ClientEvent[] = [];
    for await (const event of first.events()) {
      heard.push(event);
      if (event.event === 'approval_required') {
        const callId = String(event.data.callId);
        expect(event.data).toMatchObject({ tool: 'run_cmd', target: 'git init here' });
        await first.approve(callId, true);
        await expect(first.approve(callId, false)).rejects.toMatchObject({
          problem: { status: 409 },
        });
      }
      if (isEnd(event)) break;
    }
    expect(heard.filter(({ event }) => !SEVEN.includes(event))).toEqual([]);
    expect(named(heard, 'tool_call')).toMatchObject([{ name: 'run_cmd' }]);
    expect(named(heard, 'tool_result')).toMatchObject([{ name: 'run_cmd', ok: true }]);
    expect(named(heard, 'completed')).toMatchObject([{ reason: 'answered' }]);
    const text = named(heard, 'text_delta').map((data) => data.text);
    expect(text.join('')).toBe('It is there.');
    const { XDG_DATA_HOME = '', LOCALAPPDATA = '' } = lab.environment({ in: root });
    const env = { XDG_DATA_HOME, LOCALAPPDATA };
    const { stdout } = await lab.here(['export', '1', '--format', 'session'], { in: folder, env });
    const types = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).data.type);
    expect(types).toEqual(expect.arrayContaining(['session_start', 'user_prompt', 'event']));
    const logFile = join(folder, 'log.jsonl');
    writeFileSync(logFile, stdout);

    const imported = await client.resumeSession('earlier', { ...wish, logFile });
    expect(imported.id).not.toBe(first.id);
    expect(await imported.get()).toMatchObject({ number: 2, messages: 1, isOpen: false });
    await imported.chat('And again');
    const again = await until(imported.events(), ({ event }) => event === 'approval_required');
    expect(named(again, 'approval_required')).toMatchObject([{ target: 'git init here' }]);
    const told = askedOf(2);
    expect(told).toContain('Begin a repository');
    expect(told).toContain('It is there.');
    const outside = join(lab.folder(), '..', '..', 'log.jsonl');
    await expect(
      client.resumeSession('earlier', { ...wish, logFile: outside }),
    ).rejects.toMatchObject({ problem: { code: 'E_OUTSIDE' } });
  });
});
