/** Which folders builds keep what they made in, so that a copy has none of them. */
import { describe, expect, it } from 'vitest';
import { builtInPlace } from '../../../src/evidence/trials/built-in-place.ts';
import { CACHE_TAG, CMAKE_CACHE } from '../../../src/workspace/cache-folders.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const SET_UP = `build/${CMAKE_CACHE}`;
const TAG = `cache/${CACHE_TAG}`;
const OBJECT = 'build/sub/a.o';
const FILES = {
  [SET_UP]: `CMAKE_HOME_DIRECTORY:INTERNAL=${WORKSPACE.replaceAll('\\', '/')}\n`,
  [OBJECT]: 'built',
  [TAG]: 'Signature: 8a477f597d28d172789f06886806bc55\n',
  'src/a.c': '',
};
const made = { before: null, after: 'x', isUnseen: false, seq: 1 };

/** @param byCommands files that commands of the run made */
function built(
  {
    byCommands = [],
    written = [],
  }: { byCommands?: readonly string[]; written?: readonly string[] } = {},
  more: Readonly<Record<string, string>> = {},
) {
  const world = testWorld();
  for (const [path, text] of Object.entries({ ...FILES, ...more })) world.write(path, text);
  const state = {
    files: Object.fromEntries(written.map((path) => [path, { written: true }])),
    commandChanges: {
      ...{ uncovered: {}, more: 0 },
      files: Object.fromEntries(byCommands.map((path) => [path, made])),
    },
  };
  const { fs } = world.machine();
  return builtInPlace({
    ...{ context: { state } as never, toolContext: { fs, workspace: WORKSPACE } },
    scratch: { folder: `${WORKSPACE}/copy` },
  });
}

describe('a folder that a build was set up in', () => {
  it('is used in place, with all in it', () => {
    const { isFolder, rootOf, isWithin } = built();
    expect(['build', 'cache', 'src'].map(isFolder)).toEqual([true, true, false]);
    expect([OBJECT, 'src/a.c', 'build'].map(rootOf)).toEqual(['build', null, null]);
    expect([OBJECT, 'src/a.c'].map(isWithin)).toEqual([true, false]);
  });

  it('is not, where a tool of the run wrote what says so', () => {
    const { isFolder } = built({ written: [SET_UP, TAG] });
    expect(['build', 'cache'].map(isFolder)).toEqual([false, false]);
  });

  it('is, where commands of the run made all of it, or git keeps nothing of it', () => {
    expect(built({ byCommands: [SET_UP, OBJECT] }).isFolder('build')).toBe(true);
    expect(built({ byCommands: [SET_UP] }).isFolder('build')).toBe(false);
    const ignored = { '.gitignore': 'build/\n' };
    expect(built({ byCommands: [SET_UP] }, ignored).isFolder('build')).toBe(true);
    // By a rule of the run itself.
    expect(
      built({ byCommands: [SET_UP], written: ['.gitignore'] }, ignored).isFolder('build'),
    ).toBe(false);
    expect(built({ byCommands: [TAG] }).isFolder('cache')).toBe(false);
  });
});

describe('a copy', () => {
  it('is cold where it lacks one of them', () => {
    const lacking = built();
    expect(lacking.isLeft('src')).toBe(false);
    expect(lacking.isCold()).toBe(false);
    expect(lacking.isLeft('build')).toBe(true);
    expect(lacking.isCold()).toBe(true);
    expect(lacking.isLeft('src')).toBe(false);
    expect(lacking.isCold()).toBe(true);
    const having = built({}, { [`copy/${SET_UP}`]: '' });
    expect(having.isLeft('build')).toBe(true);
    expect(having.isCold()).toBe(false);
  });

  it('is set up for those that were there before the run', () => {
    const asked = (one: ReturnType<typeof built>) => {
      for (const path of ['build', 'src']) one.isLeft(path);
      return one.relocated();
    };
    expect(asked(built())).toEqual(['build']);
    expect(asked(built({ byCommands: [SET_UP, OBJECT] }))).toEqual([]);
  });
});
