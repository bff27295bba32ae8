import { expect, test } from 'vitest';
import { ensureDirectory, replaceFile } from '../../src/lib/files/durable-files.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { EndedEarly } from '../../src/server/runs/ended-early.ts';

const KEY = 'sk-a-key-of-some-length';

function early(said = '') {
  const fs = new MemoryFileSystem();
  ensureDirectory(fs, '/data');
  replaceFile(fs, '/data/r.err', Buffer.from(said));
  const withoutSecrets = (text: string) => text.replaceAll(KEY, '***');
  const files = { of: () => '/data/r.err' };
  return new EndedEarly({ fs, withoutSecrets }, files as never);
}

test('how a process ended is not told of one that worked on the run later', () => {
  const runs = early();
  runs.ended('r', { code: 4, signal: null }, 10);
  expect(runs.cutOffBy('r', 10)).toBe('Its process ended with exit code 4 before it was finished.');
  expect(runs.cutOffBy('r', 11)).toBeNull();
});

test('a key is left out even if only its end is among what is shown', () => {
  const runs = early(`${'x'.repeat(3000)}${KEY}${'y'.repeat(3990)}`);
  expect(runs.failureOf('r')).not.toContain('length');
});
