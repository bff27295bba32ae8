import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as library from '../../../src/index.ts';

const GOAL = 'Write greeting.txt with hello in it';
const MODEL = 'played';
const call = (name: string, args: object) => ({ calls: [{ name, args: { ...args } }] });
const PLAN = {
  tasks: [{ description: 'greet', subtasks: [{ do: 'write it', files: ['greeting.txt'] }] }],
};
const write = (content: string) => call('write_file', { path: 'greeting.txt', content });
const DONE = call('mark_subtask_complete', { success: true, reason: 'written' });
const model = (content = 'hello\n') =>
  library.playedProvider([call('set_plan', PLAN), write(content), DONE]);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tardigrade-memory-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const files = () => readdirSync(folder).sort();
const text = () => readFileSync(join(folder, 'greeting.txt'), 'utf8');

describe('a journal in memory', () => {
  test('leaves nothing but what tools wrote, and knows the run as long as it is held', async () => {
    const journal = library.memoryJournal();
    const where = { workspace: folder, journal };
    const run = library.runGoal({ ...where, goal: GOAL, provider: model(), model: MODEL });
    const outcome = await run;
    expect(outcome.files).toEqual(['greeting.txt']);
    expect([files(), text()]).toEqual([['greeting.txt'], 'hello\n']);
    const seen: number[] = [];
    for await (const event of run.events({ from: 'start' }))
      if (event.type === 'record') seen.push(event.record.seq);
    expect(seen).toEqual([...Array(outcome.state.seq).keys()].map((at) => at + 1));
    expect(await library.status(where)).toMatchObject({ standing: outcome.ending });
    // Nobody else knows of it.
    expect(await library.status({ workspace: folder })).toBeNull();
    expect(await library.undo(where)).toMatchObject({ removed: ['greeting.txt'] });
    expect(files()).toEqual([]);
  });

  test('takes no lock: two runs in one folder know nothing of each other, but of the files', async () => {
    const ends = await Promise.all(
      [library.memoryJournal(), library.memoryJournal()].map((journal) =>
        library.runGoal({
          workspace: folder,
          journal,
          goal: GOAL,
          provider: model(),
          model: MODEL,
        }),
      ),
    );
    expect(ends.map(({ state }) => state.counters.turns)).toEqual([3, 3]);
    expect([files(), text()]).toEqual([['greeting.txt'], 'hello\n']);
  });

  test('goes on with a run that was paused', async () => {
    const where = { workspace: folder, journal: library.memoryJournal() };
    const [plan, ...rest] = [call('set_plan', PLAN), write('hello\n'), DONE];
    const first = library.playedProvider(plan ? [plan] : []);
    const paused = await library.runGoal({
      ...where,
      goal: GOAL,
      provider: first,
      model: MODEL,
      maxRounds: 1,
    });
    expect(paused.ending).toBe('paused');
    const provider = library.playedProvider(rest);
    const outcome = await library.resumeRun({ ...where, provider, model: MODEL });
    expect(outcome.state.run).toBe(paused.state.run);
    expect(text()).toBe('hello\n');
  });

  test('refuses a write whose before-image it cannot keep, and forgets nothing', async () => {
    writeFileSync(join(folder, 'greeting.txt'), `old ${'x'.repeat(1500)}\n`);
    const journal = library.memoryJournal({ mostMB: 0.001 });
    const provider = library.playedProvider([
      call('set_plan', PLAN),
      call('read_file', { path: 'greeting.txt' }),
      write('hello\n'),
      DONE,
    ]);
    const outcome = await library.runGoal({
      workspace: folder,
      journal,
      goal: GOAL,
      provider,
      model: MODEL,
    });
    expect(outcome).toMatchObject({ ending: 'paused', why: 'disk_full', exitCode: 8 });
    expect(outcome.detail).toContain('A journal in memory keeps at most');
    expect(text()).toMatch(/^old /);
  });
});

test('a run inside a test needs no folder and no model', async () => {
  const world = library.memoryWorkspace({ 'src/notes.txt': 'lamps: 7\n' });
  const run = library.runGoal({ ...world, goal: GOAL, provider: model(), model: MODEL });
  expect(await run).toMatchObject({ files: ['greeting.txt'] });
  expect(world.read('greeting.txt')).toBe('hello\n');
  expect(world.read('src/notes.txt')).toBe('lamps: 7\n');
  expect(world.read('nothing')).toBeNull();
});

test('a model that has no further reply says so', async () => {
  const { workspace, machine } = library.memoryWorkspace();
  const provider = library.playedProvider([]);
  const run = library.runGoal({ workspace, machine, goal: GOAL, provider, model: MODEL });
  expect(await run).toMatchObject({ ending: 'paused', why: 'provider_unavailable' });
  expect((await run).detail).toContain('0 replies');
});
