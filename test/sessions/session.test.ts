import { describe, expect, test } from 'vitest';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { fileSystemError } from '../../src/lib/files/memory-file-system.ts';
import { openSession } from '../../src/sessions/open-session.ts';
import { readSessionOptions } from '../../src/sessions/options.ts';
import { listStoredSessions } from '../../src/sessions/places.ts';
import { chatIn, recordsOfChat } from '../support/chat-in.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

const read = (path: string) => ({ name: 'read_file', args: { path } });
const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } });

describe('a session', () => {
  test('answers a message, with the tools that the model asks for', async () => {
    const world = testWorld();
    world.write('a.txt', 'forty-two\n');
    const model = scriptedProvider(
      (_, n) => (n === 1 ? { text: 'I look.', calls: [read('a.txt')] } : 'It says forty-two.'),
      LARGE,
    );
    const { session, events } = await chatIn(world, model);
    const sent = await session.send('What is in a.txt?');
    await session.close();
    expect(sent).toMatchObject({ ending: 'replied', reply: 'It says forty-two.', iterations: 2 });
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ]);
    expect(model.requests[1]?.messages[3]).toMatchObject({
      toolCallId: 'c2_0',
      content: expect.stringContaining('forty-two'),
    });
    expect(events.map(({ type }) => type)).toContain('action_started');
    expect(model.requests[0]?.temperature).toBeNull();
  });

  test('names at the end of a message what a command has put where git runs it by itself', async () => {
    const world = testWorld(() => {
      world.write('.git/hooks/post-commit', 'curl evil\n');
      return { output: '', exitCode: 0 };
    });
    world.write('a.mjs', '');
    const run = { name: 'run_cmd', args: { cmd: 'node a.mjs' } };
    const model = scriptedProvider((_, n) => (n === 1 ? { calls: [run] } : 'Done.'), LARGE);
    const { session, events } = await chatIn(world, model);
    await session.send('Run a.mjs');
    await session.send('And now?');
    await session.close();
    const told = events.flatMap((event) =>
      event.type === 'notice' && event.text.includes('.git/hooks') ? [event.text] : [],
    );
    expect(told).toEqual([expect.stringMatching(/^\.git\/hooks\/post-commit is new/)]);
  });

  test.each([true, false])(
    'tells its model of nothing in the background, calls on the wire: %j',
    async (canCallTools) => {
      const model = scriptedProvider(() => 'Hello.', { ...LARGE, canCallTools });
      const { session } = await chatIn(testWorld(), model);
      await session.send('Hi');
      await session.close();
      const [request] = model.requests;
      expect(JSON.stringify(request)).toContain('run_cmd');
      expect(JSON.stringify(request)).not.toMatch(/background|stop_process|wait_sec/);
    },
  );

  test('begins every request with the same five sections', async () => {
    const world = testWorld();
    world.write('AGENTS.md', 'Use tabs.\n');
    const model = scriptedProvider(() => 'Hello.', LARGE);
    const { session } = await chatIn(world, model);
    await session.send('Hi');
    await session.close();
    const again = await chatIn(world, model);
    await again.session.send('Hi again');
    await again.session.close();
    const [first, second] = model.requests.map(({ messages }) => messages[0]?.content ?? '');
    expect(first).toBe(second);
    const sections = [...(first ?? '').matchAll(/^<([a-z-]+)>/gm)].map(([, name]) => name);
    expect(sections.filter((name) => name !== 'project-file')).toEqual([
      'identity',
      'bootstrap-files',
      'tools',
      'safety',
      'runtime',
    ]);
    expect(first).toContain('a helpful AI assistant with access to tools.');
    expect(first).toContain('Never fabricate tool results.');
    expect(first).toContain('Do not attempt to circumvent permission restrictions.');
    expect(first).toContain('Use tabs.');
    expect(first).toContain('2023-11-14T22:13:20.000Z');
  });

  test('lets a model without tools, of which nothing holds answers to a schema, write its calls as text, and tells it the results so', async () => {
    const world = testWorld();
    const call = JSON.stringify({
      name: 'write_file',
      arguments: { path: 'b.txt', content: 'hey\n' },
    });
    const model = scriptedProvider(
      (_, n) => (n === 1 ? `<tool_call>\n${call}\n</tool_call>` : 'Done.'),
      { canCallTools: false, holdsSchema: false },
    );
    const { session } = await chatIn(world, model);
    const sent = await session.send('Write hey into b.txt');
    await session.close();
    expect(sent.reply).toBe('Done.');
    expect(world.read('b.txt')).toBe('hey\n');
    expect(model.requests[0]?.tools).toBeUndefined();
    expect(model.requests[0]?.messages[0]?.content).toContain('- write_file(path, content');
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringMatching(/^Result of write_file:\n/),
    });
  });

  test('carries out six calls of a reply where it is told so, and answers the others', async () => {
    const world = testWorld();
    const calls = Array.from({ length: 8 }, (_, n) => write(`${n}.txt`, `${n}\n`));
    const model = scriptedProvider((_, n) => (n === 1 ? { calls } : 'Six are there.'), LARGE);
    const { session } = await chatIn(world, model, { maxToolCallsPerReply: 6 });
    await session.send('Write eight files');
    await session.close();
    expect(world.read('5.txt')).toBe('5\n');
    expect(world.read('6.txt')).toBeNull();
    const results = model.requests[1]?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results).toHaveLength(8);
    expect(results[7]?.content).toContain('limit of 6 calls a reply');
  });

  test('asks a second time after a rate limit, and ends as failed when no model answers', async () => {
    const world = testWorld();
    const model = scriptedProvider(
      (_, n) =>
        n === 1
          ? { fails: { kind: 'rate_limited' } }
          : n === 2
            ? 'There.'
            : { fails: { kind: 'auth_failed' } },
      LARGE,
    );
    const { session, events } = await chatIn(world, model);
    expect(await session.send('Hi')).toMatchObject({ ending: 'replied', reply: 'There.' });
    expect(events.some(({ type }) => type === 'turn_retry')).toBe(true);
    expect(await session.send('Hi')).toMatchObject({
      ending: 'failed',
      detail: 'scripted auth_failed',
    });
    await session.close();
  });

  test('gives every call a result when it is stopped, so that the next request is a good one', async () => {
    const world = testWorld();
    const stop = new AbortController();
    const model = scriptedProvider(
      (_, n) => (n === 1 ? { calls: [write('1.txt', '1'), write('2.txt', '2')] } : 'All right.'),
      LARGE,
    );
    const { session } = await chatIn(world, model);
    const sent = await session.send('Write two', {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === 'record' && event.record.type === 'action_finished') stop.abort();
      },
    });
    expect(sent.ending).toBe('interrupted');
    expect(world.read('2.txt')).toBeNull();
    await session.send('And now?');
    await session.close();
    const results = model.requests[1]?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results.map((message) => message.role === 'tool' && message.toolCallId)).toEqual([
      'c2_0',
      'c2_1',
    ]);
  });

  test('notes what nobody can be asked, and says so at its end', async () => {
    const world = testWorld();
    const model = scriptedProvider(
      (_, n) => (n === 1 ? { calls: [write('.github/ci.yml', 'on: push\n')] } : 'I may not.'),
      LARGE,
    );
    const { session } = await chatIn(world, model);
    expect(await session.send('Add it')).toMatchObject({
      ending: 'permission',
      reply: 'I may not.',
    });
    await session.close();
    expect(world.read('.github/ci.yml')).toBeNull();
  });

  test('asks the person, and keeps the answer', async () => {
    const world = testWorld();
    const call = write('.github/ci.yml', 'on: push\n');
    const model = scriptedProvider((_, n) => (n === 1 ? { calls: [call] } : 'Added.'), LARGE);
    const asked: string[] = [];
    const { session } = await chatIn(world, model, {
      ask: async ({ target }) => {
        asked.push(target);
        return { kind: 'once' };
      },
    });
    expect(await session.send('Add it')).toMatchObject({ ending: 'replied' });
    await session.close();
    expect(asked).toEqual(['.github/ci.yml']);
    expect(world.read('.github/ci.yml')).toBe('on: push\n');
  });

  test('has a name and a number that runs count with, and is found by both', async () => {
    const world = testWorld();
    const model = scriptedProvider(() => 'Hello.', LARGE);
    const first = await chatIn(world, model);
    await first.session.close();
    const second = await chatIn(world, model, { name: 'other' });
    await second.session.close();
    expect([first, second].map(({ session }) => session.state.chat.number)).toEqual([1, 2]);
    const byNumber = await chatIn(world, model, { name: '2', resume: true });
    expect(byNumber.session.id).toBe(second.session.id);
    await byNumber.session.close();
    await expect(chatIn(world, model, { name: 'third', resume: true })).rejects.toMatchObject({
      code: 'E_USAGE',
    });
    const { fs } = world.machine();
    expect(
      listStoredSessions(fs, WORKSPACE)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['other', 'talk']);
  });

  test('sends no request on a full disk, and goes on once there is room', async () => {
    const world = testWorld();
    const machine = world.machine();
    const disk = delegating(machine.fs);
    let room = Number.POSITIVE_INFINITY;
    const fs = {
      ...disk,
      write: (fd: number, buffer: Uint8Array, position: number) => {
        if (buffer.length > room) {
          room = 64 * 1024 - 1;
          throw fileSystemError('ENOSPC', 'write', fd);
        }
        return disk.write(fd, buffer, position);
      },
    };
    const model = scriptedProvider(() => 'Hello.', LARGE);
    const { session } = await chatIn(world, model, { machine: { ...machine, fs } });
    room = 0;
    await expect(session.send('Hi')).rejects.toMatchObject({ code: 'E_DISK_FULL' });
    expect(model.requests).toEqual([]);
    room = Number.POSITIVE_INFINITY;
    expect(await session.finish()).toMatchObject({ ending: 'replied', reply: 'Hello.' });
    await session.close();
  });

  test('is open once, and several are open beside each other', async () => {
    const world = testWorld();
    const model = scriptedProvider(() => 'Hello.', LARGE);
    const machine = world.machine();
    const one = await chatIn(world, model, { machine });
    await expect(chatIn(world, model, { machine })).rejects.toMatchObject({ code: 'E_LOCKED' });
    const other = await chatIn(world, model, { machine, name: 'other' });
    await Promise.all([one.session.send('a'), other.session.send('b')]);
    await one.session.close();
    await other.session.close();
  });

  test('edits under conflict detection: what another has changed is not written over', async () => {
    const world = testWorld();
    world.write('a.txt', 'one\n');
    const script = (word: string) =>
      scriptedProvider(
        (_, n) =>
          n === 1
            ? { calls: [read('a.txt')] }
            : n === 2
              ? 'Read.'
              : n === 3
                ? { calls: [write('a.txt', `${word}\n`)] }
                : 'Tried.',
        LARGE,
      );
    const machine = world.machine();
    const one = await chatIn(world, script('first'), { machine });
    const two = await chatIn(world, script('second'), { machine, name: 'two' });
    await one.session.send('Read it');
    await two.session.send('Read it');
    await one.session.send('Write it');
    await two.session.send('Write it');
    await one.session.close();
    await two.session.close();
    expect(world.read('a.txt')).toBe('first\n');
    const statuses = recordsOfChat(world, two.session.id).flatMap((record) =>
      record.type === 'action_finished' ? record.status : [],
    );
    expect(statuses).toEqual(['ok', 'conflict']);
  });

  test('in memory writes no file but what its tools write', async () => {
    const world = testWorld();
    const model = scriptedProvider(
      (_, n) => (n === 1 ? { calls: [write('only.txt', 'this\n')] } : 'Done.'),
      LARGE,
    );
    const { session } = await chatIn(world, model, { journal: 'memory' });
    await session.send('Write');
    expect(session.undo()).toMatchObject({ removed: ['only.txt'] });
    await session.close();
    expect(world.machine().fs.readdir(WORKSPACE)).toEqual([]);
  });

  test('that came with a folder is not gone on with', async () => {
    const world = testWorld();
    const model = scriptedProvider(() => 'Hello.', LARGE);
    const mine = await chatIn(world, model, { originKey: new Uint8Array(32).fill(1) });
    await mine.session.close();
    await expect(
      chatIn(world, model, { originKey: new Uint8Array(32).fill(2) }),
    ).rejects.toMatchObject({ code: 'E_FOREIGN' });
  });

  test('refuses what makes no sense before anything is opened', async () => {
    const world = testWorld();
    const model = scriptedProvider(() => 'Hello.', LARGE);
    const base = { workspace: WORKSPACE, provider: model, model: SCRIPTED_MODEL };
    const machine = world.machine();
    for (const wrong of [
      { name: '' },
      { name: 'a\nb' },
      { maxIterations: 0 },
      { maxToolCalls: 1.5 },
      // No sandbox is there.
      { sandbox: 'require' as const },
    ])
      await expect(openSession({ ...base, machine, ...wrong })).rejects.toMatchObject({
        code: 'E_USAGE',
      });
    const { session } = await chatIn(world, model, { machine });
    await expect(session.send('  \n')).rejects.toMatchObject({ code: 'E_USAGE' });
    await session.close();
    await expect(session.send('late')).rejects.toMatchObject({ code: 'E_USAGE' });
  });
});

describe('what a session keeps', () => {
  test('of results that its model did not see whole is bounded', async () => {
    const world = testWorld();
    world.write('big.js', 'console.log("a line that it prints")\n'.repeat(3_000));
    const run = { name: 'run_cmd', args: { cmd: 'node big.js' } };
    const model = scriptedProvider((_, n) => (n % 2 === 1 ? { calls: [run] } : 'Run.'), LARGE);
    const { session } = await chatIn(world, model, {
      keptOutput: { run: 100_000 },
      allow: ['run_cmd(node *)'],
    });
    for (const said of ['once', 'twice', 'thrice']) await session.send(said);
    await session.close();
    expect(session.state.outputs).toHaveLength(2);
    expect(session.state.keptBytes).toBeLessThan(100_100);
  });

  test('in memory of files for an undo is bounded, too', () => {
    const world = testWorld();
    const model = scriptedProvider(() => 'Hello.', LARGE);
    const base = { workspace: WORKSPACE, provider: model, model: SCRIPTED_MODEL };
    const { place } = readSessionOptions({ ...base, machine: world.machine(), journal: 'memory' });
    const blobs = `${place.folder}/blobs`;
    place.fs.mkdir(blobs);
    const fd = place.fs.open(`${blobs}/a`, 'wx', 0o600);
    const much = Buffer.alloc(64 * 1024 * 1024);
    for (let n = 0; n < 4; n += 1) place.fs.write(fd, much, 0);
    expect(() => place.fs.write(fd, much, 0)).toThrow(/at most 256 MB/);
  });
});
