import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { resolveInWorkspace } from '../../src/workspace/jail.ts';
import { anyText } from '../support/any-text.ts';
import { dice, fc } from '../support/dice.ts';
import { makeWorkspace } from '../tools/support.ts';

const never = (): never => {
  throw new Error('the disk was asked');
};
const noDisk = { lstat: never, realpath: never };
const platforms = ['linux', 'darwin', 'win32'] as const;

const resolve = (root: string, modelPath: string, forWrite = false) =>
  resolveInWorkspace(nodeFileSystem, root, modelPath, { platform: process.platform, forWrite });

describe('the text of a path', () => {
  const refused = [
    ...[
      'a\0b',
      'a\nb',
      'a\u007fb',
      '',
      '  ',
      '/etc/passwd',
      '/',
      '\\',
      'C:\\Windows',
      'c:x',
      'C:/x',
    ],
    ...['\\\\server\\share', '//server/share', '\\\\?\\C:\\x', '\\\\.\\pipe\\x'],
    ...['..', '../x', 'a/../../x', 'a\\..\\..\\x', './../x', 'a/b/../../../x'],
    ...['a.txt:stream', 'a:b', '.git::$INDEX_ALLOCATION', 'dir/a.txt::$DATA'],
    ...['con', 'CON', 'nul', 'nul.txt', 'Aux.tar.gz', 'dir/prn', 'com1', 'COM9.log', 'lpt3/x'],
    ...['com\u00b9', 'LPT\u00b2.txt', 'conin$', 'nul .txt', 'aux /x'],
    ...['x.', 'x ', 'dir./x', 'dir /x', '...', 'a/...', '~', '~/x', 'a\ud800b', 'a'.repeat(256)],
  ];
  for (const platform of platforms) {
    it(`is judged on ${platform} before the disk is asked`, () => {
      for (const modelPath of refused) {
        const found = resolveInWorkspace(noDisk, '/w', modelPath, { platform, forWrite: false });
        expect(found.kind, JSON.stringify(modelPath)).toBe('refused');
      }
    });
  }

  it('may be odd as long as it is legal', () => {
    const { root } = makeWorkspace();
    const legal = {
      '..foo': '..foo',
      '.hidden': '.hidden',
      'a b/c d.txt': 'a b/c d.txt',
      'größe/日本.md': 'größe/日本.md',
      './x': 'x',
      'a//b/./c': 'a/b/c',
      'a/../b': 'b',
      'src\\main.py': 'src/main.py',
      '.\\x': 'x',
      console: 'console',
      'com.txt': 'com.txt',
      com10: 'com10',
      nullable: 'nullable',
      '~x': '~x',
      '.': '.',
      './': '.',
    };
    for (const [modelPath, relative] of Object.entries(legal)) {
      expect(resolve(root, modelPath), modelPath).toEqual({
        kind: 'inside',
        relative,
        isThere: relative === '.' || fs.existsSync(path.join(root, relative)),
        absolute: relative === '.' ? root : path.join(root, ...relative.split('/')),
      });
    }
  });

  it('that is absolute and lies inside is refused with its relative form', () => {
    const { root } = makeWorkspace();
    expect(resolve(root, `${root}/src/a.py`)).toMatchObject({
      reason: expect.stringContaining('relative to the workspace: src/a.py'),
    });
    const onWindows = resolveInWorkspace(
      noDisk,
      'C:\\Users\\me\\work',
      'c:/users/ME/work/a\\b.py',
      {
        platform: 'win32',
        forWrite: false,
      },
    );
    expect(onWindows).toMatchObject({ reason: expect.stringContaining('workspace: a/b.py') });
  });
});

describe('links', () => {
  it('that stay inside are followed to their real path', () => {
    const workspace = makeWorkspace();
    workspace.write('real/a.txt', 'a');
    fs.symlinkSync('real', path.join(workspace.root, 'link'));
    expect(resolve(workspace.root, 'link/a.txt', true)).toMatchObject({ relative: 'real/a.txt' });
    expect(resolve(workspace.root, 'link/new/b.txt', true)).toMatchObject({
      relative: 'real/new/b.txt',
    });
  });

  it('that lead out, or nowhere, are refused as folder and as file', () => {
    const workspace = makeWorkspace();
    const outside = makeWorkspace();
    outside.write('secret', 's');
    fs.symlinkSync(outside.root, path.join(workspace.root, 'folder'));
    fs.symlinkSync(path.join(outside.root, 'secret'), path.join(workspace.root, 'file'));
    fs.symlinkSync(path.join(outside.root, 'missing'), path.join(workspace.root, 'dangling'));
    fs.symlinkSync('circle', path.join(workspace.root, 'circle'));
    for (const modelPath of [
      'folder',
      'folder/secret',
      'folder/new',
      'file',
      'dangling',
      'circle',
    ]) {
      for (const forWrite of [true, false]) {
        expect(resolve(workspace.root, modelPath, forWrite).kind, modelPath).toBe('refused');
      }
    }
  });

  it('beside the workspace with its name as beginning are outside', () => {
    const workspace = makeWorkspace();
    const sibling = `${workspace.root}-other`;
    fs.mkdirSync(sibling);
    try {
      fs.symlinkSync(sibling, path.join(workspace.root, 'link'));
      expect(resolve(workspace.root, 'link/x').kind).toBe('refused');
    } finally {
      fs.rmdirSync(sibling);
    }
  });

  it('into a protected folder are not written through', () => {
    const workspace = makeWorkspace();
    workspace.write('.git/config', '');
    fs.symlinkSync('.git', path.join(workspace.root, 'link'));
    expect(resolve(workspace.root, 'link/config', true).kind).toBe('refused');
    expect(resolve(workspace.root, 'link/config', false).kind).toBe('inside');
  });
});

describe('writing', () => {
  const names = ['.git', '.GIT', '.Git', 'GIT~1', 'git~2', '.g\u200cit', '.agent_context'];
  const lost = ['.agent_context.lost-1f', '.Agent_Context.Lost-1f', 'AGENT_~1.LOS'];
  it.each([...names, 'AGENT_~1', '.Agent_Context', ...lost])('never reaches %s', (name) => {
    const { root } = makeWorkspace();
    for (const modelPath of [name, `${name}/hooks/x`, `sub/${name}/config`]) {
      expect(resolve(root, modelPath, true).kind).toBe('refused');
      expect(resolve(root, modelPath, false).kind).toBe('inside');
    }
  });

  it('reaches names that only look like them', () => {
    const { root } = makeWorkspace();
    for (const name of [
      '.gitignore',
      '.github/x.yml',
      'git',
      'agent_context/x',
      '.git2',
      '.agent_context.md',
    ]) {
      expect(resolve(root, name, true).kind, name).toBe('inside');
    }
  });

  it('below a file is refused with the name of that file', () => {
    const workspace = makeWorkspace();
    workspace.write('a.txt', '');
    expect(resolve(workspace.root, 'a.txt/b', true)).toMatchObject({
      reason: expect.stringContaining('a.txt is a file'),
    });
  });
});

describe('win32 as argument', () => {
  const entries = new Set([
    'C:\\w',
    'C:\\w\\Src',
    'C:\\w\\Src\\a.py',
    'C:\\w\\GIT~1',
    'C:\\w\\out',
    'C:\\w\\.git',
  ]);
  const real: { [path: string]: string } = {
    'C:\\w\\out': 'C:\\elsewhere',
    'C:\\w\\GIT~1': 'C:\\w\\.git',
  };
  const disk: Pick<FileSystem, 'lstat' | 'realpath'> = {
    lstat: (name) => {
      const known = [...entries].some((entry) => entry.toLowerCase() === name.toLowerCase());
      if (!known) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
      return {
        kind: name.endsWith('.py') ? 'file' : 'directory',
        size: 0,
        mode: 0,
        mtimeMs: 0,
        links: 1,
      };
    },
    realpath: (name) =>
      real[name] ??
      [...entries].find((entry) => entry.toLowerCase() === name.toLowerCase()) ??
      name,
  };
  const onWindows = (modelPath: string, forWrite = true) =>
    resolveInWorkspace(disk, 'C:\\w', modelPath, { platform: 'win32', forWrite });

  it('builds paths with its separator and reports them with /', () => {
    expect(onWindows('src/A.py')).toEqual({
      kind: 'inside',
      absolute: 'C:\\w\\Src\\a.py',
      relative: 'Src/a.py',
      isThere: true,
    });
    expect(onWindows('new\\b.txt')).toMatchObject({
      absolute: 'C:\\w\\new\\b.txt',
      relative: 'new/b.txt',
      isThere: false,
    });
  });

  it('refuses what leads out, short names of .git and characters NTFS has not', () => {
    for (const modelPath of ['out/x', 'GIT~1/config', 'a?b', 'a*', 'a|b', 'a"b', '<a>']) {
      expect(onWindows(modelPath).kind, modelPath).toBe('refused');
    }
  });

  it('calls no folder a link whose real path the system does not tell', () => {
    const realpath = () => {
      throw Object.assign(new Error('UNKNOWN'), { code: 'UNKNOWN' });
    };
    const options = { platform: 'win32', forWrite: true } as const;
    expect(resolveInWorkspace({ ...disk, realpath }, 'C:\\w', 'out/a', options)).toEqual({
      kind: 'refused',
      reason: 'out cannot be looked at (UNKNOWN)',
    });
  });
});

it('never accepts a path whose real place is outside, whatever the path and the links', () => {
  const workspace = makeWorkspace();
  const outside = makeWorkspace();
  outside.write('sub/secret', 's');
  workspace.write('dir/file', 'x');
  fs.mkdirSync(path.join(workspace.root, '.git'));
  fs.symlinkSync(outside.root, path.join(workspace.root, 'out'));
  fs.symlinkSync('../..', path.join(workspace.root, 'dir', 'up'));
  fs.symlinkSync('dir', path.join(workspace.root, 'in'));
  const part = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      'dir',
      'in',
      'out',
      'up',
      'sub',
      'secret',
      'file',
      '.git',
      '.GIT',
    ),
    fc.constantFrom('new', 'nul', 'a:b', 'x.', '~', 'C:', '\u0000', workspace.root, outside.root),
    anyText(4),
  );
  const anyPath = fc
    .array(fc.tuple(part, fc.constantFrom('/', '\\', '//')), { maxLength: 7 })
    .map((parts) => parts.flat().join(''));
  fc.assert(
    fc.property(anyPath, fc.boolean(), (modelPath, forWrite) => {
      const found = resolve(workspace.root, modelPath, forWrite);
      if (found.kind === 'refused') return;
      let existing = found.absolute;
      while (!fs.existsSync(existing)) existing = path.dirname(existing);
      const real = fs.realpathSync.native(existing);
      expect(real === workspace.root || real.startsWith(workspace.root + path.sep)).toBe(true);
      expect(path.relative(workspace.root, found.absolute).split(path.sep)[0]).not.toBe('..');
      if (forWrite) expect(found.relative.toLowerCase().split('/')).not.toContain('.git');
    }),
    { numRuns: dice(100, 2_000) },
  );
});
