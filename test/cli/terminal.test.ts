import { expect, test } from 'vitest';
import { sizeOf } from '../../src/cli/terminal.ts';

test('the size of a window is the present one, also before the signal of a resize', () => {
  const stream = {
    columns: 80,
    rows: 24,
    _refreshSize() {
      this.columns = 33;
    },
  };
  expect(sizeOf(stream as unknown as NodeJS.WriteStream)).toEqual({ columns: 33, rows: 24 });
});
