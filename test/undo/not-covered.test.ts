/** What an undo names as not covered: commands that may have done something. */
import { describe, expect, it } from 'vitest';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { previewOf } from '../../src/undo/preview.ts';
import { reportOf } from '../../src/undo/report.ts';

const DONE = [
  'npm install zod',
  'git commit -m "a b" (commit 0d53dd7)',
  'node make.mjs',
  'git log --output=a.txt',
  'git log -1 -p src/a.ts src/b.t...',
  'node -e "what cannot be read',
];
const LOOKED = [
  'git status --short',
  'git show --stat HEAD',
  'npm test',
  'ls ..',
  'node --version',
];
const PLAN = {
  ...{ files: [], folders: [], foldersGone: [], unseen: [], isWatched: true },
  ...{ uncovered: [], manifests: [] },
  commands: [...DONE, ...LOOKED],
};

describe('what an undo does not cover', () => {
  it('is no command that only looks, before it is done and after', () => {
    const at = { fs: createMemoryFileSystem(), workspace: '/', readBlob: () => Buffer.alloc(0) };
    expect(previewOf(PLAN, { goal: 'it', only: undefined }, at).commands).toEqual(DONE);
    expect(reportOf('undone', [], PLAN).commands).toEqual(DONE);
  });
});
