import { describe, expect, test } from 'vitest';
import {
  type ConversationOptions,
  createSession,
} from '../../../src/host/library/create-session.ts';
import { listSessions, transcript } from '../../../src/host/library/queries.ts';
import { exportedEvents } from '../../../src/host/log/export-events.ts';
import { readStreamEvent, type StreamEvent } from '../../../src/schema/events/stream.ts';
import type { Message } from '../../../src/schema/model/messages.ts';
import { readMessages } from '../../../src/sessions/transcripts/imported-messages.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type Script,
  scriptedProvider,
} from '../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

function stage(script: Script = (_, n) => `Answer ${n}.`) {
  const world = testWorld();
  const provider = scriptedProvider(script, LARGE);
  const options = { workspace: WORKSPACE, provider, model: SCRIPTED_MODEL, name: 'mine' };
  const open = (more: Partial<ConversationOptions> = {}) =>
    createSession({ ...options, machine: world.machine(), ...more });
  return { world, provider, open };
}

const read = { calls: [{ name: 'read_file', args: { path: 'a.txt' } }] };

async function heard(call: AsyncIterable<StreamEvent>): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of call) events.push(event);
  return events;
}

test('a session answers, is closed, and goes on by its name', async () => {
  const { open, provider } = stage();
  const first = await open();
  expect([first.name, first.number]).toEqual(['mine', 1]);
  expect(await first.send('One')).toMatchObject({
    ...{ ending: 'replied', reply: 'Answer 1.', answer: 'Answer 1.', exitCode: 0 },
  });
  await first.close();
  const second = await open({ resume: true });
  expect([second.id, second.isOpen]).toEqual([first.id, false]);
  await second.send('Two');
  expect(second.messages().map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'user', 'assistant'],
  ]);
  await second.close();
  expect(JSON.stringify(provider.requests[1]?.messages)).toContain('Answer 1.');
});

describe('a message is a long call', () => {
  test('whose events begin with who works, and whose last one says what the promise says', async () => {
    const { open, world } = stage((_, n) => (n === 1 ? read : 'It says 42.'));
    world.write('a.txt', '42\n');
    const session = await open();
    const call = session.send('What is it?');
    const events = await heard(call);
    const { iterations, ...outcome } = await call;
    await session.close();
    for (const event of events) expect(readStreamEvent(event)).toEqual(event);
    expect(events[0]).toMatchObject({ type: 'started', run: session.id, number: 1 });
    const last = events.at(-1);
    if (last?.type !== 'result') throw new Error('no result');
    const { v: _v, type: _type, ...body } = last;
    expect({ ...outcome, hint: null, run: session.id }).toMatchObject(body);
    expect(iterations).toBe(2);
    expect(events.filter(({ type }) => type === 'result')).toHaveLength(1);
  });

  test('the second of a session tells of itself alone, and of what happened in between', async () => {
    const all: StreamEvent[] = [];
    const { open } = stage();
    const session = await open({ onEvent: (event) => all.push(event) });
    const first = await heard(session.send('One'));
    session.allow('make');
    const second = await heard(session.send('Two'));
    await session.close();
    expect(all).toEqual([...first, ...second]);
    expect(first[0]).toMatchObject({ type: 'started', resumed: false, permissions: { allow: [] } });
    expect(second[0]).toMatchObject({
      ...{ type: 'started', resumed: true },
      permissions: { allow: ['run_cmd(make *)'] },
    });
    const seqs = [...first, ...second].flatMap(({ type, seq = 0 }) =>
      type === 'record' ? [seq] : [],
    );
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    expect(second.find(({ type }) => type === 'permission_answered')).toMatchObject({
      rule: 'run_cmd(make *)',
    });
  });

  test('from its start is told by the journal to whoever comes late', async () => {
    const { open } = stage();
    const session = await open();
    const kept = (events: readonly StreamEvent[]) =>
      events.filter(({ type, seq }) => seq !== undefined || /^(started|result)$/.test(type));
    const calls = [];
    for (const text of ['One', 'Two']) {
      const call = session.send(text);
      calls.push({ call, live: await heard(call) });
    }
    for (const { call, live } of calls)
      expect(kept(await heard(call.events({ from: 'start' })))).toEqual(kept(live));
    await session.close();
  });

  test('goes on where nobody listens any more, and is stopped by abort', async () => {
    let letGo = (): void => {};
    const waits = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { open, provider } = stage();
    const slow = {
      ...provider,
      async *stream(...args: Parameters<typeof provider.stream>) {
        await waits;
        yield* provider.stream(...args);
      },
    };
    const session = await open({ provider: slow });
    const left = session.send('One');
    for await (const event of left) if (event.type === 'turn_started') break;
    letGo();
    expect((await left).reply).toBe('Answer 1.');
    const stopped = session.send('Two', {
      onEvent: ({ type }) => type === 'turn_started' && stopped.abort(),
    });
    expect(await stopped).toMatchObject({ ending: 'interrupted', exitCode: 130 });
    expect((await session.send('Three')).ending).toBe('replied');
    await session.close();
  });

  test('goes on behind a crash with what was cut off, and tells of that alone', async () => {
    const { open, world, provider } = stage((_, n) => (n === 1 ? read : 'It says 42.'));
    world.write('a.txt', '42\n');
    const dying = world.machine();
    const first = await open({
      machine: dying,
      onEvent: ({ type }) => {
        if (type === 'tool_started') dying.kill();
      },
    });
    await expect(first.send('What is it?')).rejects.toThrow('the process was killed');
    const second = await open({ resume: true });
    expect([second.id, second.isOpen]).toEqual([first.id, true]);
    const call = second.goOn();
    const events = await heard(call);
    expect(await call).toMatchObject({ ending: 'replied', reply: 'It says 42.', exitCode: 0 });
    expect(second.isOpen).toBe(false);
    expect(events[0]).toMatchObject({ type: 'started', run: first.id, resumed: true });
    expect(events.at(-1)).toMatchObject({ type: 'result', ending: 'replied' });
    expect(provider.requests).toHaveLength(2);
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool' });
    await second.close();
  });

  test('rejects what cannot be said now, in the promise and in the iterator, and tells why', async () => {
    const { open } = stage();
    const session = await open();
    const first = session.send('One');
    const second = session.send('Two');
    const told: StreamEvent[] = [];
    const iterated = (async () => {
      for await (const event of second) told.push(event);
    })();
    await expect(second).rejects.toMatchObject({ code: 'E_USAGE' });
    await expect(iterated).rejects.toMatchObject({ code: 'E_USAGE' });
    expect(told).toMatchObject([{ type: 'result', run: session.id, exitCode: 2 }]);
    expect((await first).ending).toBe('replied');
    expect(await session.goOn()).toBeNull();
    expect(await heard(session.goOn())).toEqual([]);
    await session.close();
    await expect(session.send('Three')).rejects.toMatchObject({ code: 'E_USAGE' });
  });
});

test.each([
  [5, {}, 'The message is not a text.'],
  ['One', null, 'what send takes must be an object.'],
  ['One', { signal: 5 }, 'signal must be an AbortSignal.'],
  ['One', { onEvent: 5 }, 'onEvent must be a function.'],
  ['One', { maxTokens: 5 }, 'send has no option "maxTokens".'],
])('send(%j, %j) rejects with E_USAGE, and nothing is said', async (text, how, message) => {
  const { open, provider } = stage();
  const session = await open();
  const sent = session.send(text as never, how as never);
  await expect(sent).rejects.toMatchObject({ code: 'E_USAGE', message });
  expect(provider.requests).toEqual([]);
  await session.close();
});

test('what a person can do in a conversation, a program can', async () => {
  const write = { calls: [{ name: 'write_file', args: { path: 'b.txt', content: 'b\n' } }] };
  const { open, world } = stage((_, n) => (n === 1 ? write : 'Done.'));
  const session = await open();
  expect(session.tools.map(({ name }) => name)).toContain('write_file');
  await session.send('Write');
  expect([...session.changes()].map(({ path }) => path)).toEqual(['b.txt']);
  session.remember('Use tabs.');
  expect(world.read('AGENT.md')).toBe('* Use tabs.\n');
  expect(session.undo()?.removed).toEqual(['b.txt']);
  expect(session.contextTokens).toBeGreaterThan(0);
  await session.close();
});

test.each([[{ workspace: 5 }], [{ model: undefined }], [{ resume: true, name: 'nobody' }]])(
  'refuses %j with E_USAGE',
  async (wrong) => {
    const { open } = stage();
    await expect(open({ model: 'no such/model', ...wrong } as never)).rejects.toMatchObject({
      code: 'E_USAGE',
    });
  },
);

describe('messages that were said elsewhere', () => {
  const before: readonly Message[] = [
    { role: 'system', content: 'You are somebody else.' },
    { role: 'user', content: 'What is in a.txt?' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c1', name: 'write_file', args: { path: 'a.txt', content: '42' } }],
    },
    { role: 'tool', content: 'Wrote 2 chars', toolCallId: 'c1', toolName: 'write_file' },
    { role: 'assistant', content: 'It says 42.' },
    { role: 'user', content: 'Thank you.' },
  ];

  test('are the first ones of a session that begins, and stay when it goes on', async () => {
    const told: StreamEvent[] = [];
    const { open, provider } = stage();
    const first = await open({ messages: before, onEvent: (event) => void told.push(event) });
    expect(first.isOpen).toBe(false);
    expect([...first.changes()]).toEqual([]);
    expect(first.undo()).toBeNull();
    await first.send('And now?');
    await first.close();
    const asked = provider.requests[0]?.messages ?? [];
    expect(asked.slice(1)).toEqual([...before.slice(1), { role: 'user', content: 'And now?' }]);
    expect(JSON.stringify(asked[0])).not.toContain('somebody else');
    const turns = told.filter(({ type }) => type === 'turn_finished');
    expect(turns).toHaveLength(1);
    const second = await open({ resume: true });
    expect(second.messages()).toHaveLength(7);
    await second.close();
    await expect(open({ messages: before })).rejects.toThrow('has its own messages');
  });

  test('are written down with who said them where that is known, and never with another', async () => {
    const { open, world } = stage();
    const elsewhere = readMessages('{"role":"assistant","content":"A","model":"far:large"}');
    const session = await open({ messages: [...before, ...elsewhere] });
    await session.send('And now?');
    await session.close();
    const models: unknown[] = [];
    const where = { workspace: WORKSPACE, machine: world.machine() };
    for await (const line of transcript({ ...where, session: 'mine' }))
      if (line.type === 'message' && line.role === 'assistant') models.push(line.model);
    const here = `scripted:${SCRIPTED_MODEL}`;
    expect(models).toEqual([undefined, undefined, 'far:large', here]);
    const events = [...exportedEvents(where.machine.fs, WORKSPACE, session.id)];
    expect(
      events.flatMap(({ event, model }) => (event === 'assistant_message' ? model : [])),
    ).toEqual(['', '', 'far:large', SCRIPTED_MODEL]);
  });

  test('that are none are refused before anything is there', async () => {
    const { open, world } = stage();
    await expect(open({ messages: [{ role: 'king' }] as never })).rejects.toMatchObject({
      code: 'E_USAGE',
    });
    expect(await listSessions({ workspace: WORKSPACE, machine: world.machine() })).toEqual([]);
  });
});

test('the sessions of a folder are listed, and what was said in one is told', async () => {
  const { open, world } = stage();
  const session = await open();
  await session.send('One');
  await session.close();
  const where = { workspace: WORKSPACE, machine: world.machine() };
  expect(await listSessions(where)).toMatchObject([{ id: session.id, name: 'mine', number: 1 }]);
  const lines = [];
  for await (const line of transcript({ ...where, session: 'mine' })) lines.push(line);
  expect(lines).toMatchObject([
    { type: 'session', session: session.id },
    { type: 'message', role: 'user', content: 'One' },
    { type: 'message', role: 'assistant', content: 'Answer 1.' },
  ]);
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  expect(readMessages(text)).toMatchObject(session.messages());
  await expect(transcript({ ...where, session: 'nobody' }).next()).rejects.toMatchObject({
    code: 'E_USAGE',
  });
});
