import { expect, test } from 'vitest';
import { chatIn } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const read = (path: string) => ({ name: 'read_file', args: { path } });
const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } });

test('a session is undone message by message, and says what stands on a change', async () => {
  const world = testWorld();
  world.write('a.txt', 'as it was\n');
  const model = scriptedProvider((request, n) => {
    if (n === 1) return { calls: [read('a.txt')] };
    if (n === 2) return { calls: [write('a.txt', 'changed\n'), write('new.txt', 'new\n')] };
    return request.messages.at(-1)?.role === 'tool' ? 'Changed.' : 'Fine.';
  }, LARGE);
  const { session } = await chatIn(world, model);
  await session.send('Change it');
  world.write('new.txt', 'by somebody else\n');
  const report = session.undo();
  expect(report).toMatchObject({
    restored: ['a.txt'],
    leftAlone: [{ path: 'new.txt', why: 'it was changed since' }],
  });
  expect(world.read('a.txt')).toBe('as it was\n');
  expect(session.undo()).toBeNull();
  await session.send('What now?');
  await session.close();
  expect(model.requests.at(-1)?.messages.at(-2)?.content).toContain('put these files back');
});

test.each(['message', 'undo', 'start'])(
  'a session goes on with an undo that was left off before the next %s, and the model hears of it once',
  async (next) => {
    const world = testWorld();
    const model = scriptedProvider(
      (_, n) => (n === 1 ? { calls: [write('a.txt', 'a\n'), write('b.txt', 'b\n')] } : 'Fine.'),
      LARGE,
    );
    const left = (): (string | null)[] => [world.read('a.txt'), world.read('b.txt')];
    const first = await chatIn(world, model);
    await first.session.send('Make them');
    const work = first.session.undoing();
    while (!left().includes(null)) work.next();
    expect(() => work.throw(new Error('Ctrl+C'))).toThrow('Ctrl+C');
    expect(left().filter((text) => text === null)).toHaveLength(1);
    if (next === 'undo') first.session.undo();
    if (next === 'start') await first.session.close();
    const { session } = next === 'start' ? await chatIn(world, model) : first;
    await session.send('What now?');
    await session.close();
    expect(left()).toEqual([null, null]);
    const told = model.requests
      .at(-1)
      ?.messages.filter(({ content }) => content.includes('put these files back'));
    expect(told?.map(({ content }) => content.match(/[ab]\.txt/g))).toEqual([
      expect.arrayContaining(['a.txt', 'b.txt']),
    ]);
  },
);

test('a session puts back what an earlier message wrote and a command of a later one replaced', async () => {
  const world = testWorld((_args, _stdin, _read, put) => {
    put('report.md', 'by the command\n');
    return { output: '', exitCode: 0 };
  });
  world.write('report.md', 'of the user\n');
  const run = { name: 'run_cmd', args: { cmd: 'node tidy.mjs' } };
  const model = scriptedProvider((request, n) => {
    if (n === 1) return { calls: [read('report.md')] };
    if (n === 2) return { calls: [write('report.md', 'by the first message\n')] };
    if (n === 4) return { calls: [run] };
    return request.messages.at(-1)?.role === 'tool' ? 'Changed.' : 'Fine.';
  }, LARGE);
  const { session } = await chatIn(world, model, { allow: ['run_cmd(node *)'] });
  await session.send('Change it');
  await session.send('Tidy up');
  expect(world.read('report.md')).toBe('by the command\n');
  expect(session.undo()).toMatchObject({ restored: ['report.md'], leftAlone: [] });
  expect(world.read('report.md')).toBe('by the first message\n');
  expect(session.undo()).toMatchObject({ restored: ['report.md'], leftAlone: [] });
  expect(world.read('report.md')).toBe('of the user\n');
  await session.close();
});

test('a message that is still worked on is not undone: first it is brought to its end', async () => {
  const world = testWorld();
  const model = scriptedProvider(
    (_, n) => (n === 1 ? { calls: [write('a.txt', 'a\n'), write('b.txt', 'b\n')] } : 'Made.'),
    LARGE,
  );
  const dying = world.machine();
  const { session } = await chatIn(world, model, {
    machine: dying,
    onEvent: (event) => {
      if (event.type === 'record' && event.record.type === 'action_finished') dying.kill();
    },
  });
  await expect(session.send('Make them')).rejects.toThrow('the process was killed');
  const { session: next } = await chatIn(world, model);
  expect(() => next.undo()).toThrow('The model is working on a message.');
  expect(world.read('a.txt')).toBe('a\n');
  await next.goOn();
  next.undo();
  expect([world.read('a.txt'), world.read('b.txt')]).toEqual([null, null]);
  await next.close();
});
