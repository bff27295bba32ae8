import { describe, expect, test } from 'vitest';
import { createNarrator } from '../../../src/run/stream/narrator.ts';
import { errorBody } from '../../../src/run/stream/result-body.ts';
import { readStreamEvent, type StreamEvent } from '../../../src/schema/events/stream.ts';
import type { MessageEnding } from '../../../src/schema/records.ts';
import { exitCodeOfMessage, messageResult } from '../../../src/sessions/message-result.ts';
import type { ChatIn } from '../../support/chat-in.ts';
import { chatIn, recordsOfChat } from '../../support/chat-in.ts';
import { LARGE, type Script, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const read = (path: string) => ({ name: 'read_file', args: { path } });
const LONG = 'some words\n'.repeat(1_000);

/** One message, told as readers get it. */
async function told(script: Script, options: ChatIn = {}, world = testWorld()) {
  const model = scriptedProvider(script, LARGE);
  const { session, events } = await chatIn(world, model, options);
  const sent = await session.send('Look');
  const { state } = session;
  await session.close();
  const stream: StreamEvent[] = [];
  const narrator = createNarrator({ workspace: WORKSPACE }, (event) => {
    const one = readStreamEvent(JSON.parse(JSON.stringify(event)));
    if (one !== null) stream.push(one);
  });
  for (const event of events) narrator.emit(event);
  const facts = { elapsedMs: 7, workspace: WORKSPACE, resume: 'R', costBefore: undefined };
  narrator.end(messageResult(sent, state, facts));
  narrator.emit({ type: 'notice', level: 'info', text: 'too late' });
  return { model, stream, state, sent, records: recordsOfChat(world, session.id) };
}

const looking: Script = (_, n) => (n === 1 ? { calls: [read('a.txt')] } : 'It is long.');

describe('the stream of a message', () => {
  test('begins with who works and what it may do, and ends with the one result', async () => {
    const { stream, state } = await told(looking, { allow: ['make'], deny: ['git push'] });
    expect(stream[0]).toEqual({
      ...{ v: 1, run: state.run, type: 'started', version: expect.any(String) },
      ...{
        goal: null,
        workspace: WORKSPACE,
        number: 1,
        name: 'talk',
        resumed: false,
        driver: 'chat',
      },
      model: {
        ...{ provider: 'scripted', model: 'scripted:1b', profile: 'default' },
        ...{ toolMode: 'native', contextWindow: expect.any(Number) },
      },
      permissions: {
        ...{ builds: [], allow: ['run_cmd(make *)'], deny: ['run_cmd(git push)'] },
        ...{ asks: 'nobody', isConfined: false },
      },
    });
    expect(stream.at(-1)).toMatchObject({
      ...{ v: 1, run: state.run, type: 'result', exitCode: 0, ending: 'replied' },
      ...{ answer: 'It is long.', turns: 2, elapsedMs: 7, resume: null, error: null, why: null },
    });
    const ends = stream.filter(({ type }) => type === 'started' || type === 'result');
    expect(ends).toHaveLength(2);
    expect(new Set(stream.map(({ run }) => run))).toEqual(new Set([state.run]));
  });

  test('wraps every record once, and says what it means with the same number', async () => {
    const { stream, records } = await told(looking);
    const wrapped = stream.flatMap((event) => (event.type === 'record' ? [event.seq] : []));
    expect(wrapped).toEqual(records.slice(0, wrapped.length).map(({ seq }) => seq));
    for (const { seq } of stream) if (seq !== undefined) expect(wrapped).toContain(seq);
  });

  test('tells of a call as it is made, of its result whole, and of the requests of the message', async () => {
    const world = testWorld();
    world.write('a.txt', LONG);
    const { stream, model } = await told(looking, { maxToolResultChars: 30_000 }, world);
    const types = stream.map(({ type }) => type).filter((type) => type !== 'record');
    expect(types).toEqual([
      ...[
        'started',
        'person_said',
        'turn_started',
        'tool_call_ready',
        'turn_finished',
        'tool_started',
      ],
      ...['tool_result', 'turn_started', 'text_delta', 'turn_finished', 'message_ended', 'result'],
    ]);
    const asked = stream.flatMap((event) => (event.type === 'turn_started' ? [event] : []));
    expect(asked.map(({ turn, iteration }) => [turn, iteration])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const result = stream.find((event) => event.type === 'tool_result');
    expect(result).toMatchObject({ name: 'read_file', status: 'ok', durationMs: 0 });
    const content = model.requests[1]?.messages.at(-1)?.content ?? '';
    expect(content.length).toBeGreaterThan(8_192);
    expect(result).toMatchObject({ content });
  });

  test('says why there is no answer', async () => {
    const { stream, sent } = await told(() => ({ fails: { kind: 'auth_failed' } }));
    expect(sent.ending).toBe('failed');
    expect(stream.at(-1)).toMatchObject({
      ...{ type: 'result', exitCode: 7, ending: 'failed', why: 'auth_failed', answer: null },
      resume: 'R',
    });
  });

  test('says what would have been asked, and that nobody could be', async () => {
    const call = { name: 'write_file', args: { path: '.github/a.yml', content: 'a' } };
    const { stream } = await told((_, n) => (n === 1 ? { calls: [call] } : 'No.'));
    const asked = stream.find(({ type }) => type === 'permission_asked');
    expect(asked).toMatchObject({ tool: 'write_file', isNoted: true });
    expect(stream.at(-1)).toMatchObject({ exitCode: 6, ending: 'permission' });
  });
});

test('of a call that opened nothing is the result alone, of nobody', () => {
  const stream: StreamEvent[] = [];
  const narrator = createNarrator({ workspace: WORKSPACE }, (event) => void stream.push(event));
  narrator.end(errorBody({ exitCode: 8, code: 'E_LOCKED', message: 'M', hint: 'H' }, null));
  expect(stream).toMatchObject([{ v: 1, run: null, type: 'result', ending: 'error' }]);
});

test.each<[MessageEnding, number]>([
  ['replied', 0],
  ['limit', 4],
  ['permission', 6],
  ['refused', 7],
  ['failed', 7],
  ['interrupted', 130],
])('the exit code of a message that is %s is %i', (ending, code) => {
  expect(exitCodeOfMessage(ending, { lastTurn: null })).toBe(code);
});
