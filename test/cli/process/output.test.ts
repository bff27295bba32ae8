import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { watchOutput, whenWritten } from '../../../src/cli/process/output.ts';

const failure = (code: string) => Object.assign(new Error(`${code}: write`), { code });

function watched() {
  const stdout = Object.assign(new EventEmitter(), { writableLength: 0 });
  const said: string[] = [];
  const watch = watchOutput(stdout, 'agent', (text) => said.push(text));
  return { stdout, said, watch };
}

test('output that a full disk does not take is said once, and is no success', () => {
  const { stdout, said, watch } = watched();
  expect(watch.exitCode(0)).toBe(0);
  stdout.emit('error', failure('ENOSPC'));
  stdout.emit('error', failure('ENOSPC'));
  expect(said).toEqual([
    'Error: The output could not be written (ENOSPC). The rest of it is lost; the run loses nothing.\n' +
      '  Next: See it again with `agent status` or `agent history --json`.\n',
  ]);
  expect(watch.exitCode(0)).toBe(8);
});

test('a reader that has gone away wanted no more, and changes nothing', () => {
  const { stdout, said, watch } = watched();
  stdout.emit('error', failure('EPIPE'));
  expect(said).toEqual([]);
  expect(watch.exitCode(9)).toBe(9);
});

test('a slow reader gets everything before the process ends', () => {
  vi.useFakeTimers();
  try {
    const stdout = { writableLength: 5000 };
    let isOver = false;
    whenWritten([stdout], 1500, () => {
      isOver = true;
    });
    vi.advanceTimersByTime(60_000);
    expect(isOver).toBe(false);
    stdout.writableLength = 0;
    vi.advanceTimersByTime(1500);
    expect(isOver).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
