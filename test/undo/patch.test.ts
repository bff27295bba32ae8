import { describe, expect, it } from 'vitest';
import { patchOf } from '../../src/undo/patch.ts';

const difference = (before: string | null, after: string | null) => ({
  ...{ path: 'a.txt', isChangedSince: false, problem: '' },
  before: before === null ? null : Buffer.from(before),
  after: after === null ? null : Buffer.from(after),
});

describe('a change as lines', () => {
  it.each([
    ['of a new file begins before its first line', null, 'one\ntwo\n', '@@ -0,0 +1,2 @@'],
    ['of a removed file ends there', 'one\ntwo\n', null, '@@ -1,2 +0,0 @@'],
    ['of a changed one says both places', 'one\ntwo\n', 'one\nzwei\n', '@@ -1,2 +1,2 @@'],
  ])('%s', async (_case, before, after, head) => {
    expect((await patchOf(difference(before, after))).hunks.map((hunk) => hunk.head)).toEqual([
      head,
    ]);
  });

  it('of a file that may hold keys is counted, and shown only where a person names it', async () => {
    const secret = { ...difference('A=1\n', 'A=planted\n'), path: 'conf/.env' };
    const hidden = await patchOf(secret);
    expect(hidden).toMatchObject({ kind: 'changed', lines: { added: 1, removed: 1 }, hunks: [] });
    expect(hidden.problem).toContain('may hold keys');
    const [hunk] = (await patchOf(secret, true)).hunks;
    expect(hunk?.lines).toEqual(['-A=1', '+A=planted']);
  });
});
