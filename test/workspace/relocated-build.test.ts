/** Builds by full paths of the workspace, set up in a copy as they are set up there. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { builtInPlace } from '../../src/evidence/trials/built-in-place.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { runSync } from '../../src/lib/interruptible.ts';
import { relocateBuild } from '../../src/workspace/relocated-build.ts';

function builds(home: (workspace: string) => string) {
  const root = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), 'tardigrade-built-')));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const workspace = path.join(root, 'work');
  const folder = path.join(root, 'copy');
  const here = workspace.replaceAll('\\', '/');
  const write = (name: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    fs.writeFileSync(path.join(workspace, name), text);
  };
  write('build/CMakeCache.txt', `CMAKE_HOME_DIRECTORY:INTERNAL=${home(here)}\nOPTION:BOOL=ON\n`);
  write('build/sub/Makefile', `${here}/a.c: ${here}-old/a.c ${here}\n`);
  write('build/a.o', `\0${here}`);
  const relocate = (): void =>
    runSync(relocateBuild({ fs: nodeFileSystem, workspace, folder }, 'build'));
  const copied = (name: string): string | null => {
    const at = path.join(folder, 'build', name);
    return fs.existsSync(at) ? fs.readFileSync(at, 'utf8') : null;
  };
  return { workspace, folder, here, there: folder.replaceAll('\\', '/'), write, relocate, copied };
}

it('a build is set up in the copy by its paths, without what was built', () => {
  const { here, there, relocate, copied } = builds((workspace) => workspace);
  relocate();
  expect(copied('CMakeCache.txt')).toBe(`CMAKE_HOME_DIRECTORY:INTERNAL=${there}\nOPTION:BOOL=ON\n`);
  expect(copied('sub/Makefile')).toBe(`${there}/a.c: ${here}-old/a.c ${there}\n`);
  expect(copied('a.o')).toBeNull();
});

it('what the copy keeps from earlier stays as it is', () => {
  const { write, relocate, copied } = builds((workspace) => `${workspace}/sources`);
  relocate();
  write('build/sub/Makefile', 'other\n');
  relocate();
  expect(copied('sub/Makefile')).not.toBe('other\n');
});

it('a build of what lies elsewhere is none of the copy', () => {
  const { relocate, copied } = builds((workspace) => `${workspace}-old`);
  relocate();
  expect(copied('CMakeCache.txt')).toBeNull();
});

it('a copy is cold as long as it lacks what builds keep in the workspace', () => {
  const { workspace, folder, write, relocate } = builds((home) => home);
  write('src/a.c', '');
  const look = (): unknown => {
    const state = { files: {}, commandChanges: { files: {}, uncovered: {} } };
    const built = builtInPlace({
      context: { state: state as never },
      toolContext: { fs: nodeFileSystem, workspace },
      scratch: { folder },
    });
    const areLeft = ['src', 'build'].map(built.isLeft);
    return [areLeft, built.isCold(), built.relocated(), built.rootOf('build/sub/Makefile')];
  };
  expect(look()).toEqual([[false, true], true, ['build'], 'build']);
  relocate();
  expect(look()).toEqual([[false, true], false, ['build'], 'build']);
});
