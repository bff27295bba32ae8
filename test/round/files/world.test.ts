/** The folder as a model is told it. */
import { describe, expect, it } from 'vitest';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import { visibleWorld, worldOf } from '../../../src/round/files/world.ts';
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

it('looks at the folder of many names once, and twice at no part of a name', () => {
  const { fs } = project().machine();
  const looks: string[] = [];
  const lstat = (path: string) => {
    looks.push(path);
    return fs.lstat(path);
  };
  const names = ['lib/kept.py', 'lib/gone.py', 'lib/none/deep.py', 'app.py/inside.py', '../out.py'];
  const world = worldOf({ ...delegating(fs), lstat }, WORKSPACE);
  expect([...world.whichExist(names)]).toEqual(['lib/kept.py']);
  expect(looks.filter((path) => path.endsWith('lib'))).toHaveLength(1);
  looks.length = 0;
  expect(names.filter((name) => world.exists(name))).toEqual(['lib/kept.py']);
  world.exists('lib/gone.py');
  expect(looks.slice(-2).every((path, at) => path.endsWith(['lib', 'gone.py'][at] ?? ''))).toBe(
    true,
  );
});

it('in one look sizes and reads files of a folder without looking at anything twice', () => {
  const { fs } = project().machine();
  const looks: string[] = [];
  const lstat = (path: string) => {
    looks.push(path);
    return fs.lstat(path);
  };
  const look = worldOf({ ...delegating(fs), lstat }, WORKSPACE).oneLook?.();
  const seen = ['lib/kept.py', 'lib/cached'].map((name) => [
    look?.size(name),
    look?.readText(name),
  ]);
  expect(seen).toEqual([
    [6, 'x = 1\n'],
    [2, '1\n'],
  ]);
  expect(looks).toHaveLength(new Set(looks).size);
});

it('shows in one look no text of a file that is held back', () => {
  const { fs } = project().machine();
  const shown = visibleWorld(worldOf(fs, WORKSPACE), 'x', (path) => path !== 'lib/kept.py');
  const look = shown.oneLook?.();
  expect([look?.readText('lib/kept.py'), look?.readText('app.py')]).toEqual([null, 'print(1)\n']);
  expect(look?.needsApproval?.('lib/kept.py')).toBe(true);
});
