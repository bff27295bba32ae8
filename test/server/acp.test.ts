/** The built `agent acp` with the client side of the protocol's own SDK, and played replies for its model. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { agentLab } from '../support/e2e-agent.ts';
import { Editor, type Person } from '../support/editor.ts';
import type { FakeOllama, Reply } from '../support/fake-ollama.ts';
import { ASKS, DONE, MODEL, modelSaying, PLAN, WRITES } from '../support/server-lab.ts';
import { lookingServer } from '../support/small-server.ts';

const lab = agentLab();
let ollama: FakeOllama | undefined;
let editors: Editor[] = [];
afterEach(async () => {
  for (const editor of editors) await editor.kill();
  editors = [];
  await ollama?.close();
});

function editorIn(folder: string, person: Person = () => 'no'): Editor {
  const env = { OLLAMA_HOST: ollama?.url ?? '' };
  const editor = new Editor(lab, ['--model', `ollama/${MODEL}`], { in: folder, env }, person);
  editors.push(editor);
  return editor;
}

const plays = async (...replies: readonly Reply[]): Promise<void> => {
  ollama = await modelSaying((n) => replies[n - 1] ?? { content: 'Nothing more.' });
};

/** The records of the only conversation of a folder. */
function talkIn(
  folder: string,
): readonly { readonly type: string; readonly [f: string]: unknown }[] {
  const sessions = join(folder, '.agent_context', 'sessions');
  const [id = ''] = readdirSync(sessions);
  const lines = readFileSync(join(sessions, id, 'history.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** A reply that is not over before it is let go. */
function held(reply: Reply): { readonly reply: Reply; letGo(): void } {
  let letGo = (): void => {};
  const beforeEnd = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { reply: { ...reply, beforeEnd }, letGo: () => letGo() };
}

describe('a conversation in an editor', () => {
  test('shows its calls with kinds, places and diffs, asks, and is kept like any other', async () => {
    await plays(WRITES, ASKS, { content: 'It is **there**.' });
    const folder = lab.folder();
    const editor = editorIn(folder, () => 'run');
    const session = await editor.begin(folder);
    expect(await editor.prompt(session, 'Write it')).toEqual({ stopReason: 'end_turn' });

    const [write, run] = editor.of('tool_call');
    const place = join(folder, 'a.txt');
    expect(write).toMatchObject({
      ...{ title: 'write a.txt', kind: 'edit', status: 'pending', locations: [{ path: place }] },
    });
    expect(run).toMatchObject({ title: 'run git init here', kind: 'execute' });
    const ends = editor.of('tool_call_update').filter(({ status }) => status === 'completed');
    expect(ends.map(({ toolCallId }) => toolCallId)).toEqual([write?.toolCallId, run?.toolCallId]);
    expect(ends[0]?.content).toEqual([
      { type: 'diff', path: place, oldText: null, newText: 'hello\n' },
    ]);
    expect(editor.said).toBe('It is **there**.');
    expect(editor.of('usage_update').at(-1)?.used).toBeGreaterThan(0);
    const names = editor.of('available_commands_update')[0]?.availableCommands;
    expect(names?.map(({ name }) => name)).toEqual(expect.arrayContaining(['goal', 'undo']));

    const [asked] = editor.asked;
    expect(asked?.toolCall.toolCallId).toBe(run?.toolCallId);
    expect(asked?.options.map(({ kind }) => kind)).toEqual([
      ...['allow_once', 'allow_always', 'allow_always', 'reject_once'],
    ]);
    const given = talkIn(folder).filter(({ type }) => type === 'approval_given');
    expect(given.length).toBeGreaterThan(0);
    for (const answer of given) expect(answer).toMatchObject({ by: 'person', door: 'editor' });

    await editor.prompt(session, '/undo');
    expect(existsSync(place)).toBe(false);
    expect(editor.said).toContain('removed: a.txt');
    expect(await editor.leave()).toBe(0);
    for (const line of editor.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    const { stdout } = await lab.here(['sessions'], { in: folder });
    expect(stdout).toContain('"Write it"');
  });

  test('cancels, goes on, and says what it cannot do', async () => {
    const first = held({ content: 'never heard' });
    await plays(first.reply, { content: 'The answer.' });
    const folder = lab.folder();
    const editor = editorIn(folder);
    const session = await editor.begin(folder);
    const prompted = editor.prompt(session, 'Say something');
    await ollama?.whenChat(1);
    await expect(editor.prompt(session, 'And?')).rejects.toMatchObject({ code: -32_602 });
    const loading = { sessionId: session, cwd: folder, mcpServers: [] };
    await editor.agent.request(methods.agent.session.load, loading);
    expect(editor.of('user_message_chunk')).toHaveLength(1);
    expect(editor.said).not.toContain('cut off');
    await editor.agent.notify(methods.agent.session.cancel, { sessionId: session });
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
    first.letGo();
    expect(await editor.prompt(session, 'Once more')).toEqual({ stopReason: 'end_turn' });
    expect(editor.said).toContain('The answer.');

    const { agent } = editor;
    await expect(editor.prompt('0123456789abcdef', 'x')).rejects.toMatchObject({ code: -32_002 });
    const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
    await expect(
      agent.request(methods.agent.session.prompt, { sessionId: session, prompt: [image] }),
    ).rejects.toMatchObject({ code: -32_602 });
    const words = { type: 'text' as const, text: 'What is this?' };
    const png = { ...image, data: Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString('base64') };
    expect(
      await agent.request(methods.agent.session.prompt, {
        sessionId: session,
        prompt: [words, png],
      }),
    ).toEqual({ stopReason: 'end_turn' });
    // Its model sees none, and is told so.
    expect(ollama?.chats.at(-1)).toContain(
      'A file of type image/png is here, and you cannot see it.',
    );
    const set = { sessionId: session, configId: 'model', value: 'ollama/not-there' };
    await expect(agent.request(methods.agent.session.setConfigOption, set)).rejects.toMatchObject({
      message: expect.stringContaining('not-there'),
    });
    const effort = { sessionId: session, configId: 'effort', value: 'high' };
    expect(await agent.request(methods.agent.session.setConfigOption, effort)).toMatchObject({
      configOptions: [
        { id: 'model', currentValue: `ollama/${MODEL}` },
        { id: 'effort', currentValue: 'high' },
      ],
    });
    expect(await editor.prompt(session, 'Still there?')).toEqual({ stopReason: 'end_turn' });
  });

  test('pauses when the editor goes; killed, it is loaded with all that was said and goes on', async () => {
    const cut = held({ content: 'never heard' });
    const last = held({ content: 'never heard' });
    await plays(
      ...[WRITES, { content: 'First answer.' }, cut.reply, { content: 'Second answer.' }],
      last.reply,
    );
    const folder = lab.folder();
    const one = editorIn(folder);
    const session = await one.begin(folder);
    await one.prompt(session, 'First question');
    void one.prompt(session, 'Second question').catch(() => {});
    await ollama?.whenChat(3);
    await one.kill();
    cut.letGo();

    const two = editorIn(folder);
    await two.greet();
    const { sessions } = await two.agent.request(methods.agent.session.list, { cwd: folder });
    expect(sessions).toMatchObject([{ sessionId: session, title: 'First question' }]);
    await two.agent.request(methods.agent.session.load, {
      ...{ sessionId: session, cwd: folder, mcpServers: [] },
    });
    const questions = two
      .of('user_message_chunk')
      .map(({ content }) => content.type === 'text' && content.text);
    expect(questions).toEqual(['First question', 'Second question']);
    expect(two.said).toContain('First answer.');
    expect(two.said).toContain('This message was cut off');
    expect(two.of('tool_call')).toMatchObject([{ title: 'write a.txt', kind: 'edit' }]);
    expect(two.of('tool_call_update')).toMatchObject([{ status: 'completed' }]);
    expect(await two.prompt(session, '/continue')).toEqual({ stopReason: 'end_turn' });
    expect(two.said).toContain('Second answer.');
    expect(ollama?.chats.length).toBe(4);

    void two.prompt(session, 'Third question').catch(() => {});
    await ollama?.whenChat(5);
    expect(await two.leave()).toBe(0);
    last.letGo();
    const ends = talkIn(folder).filter(({ type }) => type === 'message_ended');
    expect(ends.at(-1)).toMatchObject({ ending: 'interrupted' });
  });
});

describe('a goal in an editor', () => {
  test('is worked on with its plan tree; killed, the same goal goes on', async () => {
    const cut = held(DONE);
    await plays(PLAN, ASKS, WRITES, cut.reply, { content: 'It is begun.' });
    const folder = lab.folder();
    const one = editorIn(folder, () => 'once');
    const session = await one.begin(folder);
    void one.prompt(session, '/goal Begin a repository').catch(() => {});
    await ollama?.whenChat(4);
    await one.kill();
    cut.letGo();
    const plan = one.of('plan').map(({ entries }) => entries.map(({ status }) => status));
    expect(plan.at(-1)).toEqual(['in_progress', 'in_progress']);
    expect(one.asked[0]?.options[1]?.name).toContain('for this run');
    expect(existsSync(join(folder, 'a.txt'))).toBe(true);

    const two = editorIn(folder);
    await two.greet();
    await two.agent.request(methods.agent.session.resume, { sessionId: session, cwd: folder });
    expect(two.of('user_message_chunk')).toEqual([]);
    await expect(two.prompt(session, '/gaol')).rejects.toMatchObject({
      message: expect.stringContaining('/goal'),
    });
    expect(await two.prompt(session, '/goal Begin a repository')).toEqual({
      stopReason: 'end_turn',
    });
    expect(two.asked).toEqual([]);
    expect(two.of('plan')[0]?.entries[1]).toMatchObject({ status: 'in_progress' });
    expect(two.said.match(/not verified/g)).toHaveLength(1);
    await two.leave();
    const { stdout } = await lab.here(['runs'], { in: folder });
    expect(stdout).toContain('Begin a repository');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('servers of tools that an editor names', () => {
  const named = (folder: string) => ({
    ...(lookingServer('files', folder) as { command: string; args: string[] }),
    ...{ name: 'files', env: [] },
  });

  test('are started once the person has agreed to exactly that, and not before', async () => {
    await plays({ content: 'No tools.' }, { content: 'With tools.' }, { content: 'Again.' });
    const folder = lab.folder();
    let answer = 'not_now';
    const one = editorIn(folder, () => answer);
    const refused = await one.begin(folder, [named(folder)]);
    expect(one.asked).toEqual([]);
    await one.prompt(refused, 'Look');
    expect(one.asked).toMatchObject([{ toolCall: { title: 'Start the MCP server files' } }]);
    const pids = join(folder, 'files.pids');
    expect(existsSync(pids)).toBe(false);
    const offered = (n: number) => JSON.stringify(ollama?.chat(n).tools).includes('mcp__files__');
    expect(offered(0)).toBe(false);

    answer = 'yes';
    await one.prompt(await one.session(folder, [named(folder)]), 'Look again');
    expect(offered(1)).toBe(true);
    await one.session(folder, [named(folder)]);
    await vi.waitFor(() => expect(one.of('available_commands_update').length).toBe(3));
    expect(one.asked).toHaveLength(2);
  });
});

test('nobody types at it, and no program of a run stands for an editor', async () => {
  const folder = lab.folder();
  const inside = await lab.here(['acp'], { in: folder, env: { TARDIGRADE_INSIDE_A_RUN: '1' } });
  expect(inside.exitCode).toBe(2);
  const typed = await lab.here(['acp', '--session', 'x'], { in: folder });
  expect(typed.stderr).toContain('The editor sets this for each conversation');
});
