import { describe, expect, test } from 'vitest';
import { layoutOf, prepareLayout, sweepTemporaries } from '../../src/journal/layout.ts';
import { readFileIfPresent, replaceFile } from '../../src/lib/files/durable-files.ts';
import { createMemoryFileSystem, fileSystemError } from '../../src/lib/files/memory-file-system.ts';

const LAYOUT = layoutOf('/work');
const UNUSABLE = expect.objectContaining({ code: 'E_WORKSPACE' });

describe('the state directory', () => {
  test('is made for its owner only, and git passes over it', () => {
    const fs = createMemoryFileSystem();
    fs.mkdir('/work');
    prepareLayout(fs, LAYOUT);
    prepareLayout(fs, LAYOUT);
    const names = ['.gitattributes', '.gitignore', 'blobs', 'lock', 'quarantine', 'runs'];
    expect(fs.readdir(LAYOUT.root)).toEqual(names);
    for (const path of [LAYOUT.root, LAYOUT.blobs, LAYOUT.lock, LAYOUT.runs, LAYOUT.quarantine]) {
      expect(fs.lstat(path)).toMatchObject({ kind: 'directory', mode: 0o700 });
    }
    expect(readFileIfPresent(fs, `${LAYOUT.root}/.gitignore`)?.toString()).toBe('*\n');
    expect(fs.lstat(`${LAYOUT.root}/.gitignore`).mode).toBe(0o600);
  });

  test('cannot lie in a file', () => {
    const fs = createMemoryFileSystem();
    replaceFile(fs, '/work', Buffer.from('a file'));
    expect(() => prepareLayout(fs, LAYOUT)).toThrow(UNUSABLE);
  });

  test('cannot lie where nobody may write', () => {
    const fs = createMemoryFileSystem();
    fs.mkdir('/work');
    fs.mkdir = (path) => {
      throw fileSystemError('EACCES', 'mkdir', path);
    };
    expect(() => prepareLayout(fs, LAYOUT)).toThrow(UNUSABLE);
  });

  test('is hidden from git even where a start was cut off in between', () => {
    const fs = createMemoryFileSystem();
    fs.mkdir('/work');
    fs.mkdir(LAYOUT.root);
    fs.close(fs.open(`${LAYOUT.root}/.gitignore`, 'w'));
    prepareLayout(fs, LAYOUT);
    expect(readFileIfPresent(fs, `${LAYOUT.root}/.gitignore`)?.toString()).toBe('*\n');
  });

  test('leaves what somebody wrote for git as it is', () => {
    const fs = createMemoryFileSystem();
    fs.mkdir('/work');
    fs.mkdir(LAYOUT.root);
    replaceFile(fs, `${LAYOUT.root}/.gitignore`, Buffer.from('blobs\n'));
    prepareLayout(fs, LAYOUT);
    expect(readFileIfPresent(fs, `${LAYOUT.root}/.gitignore`)?.toString()).toBe('blobs\n');
  });

  test('loses half-written files and nothing else when it is swept', () => {
    const fs = createMemoryFileSystem();
    fs.mkdir('/work');
    prepareLayout(fs, LAYOUT);
    fs.mkdir(LAYOUT.answers);
    for (const path of [
      `${LAYOUT.state}.agent.tmp`,
      `${LAYOUT.answers}/a.agent.tmp`,
      LAYOUT.state,
    ]) {
      fs.close(fs.open(path, 'w'));
    }
    sweepTemporaries(fs, LAYOUT);
    expect(fs.readdir(LAYOUT.root)).toContain('state.json');
    expect(fs.readdir(LAYOUT.root)).not.toContain('state.json.agent.tmp');
    expect(fs.readdir(LAYOUT.answers)).toEqual([]);
  });
});
