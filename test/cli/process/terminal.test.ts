import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askOn, terminalSizeOf } from '../../../src/cli/process/terminal.ts';

test('the size of a window is the present one, also before the signal of a resize', () => {
  const stream = {
    columns: 80,
    rows: 24,
    _refreshSize() {
      this.columns = 33;
    },
  };
  expect(terminalSizeOf(stream as unknown as NodeJS.WriteStream)).toEqual({
    columns: 33,
    rows: 24,
  });
});

test('a question that is not answered ends its line', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end();
  expect(await askOn('Work here? [y/N] ', { input, output })).toBeNull();
  expect(String(output.read())).toBe('Work here? [y/N] \n');
});
