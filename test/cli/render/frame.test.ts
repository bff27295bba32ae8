import { expect, test } from 'vitest';
import { frameOf } from '../../../src/cli/render/frame.ts';
import { createStyle } from '../../../src/cli/render/style.ts';
import { startView, type View } from '../../../src/cli/render/view.ts';

const style = createStyle({ LANG: 'C.UTF-8', NO_COLOR: '1' }, 'linux', false);

function statusAt(columns: number, pieces: number): string[] {
  const view = startView('A goal', null, 0);
  const busy: View = {
    ...view,
    contextShare: 0.38,
    cost: { usd: 1.25, isLeast: false },
    activity: { ...view.activity, firstWordAt: 1_000, pieces },
  };
  const frame = frameOf(busy, { lines: [], line: '' }, { columns, rows: 24 }, 11_000, style);
  return frame.slice(1);
}

test('of the state no word is cut: where it is too long the speed is left out', () => {
  expect(statusAt(40, 250)).toEqual([
    '0:11 · 25 tok/s · context 38 % · $1.25',
    'Ctrl+C pauses, nothing is lost',
  ]);
  expect(statusAt(40, 12_500)).toEqual([
    '0:11 · context 38 % · $1.25',
    'Ctrl+C pauses, nothing is lost',
  ]);
  expect(statusAt(80, 12_500)).toEqual([
    '0:11 · 1250 tok/s · context 38 % · $1.25 · Ctrl+C pauses, nothing is lost',
  ]);
});
