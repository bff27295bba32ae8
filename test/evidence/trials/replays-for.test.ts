/** Whether all that a command runs is as it was before the run. */
import { describe, expect, it } from 'vitest';
import { isAsBefore, withoutOutputs } from '../../../src/evidence/trials/replays-for.ts';
import type { RunWork, WorkPort } from '../../../src/evidence/work.ts';

type Files = Readonly<Record<string, string>>;
const FILES: Files = {
  'build.mjs': "import { copy } from './tools/copy.mjs';\ncopy();\n",
  'tools/copy.mjs': "import './deep.mjs';\nexport const copy = () => {};\n",
  'tools/deep.mjs': '// Deep.\n',
  'src/calc.mjs': 'export const add = 1;\n',
};

/** @param changed each with the hash of what it was, and that of what it is now */
function workIn(files: Files, changed: RunWork['changed'] = []) {
  const run = {
    world: {
      exists: (path: string) => files[path] !== undefined,
      readText: (path: string) => files[path] ?? null,
      files: () => Object.keys(files),
    },
    toolContext: { workspace: '/w', fs: { platform: 'linux' } },
  } as unknown as WorkPort;
  const disk = { files: Object.keys(files), isThere: () => true, isNew: () => false };
  const work = { changed, commands: [], disk, contentOf: () => null } as unknown as RunWork;
  return { run, work };
}
const isOld = (
  command: Parameters<typeof isAsBefore>[1],
  changed: RunWork['changed'] = [],
  files = FILES,
): boolean => {
  const { run, work } = workIn(files, changed);
  return isAsBefore(run, command, work);
};
const edited = (path: string) => [{ path, before: 'old', after: 'new' }];
const BUILD = { cmd: 'node build.mjs' };

describe('a command', () => {
  it('is as before while nothing that it runs was changed', () => {
    expect(isOld(BUILD)).toBe(true);
    expect(isOld(BUILD, edited('src/calc.mjs'))).toBe(true);
    expect(isOld(BUILD, [{ path: 'tools/deep.mjs', before: 'same', after: 'same' }])).toBe(true);
  });

  it.each(['build.mjs', 'tools/copy.mjs', 'tools/deep.mjs'])('is not where %s was', (path) => {
    expect(isOld(BUILD, edited(path))).toBe(false);
  });

  it('is not where what it runs is new', () => {
    expect(isOld(BUILD, [{ path: 'build.mjs', before: null, after: 'new' }])).toBe(false);
    expect(
      isOld({ cmd: 'sh ship.sh out.txt' }, [{ path: 'out.txt', before: null, after: 'new' }], {
        'ship.sh': '',
        'out.txt': '',
      }),
    ).toBe(false);
  });

  it.each([
    ['code is given with it', { cmd: 'node -e 1' }],
    ['it is given an input', { ...BUILD, stdin: 'y' }],
    ['it runs in another folder, where nobody knows what it runs', { ...BUILD, cwd: 'tools' }],
  ])('is not known to be where %s', (_what, command) => {
    expect(isOld(command)).toBe(false);
  });

  it('is where its folder is said to be this one, and its input to be none', () => {
    expect(isOld({ ...BUILD, cwd: '.', stdin: '' })).toBe(true);
  });

  it('is not known to be where it uses more files than are looked at', () => {
    const names = Array.from({ length: 501 }, (_, at) => `m${at}.mjs`);
    const many = Object.fromEntries(names.map((name) => [name, '// One.\n']));
    const all = names.map((name) => `import './${name}';\n`).join('');
    expect(isOld(BUILD, [], { ...many, 'build.mjs': all })).toBe(false);
    const less = all.split('\n').slice(2).join('\n');
    expect(isOld(BUILD, [], { ...many, 'build.mjs': less })).toBe(true);
  });
});

it('outputs are no work', () => {
  const { work } = workIn(FILES, [...edited('src/calc.mjs'), ...edited('out/calc.mjs')]);
  const disk = { ...work.disk, files: ['src/calc.mjs', 'out/calc.mjs'] };
  const without = withoutOutputs(
    { ...work, disk },
    { isOutput: (path) => path.startsWith('out/') },
  );
  expect(without.changed).toEqual(edited('src/calc.mjs'));
  expect(without.disk.files).toEqual(['src/calc.mjs']);
});
