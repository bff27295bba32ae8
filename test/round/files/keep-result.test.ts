import { expect, it } from 'vitest';
import { storeResult } from '../../../src/round/files/keep-result.ts';

/** What a run keeps, with room for so many bytes. */
function keeping(room: number, before = 0) {
  const kept: { id: string; text: string; bytes: number }[] = [];
  let keptBytes = before;
  const context = {
    get state() {
      return { keptBytes };
    },
    keepText: (text: string) => text,
    record: ({ data }: { data: { id: string; blob: string; bytes: number } }) => {
      keptBytes += data.bytes;
      kept.push({ id: data.id, text: data.blob, bytes: data.bytes });
    },
  };
  const run = { context, outputLimits: { command: room, run: room } } as never;
  return { kept, keep: (id: string, text: string) => storeResult(run, id, text) };
}

it('results are kept whole until a run has no room, then their beginning and end, then nothing', () => {
  const { kept, keep } = keeping(20_000);
  keep('a', 'a'.repeat(9_000));
  keep('b', `${'b'.repeat(9_000)}middle${'e'.repeat(9_000)}`);
  keep('c', 'c'.repeat(9_000));
  expect(kept.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(kept[1]?.text).toMatch(/^b{5000,}\n\[\.\.\. \d+ bytes left out \.\.\.\]\ne{5000,}$/);
  expect(kept[1]?.bytes).toBeLessThan(11_200);
});

it('what a run kept before it was cut off counts', () => {
  const { kept, keep } = keeping(20_000, 19_000);
  keep('a', 'a'.repeat(9_000));
  expect(kept).toEqual([]);
});
