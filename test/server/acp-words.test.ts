/** What an editor is told, and what its words mean: pure functions. */
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import type { PermissionQuestion } from '../../src/round/permission/person.ts';
import { askPlanBy } from '../../src/round/plan/plan-question.ts';
import type { StreamBody, StreamEvent } from '../../src/schema/events/stream.ts';
import { NO_USAGE } from '../../src/schema/model/turn.ts';
import type { Plan } from '../../src/schema/plan.ts';
import { withStatus } from '../../src/schema/state-parts/plan-status.ts';
import { settingIn } from '../../src/server/acp/config-options.ts';
import { answerBy, askedOf, fenced } from '../../src/server/acp/permission.ts';
import { promptIn } from '../../src/server/acp/prompt-text.ts';
import { stopReason } from '../../src/server/acp/stop-reason.ts';
import { ToolCalls } from '../../src/server/acp/tool-calls.ts';
import { planEntries, Updates } from '../../src/server/acp/updates.ts';

const QUESTION: PermissionQuestion = {
  ...{ id: 'q1', tool: 'run_cmd', target: 'git push', reason: 'git push is not allowed.' },
  ...{ rules: ['run_cmd(git push *)'], offered: ['run_cmd(git push *)'] },
  ...{ input: { cmd: 'git push' }, callId: 'c1', argv: ['git', 'push', 'a\u202eb', 'b c'] },
  ...{ folder: '/work', program: '/usr/bin/git' },
};

describe('a question', () => {
  test('is put with its exact words, what is hidden in them written out', () => {
    const { toolCall, options } = askedOf(QUESTION, '7', 'run');
    expect(toolCall).toMatchObject({ toolCallId: '7', title: 'run git push', kind: 'execute' });
    const said = JSON.stringify(toolCall.content);
    // The same words as at a terminal, with quotes where a word needs them.
    expect(said).toContain("git push $'a\\\\xe2\\\\x80\\\\xaeb' 'b c'");
    expect(said).toContain('/usr/bin/git');
    expect(options.map(({ optionId }) => optionId)).toEqual(['once', 'run', 'always', 'no']);
    expect(options[1]?.name).toBe('Yes, for this run: every command that begins with git push');
  });

  test.each([
    ['once', 'once'],
    ['run', 'run'],
    ['always', 'always'],
    ['no', 'no'],
    ['all of it', 'no'],
  ])('answered %s means %s, by the person in the editor', (option, kind) => {
    expect(answerBy(option, QUESTION)).toMatchObject({ kind, by: 'person', door: 'editor' });
  });

  test('that offers no rule takes no rule, and one that is taken back stays open', () => {
    const bare = { ...QUESTION, offered: [] };
    expect(answerBy('always', bare)).toMatchObject({ kind: 'no' });
    expect(askedOf(bare, '7', 'run').options.map(({ optionId }) => optionId)).toEqual([
      ...['once', 'no'],
    ]);
    expect(answerBy(null, QUESTION)).toBe('none');
  });

  test('about a plan is yes or no, with its tasks, what each does, and the proof', async () => {
    const step = { action: 'write_file', target: 'a\u202eb.txt' };
    const subtask = { id: '1.1', purpose: 'writes it', status: 'pending', step };
    const tasks = [{ id: '1', description: 'Do it', subtasks: [subtask] }];
    const plan = {
      tasks,
      fallback: false,
      proof: { cmd: 'npm test', prints: 'ok' },
    } as unknown as Plan;
    const asked: PermissionQuestion[] = [];
    const ask = askPlanBy(async (question) => {
      asked.push(question);
      return { kind: 'once' };
    }, 'run-1');
    const about = {
      goal: 'Make it',
      brief: null,
      plan,
      text: '',
      fault: '',
      faultOf: async () => '',
    };
    expect(await ask(about, new AbortController().signal)).toEqual({ kind: 'yes' });
    const { toolCall, options } = askedOf(asked[0] as PermissionQuestion, '7', 'run');
    expect(toolCall.title).toBe('Use this plan?');
    expect(options.map(({ name }) => name)).toEqual(['Yes', 'No']);
    const [{ content } = { content: null }] = toolCall.content as { content: { text: string } }[];
    expect(content?.text).toContain('```\nMake it\n```');
    expect(content?.text).toContain(
      '```\nDo it\n  - writes it: write_file a\\u{202e}b.txt\nProof: npm test prints "ok"\n```',
    );
    expect(content?.text).not.toContain('In .');
  });

  test('stands in a fence that nothing in it closes', () => {
    expect(fenced('a\n````\nb').split('\n')[0]).toBe('`````');
  });
});

describe('a plan', () => {
  const subtask = (id: string) => ({
    id,
    purpose: `do ${id}`,
    checks: [],
    status: 'pending' as const,
  });
  const plan: Plan = {
    tasks: [{ id: '1', description: 'All of it', subtasks: [subtask('1.1'), subtask('1.2')] }],
    fallback: false,
  };

  test('is a list in which nothing that failed or is not proved looks done and proved', () => {
    const worked = withStatus(withStatus(plan, '1.1', 'unverified'), '1.2', 'failed');
    expect(worked && planEntries(worked).map(({ content, status }) => [content, status])).toEqual([
      ['1 All of it (failed)', 'pending'],
      ['1.1 do 1.1 (not verified)', 'completed'],
      ['1.2 do 1.2 (failed)', 'pending'],
    ]);
    const alone = { ...subtask('1.1'), purpose: 'All of it' };
    const whole = { id: '1', description: 'All of it', subtasks: [alone] };
    expect(planEntries({ ...plan, tasks: [whole] })).toHaveLength(1);
  });
});

describe('a message', () => {
  const blocks: ContentBlock[] = [
    { type: 'text', text: 'Look at' },
    { type: 'resource_link', uri: 'file:///C:/shop/src/a%20b.ts#L3', name: 'a b.ts' },
    { type: 'resource', resource: { uri: 'file:///D:/notes.md', text: 'Buy milk.\n' } },
  ];

  test('names files from the folder on, and holds what came with it', () => {
    expect(promptIn(blocks, 'C:\\shop', 'win32').text).toBe(
      'Look at src/a b.ts  D:\\notes.md\n\n<file path="D:\\notes.md">\nBuy milk.\n</file>',
    );
    const [text, , more] = blocks as [ContentBlock, ContentBlock, ContentBlock];
    const link: ContentBlock = { type: 'resource_link', uri: 'https://x.example/a', name: 'a' };
    expect(promptIn([text, link, more], '/shop', 'linux').text).toContain('https://x.example/a');
  });

  test('takes images beside its words, and no sound', () => {
    const image: ContentBlock = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' };
    const words: ContentBlock = { type: 'text', text: 'What is this?' };
    const { text, images } = promptIn([words, image], '/shop', 'linux');
    expect(text).toBe('What is this?');
    expect(images).toEqual([Buffer.from([0x89, 0x50, 0x4e, 0x47])]);
    const sound: ContentBlock = { type: 'audio', data: '', mimeType: 'audio/wav' };
    expect(() => promptIn([sound], '/shop', 'linux')).toThrow(/audio/);
  });
});

test('how a message ends is never called an end where the model failed', () => {
  const failed = { ending: 'failed', detail: 'No connection.', hint: 'Start it.' } as const;
  const turn = (kind: string) => ({ lastTurn: { status: { kind } } }) as never;
  expect(() => stopReason(failed, turn('network'))).toThrow('No connection.');
  expect(stopReason(failed, turn('truncated'))).toBe('max_tokens');
  const limit = { ending: 'limit', detail: '', hint: '' } as const;
  expect(stopReason(limit, turn('success'))).toBe('max_turn_requests');
});

test('only what is offered can be set', () => {
  expect(settingIn('effort', 'usual')).toEqual({ effort: undefined });
  expect(() => settingIn('effort', 'endless')).toThrow(/effort/);
  expect(() => settingIn('mode', 'yolo')).toThrow(/mode/);
});

describe('updates', () => {
  const told = (bodies: readonly StreamBody[], isReplay = false) => {
    const place = { workspace: '/w', platform: 'linux', editOf: () => null, monotonic: () => 0 };
    const calls = new ToolCalls({ ...place, platform: 'linux' }, 'c');
    const updates = new Updates({ calls, isReplay, hasNotices: () => false, usage: () => null });
    return bodies.flatMap((body) => updates.of({ v: 1, run: 'r', ...body } as StreamEvent));
  };
  const started = (driver: 'guided' | 'chat'): StreamBody => ({
    ...{ type: 'started', version: '1', goal: null, workspace: '/w', number: 1, resumed: false },
    ...{ driver, model: null, permissions: null },
  });
  const finished = (text: string, purpose = 'action'): StreamBody => ({
    ...{ type: 'turn_finished', turn: 1, purpose, status: 'success', detail: '', text },
    usage: NO_USAGE,
  });
  const turn: StreamBody = { type: 'turn_started', turn: 1, purpose: 'action', target: null };
  const piece = (text: string): StreamBody => ({ type: 'text_delta', text });
  const texts = (all: ReturnType<typeof told>) =>
    all.flatMap((one) =>
      one.sessionUpdate === 'agent_message_chunk' && one.content.type === 'text'
        ? one.content.text
        : [],
    );

  test('tell a text once, piece by piece or whole', () => {
    expect(texts(told([turn, piece('Hel'), finished('Hello')]))).toEqual(['Hel', 'lo']);
    expect(texts(told([finished('Hello')], true))).toEqual(['Hello']);
  });

  test('show a trial in a copy, which is to fail there, as no call that failed', () => {
    const record = (scratch: object): StreamBody =>
      ({ type: 'record', record: { type: 'check_ran', seq: 1, ts: 1, ...scratch } }) as never;
    const check = (subtask: string): StreamBody => ({
      ...{ type: 'check', subtask, isProof: false, passed: false, text: 'it exits with 1' },
    });
    const trial = [record({ scratch: { what: 'emptied', about: 'a.js' } }), check('none')];
    expect(told([...trial, record({}), check('1.1')])).toMatchObject([
      { title: 'Tried in a copy: failed', status: 'completed' },
      { title: 'Check of 1.1: failed', status: 'failed' },
    ]);
  });

  test('say so where a turn is asked for again whose text was told', () => {
    const all = texts(told([turn, piece('Hel'), turn, piece('Yes'), finished('Yes')]));
    expect(all[1]).toContain('asked again');
    expect(all[2]).toBe('Yes');
  });

  test('show nothing that a led model writes for the engine, and no summary', () => {
    const json = '{"action":"read"}';
    expect(texts(told([started('guided'), turn, piece(json), finished(json)]))).toEqual([]);
    expect(texts(told([started('chat'), finished('In short: …', 'summary')]))).toEqual([]);
  });

  test('give calls of one id, and what has none, ids of their own', () => {
    const call = { id: 'x', name: 'read_file', args: { path: 'a.txt' } };
    const twice: StreamBody = { ...finished(''), calls: [call] } as StreamBody;
    const own: StreamBody = { type: 'tool_started', id: 'a9', callId: '', name: 'run_cmd' };
    const ids = told([twice, twice, own]).flatMap((one) =>
      one.sessionUpdate === 'tool_call' ? one.toolCallId : [],
    );
    expect(ids).toEqual(['c1', 'c2', 'c3']);
  });

  test('tell why there is no answer, and the failure only where nobody waits for it', () => {
    const ended = (ending: 'limit' | 'failed'): StreamBody => ({
      ...{ type: 'message_ended', ending, detail: 'Because.' },
    });
    expect(texts(told([ended('limit')]))[0]).toContain('Because.');
    expect(texts(told([ended('failed')]))).toEqual([]);
    expect(texts(told([ended('failed')], true))[0]).toContain('Because.');
  });
});
