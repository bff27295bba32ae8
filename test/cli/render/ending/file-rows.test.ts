import { expect, test } from 'vitest';
import { fileLines } from '../../../../src/cli/render/ending/file-rows.ts';
import { createStyle } from '../../../../src/cli/render/text/style.ts';
import { runState } from '../../support.ts';

const STYLE = createStyle({ env: {}, platform: 'linux' }, { isTerminal: false });
const change = { before: null, after: 'b', isUnseen: false, seq: 7 };

/** @param built how many files a build made */
function rowsWith(built: number): string {
  const made = Array.from({ length: built }, (_, place) => `build/part${place}.o`);
  const files = Object.fromEntries(made.map((path) => [path, change]));
  const patches = [...made, 'build/own.txt', 'src/a.c'].map(
    (path) => ({ path, kind: 'new', lines: { added: 1, removed: 0 } }) as const,
  );
  const state = runState({ commandChanges: { files, uncovered: {}, more: 0 } });
  const result = { ending: 'unverified', detail: '', state } as const;
  return fileLines({ result: result as never, patches, apply: '' }, STYLE, 200).join('\n');
}

test('files of a build are counted by folder where not all can be named, and what the model wrote is named', () => {
  expect(rowsWith(19)).toMatch(
    /^ {2}new {6}build\/own\.txt\S* .*, src\/a\.c .*, build\/ \(19 files\) \(by commands, except build\/own\.txt and src\/a\.c\)$/s,
  );
  expect(rowsWith(3)).toContain('build/part2.o');
});
