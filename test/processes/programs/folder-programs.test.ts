import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAMS } from '../../../src/languages/commands/programs.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { programFolders } from '../../../src/processes/programs/folder-programs.ts';
import { folderNeededBy } from '../../../src/round/permission/folder-question.ts';
import { FolderTrust, NO_CONSENTS } from '../../../src/round/permission/folder-trust.ts';
import { temporaryFolder } from '../../support/forged-state.ts';

const isWindows = process.platform === 'win32';

/** Each is a program; what ends in `.json` or `.cfg` is a text. */
function folderWith(files: { readonly [path: string]: string }): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    if (!/\.(?:json|cfg)$/.test(path)) chmodSync(join(folder, path), 0o755);
  }
  return folder;
}

const offered = (workspace: string, fs: FileSystem = nodeFileSystem) =>
  programFolders({ workspace, fs, known: PROGRAMS }).flatMap(({ root, offer }) =>
    (offer()?.names ?? []).map((name) => `${root}: ${name}`),
  );

const stampIn = (workspace: string): string | undefined =>
  programFolders({ workspace, fs: nodeFileSystem, known: PROGRAMS })[0]?.offer()?.stamp;

const EVERYTHING =
  'git cat ls grep npm node npx docker curl python python3 pip pytest ruff sh bash uv make tsc';

describe.skipIf(isWindows)('the programs that a folder of the workspace offers', () => {
  it('are of a virtual environment only those of Python, whatever lies in it', () => {
    const names = EVERYTHING.split(' ');
    const folder = folderWith(Object.fromEntries(names.map((name) => [`.venv/bin/${name}`, ''])));
    const own = ['pip', 'pytest', 'python', 'python3', 'ruff'];
    expect(offered(folder)).toEqual(own.map((name) => `.venv: ${name}`));
    expect(
      programFolders({ workspace: folder, fs: nodeFileSystem, known: PROGRAMS })[0]?.holdsOthers(),
    ).toBe(true);
  });

  it('are of installed packages those that a dependency of the project declares, and no names of others', () => {
    const names = EVERYTHING.split(' ');
    const bin = { tsc: 'tsc.js', git: 'git.js', node: 'node.js', sh: 'sh.js', curl: 'x', npx: 'y' };
    const folder = folderWith({
      ...Object.fromEntries(names.map((name) => [`node_modules/.bin/${name}`, ''])),
      'node_modules/.bin/other': '',
      'package.json': JSON.stringify({ devDependencies: { typescript: '5' } }),
      'node_modules/typescript/package.json': JSON.stringify({ version: '5', bin }),
      'node_modules/stranger/package.json': JSON.stringify({ bin: { other: 'x', make: 'y' } }),
    });
    expect(offered(folder)).toEqual(['node_modules: tsc']);
  });

  it('are none where the folder is a link that leads out of the workspace', () => {
    const elsewhere = folderWith({ 'bin/pytest': '' });
    const folder = folderWith({ 'main.cfg': '' });
    symlinkSync(elsewhere, join(folder, '.venv'));
    expect(offered(folder)).toEqual([]);
  });

  it.each<readonly [what: string, change: (folder: string) => void]>([
    ['the program itself', (folder) => writeFileSync(join(folder, '.venv/bin/pytest'), 'changed')],
    [
      'the same size and time, but another file',
      (folder) => {
        const file = join(folder, '.venv/bin/pytest');
        rmSync(file);
        writeFileSync(file, 'pytest', { mode: 0o755 });
        utimesSync(file, 1, 1);
      },
    ],
    ['the file that its link leads to', (folder) => writeFileSync(join(folder, 'real'), 'changed')],
    ['what runs it', (folder) => writeFileSync(join(folder, '.venv/bin/python3.12'), 'changed')],
    ['the settings around it', (folder) => writeFileSync(join(folder, '.venv/pyvenv.cfg'), 'x=y')],
  ])('have another stamp after a change of %s', (what, change) => {
    const folder = folderWith({
      '.venv/bin/python3.12': 'python',
      '.venv/pyvenv.cfg': 'a=b',
      '.venv/bin/pytest': 'pytest',
      real: 'real',
    });
    if (what.includes('link')) {
      rmSync(join(folder, '.venv/bin/pytest'));
      symlinkSync('../../real', join(folder, '.venv/bin/pytest'));
    } else utimesSync(join(folder, '.venv/bin/pytest'), 1, 1);
    const before = stampIn(folder);
    expect(stampIn(folder)).toBe(before);
    change(folder);
    expect(stampIn(folder)).not.toBe(before);
  });
});

describe.skipIf(isWindows)('the same on Windows', () => {
  /** A disk of Windows over a folder of this machine. */
  const windowsOver = (folder: string): FileSystem =>
    new Proxy(nodeFileSystem, {
      get(target, name) {
        if (name === 'platform') return 'win32';
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (path: unknown, ...more: unknown[]) => {
          const here =
            typeof path === 'string' ? path.replace('C:\\ws', folder).replaceAll('\\', '/') : path;
          const said: unknown = value.call(target, here, ...more);
          return name === 'realpath' && typeof said === 'string'
            ? said.replace(folder, 'C:\\ws').replaceAll('/', '\\')
            : said;
        };
      },
    });

  it('they lie in Scripts, with their endings; a batch file is run by nothing but a package manager', () => {
    const folder = folderWith({
      '.venv/Scripts/pytest.exe': '',
      '.venv/Scripts/git.exe': '',
      '.venv/Scripts/ruff.cmd': '',
      'node_modules/.bin/tsc.cmd': '',
      'package.json': JSON.stringify({ dependencies: { typescript: '5' } }),
      'node_modules/typescript/package.json': JSON.stringify({ bin: { tsc: 'tsc.js' } }),
    });
    const fs = windowsOver(folder);
    expect(offered('C:\\ws', fs)).toEqual(['.venv: pytest', '.venv: ruff', 'node_modules: tsc']);
    const [venv, , installed] = programFolders({ workspace: 'C:\\ws', fs, known: PROGRAMS });
    expect([venv?.offers('pytest'), venv?.offers('ruff'), installed?.offers('tsc')]).toEqual([
      ...[true, false, false],
    ]);
    expect([venv?.offersToOthers('ruff'), installed?.offersToOthers('tsc')]).toEqual([true, true]);
    const before = installed?.offer()?.stamp;
    writeFileSync(join(folder, 'node_modules/.bin/tsc.cmd'), 'changed');
    expect(installed?.offer()?.stamp).not.toBe(before);
  });

  it('npx asks for the folder whose batch file it would run', async () => {
    const folder = folderWith({
      'node_modules/.bin/tsc.cmd': '',
      'package.json': JSON.stringify({ dependencies: { typescript: '5' } }),
      'node_modules/typescript/package.json': JSON.stringify({ bin: { tsc: 'tsc.js' } }),
    });
    const [fs, workspace] = [windowsOver(folder), 'C:\\ws'];
    const wantedBy = async (text: string, isYes = false) => {
      const rules = { allow: [], ask: [], deny: [] };
      const folders = new FolderTrust({
        ...{ workspace, fs, consents: NO_CONSENTS, isYes },
        ...{ answerTo: () => null, record: () => {} },
        layers: () => ({ project: rules, user: rules }),
      });
      return folderNeededBy(
        { target: { kind: 'command', text } },
        {
          folders,
          findOutside: async () => ({ kind: 'missing', reason: '', hint: '' }),
          toolContext: { fs, workspace } as never,
        },
      );
    };
    expect(await wantedBy('npx tsc --noEmit')).toMatchObject({ name: 'tsc', isNeeded: true });
    expect(await wantedBy('npm exec tsc')).toMatchObject({ name: 'tsc', isNeeded: true });
    expect(await wantedBy('npx tsc --noEmit', true)).toBe(null);
    expect(await wantedBy('tsc --noEmit')).toBe(null);
  });
});
