import { describe, expect, it } from 'vitest';
import { PROGRAMS } from '../../../src/languages/commands/programs.ts';
import type { FileInfo } from '../../../src/lib/files/file-system.ts';
import type { ProgramPlaces, TrustedFolder } from '../../../src/processes/programs/locate.ts';
import type { Answers } from '../../../src/processes/programs/program-finder.ts';
import { resolveProgram as resolve } from '../../../src/processes/programs/resolve-program.ts';

interface Disk {
  readonly files: readonly string[];
  readonly plain?: readonly string[];
  readonly links?: { readonly [from: string]: string };
  /** Reparse points of the Store: seen by lstat only. */
  readonly aliases?: readonly string[];
}

const resolveProgram = (program: string, at: ProgramPlaces, answers: Answers) =>
  resolve(program, at, PROGRAMS, answers);

const error = (code: string): Error => Object.assign(new Error(code), { code });
const info = (kind: FileInfo['kind'], mode: number): FileInfo => ({
  kind,
  size: 1,
  mode,
  mtimeMs: 0,
  links: 1,
});

function places(
  platform: NodeJS.Platform,
  disk: Disk,
  more: Partial<ProgramPlaces> = {},
): ProgramPlaces {
  const windows = platform === 'win32';
  const fold = (text: string): string => (windows ? text.toLowerCase() : text);
  const has = (list: readonly string[] | undefined, file: string): boolean =>
    list?.some((each) => fold(each) === fold(file)) ?? false;
  return {
    platform,
    workspace: windows ? 'C:\\ws' : '/ws',
    searchPath: windows
      ? ['C:\\store\\WindowsApps', 'C:\\py', 'C:\\node']
      : ['/usr/local/bin', '/usr/bin'],
    trusted: [],
    nodePath: windows ? 'C:\\app\\node.exe' : '/app/node',
    fs: {
      stat: (file) => {
        if (has(disk.files, file)) return info('file', 0o755);
        if (has(disk.plain, file)) return info('file', 0o644);
        throw error(has(disk.aliases, file) ? 'EACCES' : 'ENOENT');
      },
      lstat: (file) => {
        if (has(disk.aliases, file)) return info('symlink', 0o777);
        throw error('ENOENT');
      },
      realpath: (file) => disk.links?.[file] ?? file,
    },
    ...more,
  };
}

const yes = () => Promise.resolve(true);

describe('finding a program on POSIX', () => {
  it('takes the first executable file on PATH', async () => {
    const at = places('linux', { files: ['/usr/bin/git'], plain: ['/usr/local/bin/git'] });
    expect(await resolveProgram('git', at, yes)).toEqual({
      kind: 'found',
      file: '/usr/bin/git',
      prefix: [],
      notice: '',
    });
  });

  it('takes Node itself for node where it is not on PATH, and nothing where the program is no Node', async () => {
    const none = places('linux', { files: [] });
    expect(await resolveProgram('node', none, yes)).toMatchObject({ file: '/app/node' });
    const single = { ...none, nodePath: null };
    for (const program of ['node', 'npm'])
      expect(await resolveProgram(program, single, yes)).toMatchObject({ kind: 'missing' });
    const windows = { ...places('win32', { files: [] }), nodePath: null };
    expect(await resolveProgram('npm', windows, yes)).toMatchObject({ kind: 'missing' });
  });

  it('skips a link on PATH that leads into the workspace', async () => {
    const at = places('linux', { files: ['/usr/bin/git'], links: { '/usr/bin/git': '/ws/evil' } });
    expect((await resolveProgram('git', at, yes)).kind).toBe('missing');
    expect(await resolveProgram('/usr/bin/git', at, yes)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('leads into the workspace'),
    });
  });

  it('runs the other Python where the named one is missing, and says so', async () => {
    const three = places('linux', { files: ['/usr/bin/python3'] });
    expect(await resolveProgram('python', three, yes)).toMatchObject({
      file: '/usr/bin/python3',
      notice: expect.stringContaining('ran python3'),
    });
    const plain = places('linux', { files: ['/usr/bin/python'] });
    expect(await resolveProgram('python3', plain, yes)).toMatchObject({
      file: '/usr/bin/python',
      notice: expect.stringContaining('ran python'),
    });
    expect(await resolveProgram('python', plain, yes)).toMatchObject({ notice: '' });
  });

  it('runs pytest, ruff and pip as modules where they have no program', async () => {
    const at = places('linux', { files: ['/usr/bin/python3'] });
    expect(await resolveProgram('pytest', at, yes)).toMatchObject({
      file: '/usr/bin/python3',
      prefix: ['-m', 'pytest'],
      notice: expect.stringContaining('python -m pytest'),
    });
    expect(await resolveProgram('pip3', at, yes)).toMatchObject({ prefix: ['-m', 'pip'] });
  });

  it('runs this very node where none is on PATH', async () => {
    expect(await resolveProgram('node', places('linux', { files: [] }), yes)).toMatchObject({
      file: '/app/node',
    });
  });

  it('says what is missing and what to do', async () => {
    const at = places('linux', { files: [] });
    expect(await resolveProgram('frobnicate', at, yes)).toMatchObject({
      kind: 'missing',
      reason: expect.stringContaining('frobnicate'),
    });
    expect(await resolveProgram('python', at, yes)).toMatchObject({
      kind: 'missing',
      hint: expect.stringContaining('installed by the user'),
    });
  });

  it('does not run files of the workspace as programs, and says how to run a script', async () => {
    const at = places('linux', { files: ['/ws/hello.py', '/ws/tool'] });
    expect(await resolveProgram('./hello.py', at, yes)).toMatchObject({
      kind: 'refused',
      hint: 'Run it as: python ./hello.py',
    });
    expect(await resolveProgram('./tool', at, yes)).toMatchObject({ kind: 'refused' });
    expect(await resolveProgram('/opt/x/tool', at, yes)).toMatchObject({ kind: 'refused' });
  });

  it('takes a path into a folder of PATH', async () => {
    const at = places('linux', { files: ['/usr/bin/git'] });
    expect(await resolveProgram('/usr/bin/git', at, yes)).toMatchObject({ file: '/usr/bin/git' });
  });
});

describe('trusted folders', () => {
  const disk = { files: ['/ws/.venv/bin/pytest', '/usr/bin/pytest'] };
  const trusted = (names: readonly string[]): TrustedFolder[] => [
    {
      folder: '/ws/.venv/bin',
      serves: (name) => names.includes(name),
      leftOut: () => '',
      isForChildren: () => true,
    },
  ];

  it('come before PATH for the names that they serve', async () => {
    const at = places('linux', disk, { trusted: trusted(['pytest']) });
    expect(await resolveProgram('pytest', at, yes)).toMatchObject({ file: '/ws/.venv/bin/pytest' });
    expect(await resolveProgram('.venv/bin/pytest', at, yes)).toMatchObject({
      file: '/ws/.venv/bin/pytest',
    });
  });

  it('do not count for any other name, nor below themselves', async () => {
    const at = places('linux', disk, { trusted: trusted(['ruff']) });
    expect(await resolveProgram('pytest', at, yes)).toMatchObject({ file: '/usr/bin/pytest' });
    expect(await resolveProgram('.venv/bin/pytest', at, yes)).toMatchObject({ kind: 'refused' });
    expect(await resolveProgram('.venv/bin/sub/ruff', at, yes)).toMatchObject({ kind: 'refused' });
  });
});

describe('finding a program on Windows', () => {
  it('accepts real programs only, and refuses batch files with the reason', async () => {
    const at = places('win32', {
      files: ['C:\\node\\node.exe', 'C:\\node\\tsc.cmd', 'C:\\py\\old.com'],
    });
    expect(await resolveProgram('node', at, yes)).toMatchObject({ file: 'C:\\node\\node.exe' });
    expect(await resolveProgram('NODE.EXE', at, yes)).toMatchObject({ file: 'C:\\node\\NODE.EXE' });
    expect(await resolveProgram('old', at, yes)).toMatchObject({ file: 'C:\\py\\old.com' });
    for (const name of ['tsc', 'tsc.cmd']) {
      expect(await resolveProgram(name, at, yes)).toMatchObject({
        kind: 'refused',
        reason: expect.stringContaining('cmd.exe'),
        hint: expect.stringContaining('cmd /c tsc.cmd can be asked for'),
      });
    }
  });

  it('runs npm and npx as scripts of node', async () => {
    const at = places('win32', {
      files: [
        'C:\\node\\node.exe',
        'C:\\node\\npm.cmd',
        'C:\\node\\node_modules\\npm\\bin\\npm-cli.js',
        'C:\\node\\node_modules\\npm\\bin\\npx-cli.js',
      ],
    });
    expect(await resolveProgram('npm', at, yes)).toMatchObject({
      file: 'C:\\node\\node.exe',
      prefix: ['C:\\node\\node_modules\\npm\\bin\\npm-cli.js'],
    });
    expect(await resolveProgram('NPM.cmd', at, yes)).toMatchObject({
      prefix: ['C:\\node\\node_modules\\npm\\bin\\npm-cli.js'],
    });
    expect(await resolveProgram('npx', at, yes)).toMatchObject({
      prefix: ['C:\\node\\node_modules\\npm\\bin\\npx-cli.js'],
    });
    expect((await resolveProgram('npm', places('win32', { files: [] }), yes)).kind).toBe('missing');
  });

  const stub = 'C:\\store\\WindowsApps\\python.exe';

  it('passes over the Store stub, which does not answer', async () => {
    const at = places('win32', { files: ['C:\\py\\python.exe'], aliases: [stub] });
    const asked: string[] = [];
    const answers = (file: string) => {
      asked.push(file);
      return Promise.resolve(file !== stub);
    };
    expect(await resolveProgram('python', at, answers)).toMatchObject({
      file: 'C:\\py\\python.exe',
      notice: '',
    });
    expect(asked).toEqual([stub, 'C:\\py\\python.exe']);
  });

  it('takes a Python from the Store that answers', async () => {
    const at = places('win32', { files: [], aliases: [stub] });
    expect(await resolveProgram('python', at, yes)).toMatchObject({ file: stub });
  });

  it('falls back to python3 and py -3, and says so', async () => {
    const at = places('win32', { files: ['C:\\py\\py.exe'], aliases: [stub] });
    const answers = (file: string, prefix: readonly string[]) =>
      Promise.resolve(file === 'C:\\py\\py.exe' && prefix[0] === '-3');
    for (const name of ['python', 'python3']) {
      expect(await resolveProgram(name, at, answers)).toMatchObject({
        file: 'C:\\py\\py.exe',
        prefix: ['-3'],
        notice: `${name} is not there; ran py -3`,
      });
    }
    expect(await resolveProgram('pytest', at, answers)).toMatchObject({
      file: 'C:\\py\\py.exe',
      prefix: ['-3', '-m', 'pytest'],
    });
  });

  it('says that no Python works when only the stub is there', async () => {
    const at = places('win32', { files: [], aliases: [stub] });
    expect(await resolveProgram('python', at, () => Promise.resolve(false))).toMatchObject({
      kind: 'missing',
      reason: expect.stringContaining('Store'),
    });
  });
});
