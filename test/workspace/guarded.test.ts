import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dirname, join } from '../../src/lib/files/absolute-paths.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { guardedPlaces, putAside } from '../../src/workspace/guarded.ts';
import { realFolder } from '../support/real-run.ts';

const KINDS = {
  isGuarded: (path: string) => path.endsWith('AGENTS.md'),
  isHidden: (path: string) => path.endsWith('.env'),
  isLeftOut: () => false,
};

function folderOf(...files: readonly string[]) {
  const fs = createMemoryFileSystem();
  fs.mkdir('/ws');
  const folders = new Set<string>();
  for (const file of files) {
    const parts = `/ws/${file}`.split('/');
    for (let depth = 3; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      if (!folders.has(folder)) fs.mkdir(folder);
      folders.add(folder);
    }
    fs.close(fs.open(`/ws/${file}`, 'w'));
  }
  return fs;
}

it('what is to be held is found however deep it lies, and too many entries are told apart from none', () => {
  const deep = 'a/b/c/d/e/f/g/h/i/j/.env';
  const fs = folderOf(deep, '!0', '!1', 'a/x1', 'a/x2', 'a/x3', 'z/.env', 'z/AGENTS.md');
  const seen = (most?: number) => {
    const places = guardedPlaces(fs, '/ws', KINDS, most);
    return places && [...places.guarded, ...places.hidden].map(({ path }) => path);
  };
  expect(seen()).toEqual(['z/AGENTS.md', 'z/.env', deep]);
  expect(seen(8)).toBeNull();
});

it('a folder that a program has closed is hidden as a whole, since the next could open it', () => {
  const fs = folderOf('conf/.env', 'x');
  const { readdir } = fs;
  fs.readdir = (path) => {
    if (path === '/ws/conf/') throw Object.assign(new Error('closed'), { code: 'EACCES' });
    return readdir.call(fs, path);
  };
  expect(guardedPlaces(fs, '/ws', KINDS)?.hidden).toEqual([{ path: 'conf', isFolder: true }]);
});

it.skipIf(process.platform !== 'linux')(
  'a folder whose name is not UTF-8 is told, since nothing below it can be hidden',
  () => {
    const folder = realFolder({ 'z/.env': '' });
    const named = (name: string) => Buffer.concat([Buffer.from(`${folder}/caf`), latin(name)]);
    mkdirSync(named('\u00e9'));
    writeFileSync(named('\u00e9/.env'), 'KEY=1');
    writeFileSync(named('\u00e9.txt'), 'no key');
    const seen = () => guardedPlaces(nodeFileSystem, folder, KINDS);
    expect(seen()).toMatchObject({ hidden: [{ path: 'z/.env' }], unnamed: ['caf\ufffd'] });
    writeFileSync(named('\u00e9.env'), 'KEY=1');
    expect(seen()?.unnamed).toEqual(['caf\ufffd', 'caf\ufffd.env']);
  },
);

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

it('what is put aside takes a number of its own, whichever a person removed', () => {
  const fs = folderOf('.mcp.json');
  expect(putAside(fs, '/ws', ['.mcp.json'], '/aside')).toEqual(['.mcp.json']);
  fs.close(fs.open('/ws/.mcp.json', 'w'));
  expect(putAside(fs, '/ws', ['.mcp.json'], '/aside')).toEqual(['.mcp.json']);
  fs.unlink('/aside/1-.mcp.json');
  fs.close(fs.open('/ws/.mcp.json', 'w'));
  putAside(fs, '/ws', ['.mcp.json'], '/aside');
  expect([...fs.readdir('/aside')].sort()).toEqual(['2-.mcp.json', '3-.mcp.json']);
});

it('what lies deep is put aside under the end of its path, which is a name that a disk takes', () => {
  const folder = realFolder();
  const deep = `${Array.from({ length: 9 }, () => 'ä'.repeat(40)).join('/')}/AGENTS.md`;
  mkdirSync(join(folder, 'ws', dirname(deep)), { recursive: true });
  writeFileSync(join(folder, 'ws', deep), 'x');
  const fs = nodeFileSystem;
  expect(putAside(fs, join(folder, 'ws'), [deep], join(folder, 'aside'))).toEqual([deep]);
  expect(fs.readdir(join(folder, 'aside'))).toEqual([expect.stringMatching(/^1-ä+.*-AGENTS\.md$/)]);
});
