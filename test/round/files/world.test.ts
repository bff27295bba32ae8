/** The folder as a model is told it. */
import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../../src/lib/files/file-system.ts';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import { visibleWorld, worldOf } from '../../../src/round/files/world.ts';
import { ignoredByProject } from '../../../src/workspace/git-ignored.ts';
import { runIn } from '../../support/run-in.ts';
import { LARGE, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const project = () => {
  const world = testWorld();
  world.write('.gitignore', 'out/\n*.gen.txt\n');
  world.write('app.py', 'print(1)\n');
  world.write('out/app.js', '1\n');
  world.write('rows.gen.txt', '1\n');
  world.write('lib/.gitignore', '/cached\n');
  world.write('lib/cached', '1\n');
  world.write('lib/kept.py', 'x = 1\n');
  return world;
};

const WHO = [
  ['leads', LARGE],
  ['is led', {}],
] as const;

/** What its first request says, files that are shown whole apart. */
async function toldFirst(goal: string, model: object): Promise<string> {
  const provider = scriptedProvider(() => 'No.', model);
  await runIn(project(), provider, { goal, maxRounds: 1 });
  return provider.requests[0]?.messages.map(({ content }) => content).join('\n') ?? '';
}

describe.each(WHO)('a model that %s', (_who, model) => {
  it('is not told of files that git leaves out', async () => {
    const told = await toldFirst('Make the app print 2', model);
    expect(told).toContain('app.py');
    expect(told).toContain('lib/kept.py');
    expect(told).not.toContain('app.js');
    expect(told).not.toContain('rows.gen.txt');
    expect(told).not.toContain('lib/cached');
  });

  it.each(['Count the lines of rows.gen.txt, see out', '统计rows.gen.txt的行数，参见out/app.js。'])(
    'is told of one that the goal names: %s',
    async (goal) => {
      const told = await toldFirst(goal, model);
      expect(told).toMatch(/^.*(FOLDER|Files here)[\s\S]*rows\.gen\.txt/m);
      expect(told).toContain('out/app.js');
    },
  );
});

/** What a view shows of a project, and everything that it examined, listed and opened for that. */
function lookedAt() {
  const { fs } = project().machine();
  const looks: string[] = [];
  const noted =
    <Found>(how: string, find: (path: string) => Found) =>
    (path: string): Found => {
      looks.push(`${how} ${path}`);
      return find(path);
    };
  const seen: FileSystem = {
    ...delegating(fs),
    lstat: noted('lstat', (path) => fs.lstat(path)),
    readdir: noted('readdir', (path) => fs.readdir(path)),
    open: (path, flags, mode) => noted('open', (one) => fs.open(one, flags, mode))(path),
  };
  return { world: worldOf(seen, WORKSPACE), looks };
}

it('is told of what git leaves out behind all else, however much of it the goal names', () => {
  const world = project();
  for (const name of ['a', 'b', 'c']) world.write(`out/${name}.js`, '1\n');
  const { fs } = world.machine();
  const { listed } = worldOf(fs, WORKSPACE, ignoredByProject(fs, WORKSPACE));
  const kept = ['.gitignore', 'app.py', 'lib/.gitignore', 'lib/kept.py'];
  const behind = ['out/a.js', 'out/app.js', 'out/b.js', 'out/c.js'];
  expect(listed(9, 'build into out')).toEqual([...kept, ...behind]);
  expect(listed(4, 'build into out')).toEqual(kept);
});

it('shows one moment: nothing that is there is examined, judged, listed or opened twice for it', () => {
  const { world, looks } = lookedAt();
  const judged: string[] = [];
  const view = visibleWorld(world, 'x', (path) => judged.push(path) > 0);
  const names = ['lib/kept.py', 'lib/cached', 'lib/gone.py', 'lib/none/deep.py', 'app.py/in.py'];
  const look = () =>
    names.map((name) => [
      view.exists(name),
      view.size(name),
      view.readText(name),
      view.needsApproval?.(name),
    ]);
  const none = [false, null, null, false];
  const found = [[true, 6, 'x = 1\n', false], [true, 2, '1\n', false], none, none, none];
  expect([look(), look()]).toEqual([found, found]);
  expect(view.files(9)).toEqual(view.files(9));
  const isThere = (look: string) => !/gone|none|in\.py/.test(look);
  expect(looks.filter(isThere).sort()).toEqual([...new Set(looks.filter(isThere))].sort());
  expect(judged).toEqual(names);
  looks.length = 0;
  world.exists('lib/kept.py');
  world.exists('lib/kept.py');
  expect(looks).toHaveLength(2 * new Set(looks).size);
});

it('shows no text of a file that is held back', () => {
  const { world } = lookedAt();
  const view = visibleWorld(world, 'x', (path) => path !== 'lib/kept.py');
  expect([view.readText('lib/kept.py'), view.readText('app.py')]).toEqual([null, 'print(1)\n']);
  expect(view.needsApproval?.('lib/kept.py')).toBe(true);
});
