import { expect, it } from 'vitest';
import { type Notes, notesAfter } from '../../../../src/cli/render/records/notes.ts';
import { createStyle } from '../../../../src/cli/render/text/style.ts';
import { workTree } from '../../../../src/cli/render/work/work-tree.ts';
import type { FileChange } from '../../../../src/schema/actions.ts';

const { glyphs } = createStyle(
  { env: { LANG: 'C.UTF-8' }, platform: 'linux' },
  { isTerminal: false },
);

const after = (notes: Notes, ...files: readonly FileChange[]): Notes =>
  notesAfter(
    notes,
    { type: 'action_intended', class: 'write', args: {}, files } as never,
    { type: 'action_finished', id: '1.1#1#0', status: 'ok' } as never,
  );

it('a file that was moved stands where it is now, and one that was removed is said to be', () => {
  const moved: FileChange[] = [
    { path: 'README.md', before: null, after: 'a', from: 'readme.md' },
    { path: 'readme.md', before: 'a', after: null },
  ];
  const gone: FileChange = { path: 'dead.go', before: 'b', after: null };
  const notes = after(after({}, ...moved), gone);
  const plan = {
    tasks: [
      {
        id: '1',
        description: 'Rename',
        subtasks: [{ id: '1.1', purpose: 'Rename', status: 'completed' }],
      },
    ],
  };
  const lines = workTree({ plan, notes, proof: null } as never, glyphs);
  expect(lines.slice(1).map(({ text, note }) => `${text.trim()} ${note}`)).toEqual([
    `${glyphs.ok} README.md from readme.md`,
    `${glyphs.ok} dead.go removed`,
  ]);
});

it('a file that is written again after it was removed is no removed one', () => {
  const again = after(after({}, { path: 'a.txt', before: 'a', after: null }), {
    path: 'a.txt',
    before: null,
    after: 'b',
    lines: { added: 2, removed: 0 },
  });
  expect(again['1.1']).toEqual([{ kind: 'file', path: 'a.txt', added: 2, removed: 0 }]);
});
