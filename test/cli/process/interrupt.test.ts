import { expect, test } from 'vitest';
import { listenForInterrupt } from '../../../src/cli/process/interrupt.ts';
import { fakeTerminal } from '../support.ts';

function listen(platform: NodeJS.Platform = 'linux') {
  const terminal = fakeTerminal({ platform });
  const calls: string[] = [];
  const interrupt = listenForInterrupt(terminal, 130, {
    onFirst: () => void calls.push('first'),
    onSecond: () => void calls.push('second'),
  });
  return { terminal, calls, interrupt };
}

test('the first signal aborts and lets the process live', () => {
  const { terminal, calls, interrupt } = listen();
  terminal.send('SIGINT');
  expect(interrupt.signal.aborted).toBe(true);
  expect(calls).toEqual(['first']);
  expect(terminal.exits).toEqual([]);
});

test('the second signal puts the screen right and ends the process with 130', () => {
  const { terminal, calls } = listen();
  terminal.send('SIGINT');
  terminal.send('SIGINT');
  expect(calls).toEqual(['first', 'second']);
  expect(terminal.exits).toEqual([130]);
});

test('SIGTERM counts like Ctrl+C, also as the second one', () => {
  const { terminal, interrupt } = listen();
  terminal.send('SIGTERM');
  expect(interrupt.signal.aborted).toBe(true);
  expect(terminal.exits).toEqual([]);
  terminal.send('SIGINT');
  expect(terminal.exits).toEqual([130]);
});

test('Ctrl+Break is heard on Windows and nowhere else', () => {
  const windows = listen('win32');
  windows.terminal.send('SIGBREAK');
  expect(windows.interrupt.signal.aborted).toBe(true);
  const linux = listen('linux');
  linux.terminal.send('SIGBREAK');
  expect(linux.interrupt.signal.aborted).toBe(false);
});

test('the process ends even when the screen cannot be put right', () => {
  const terminal = fakeTerminal();
  listenForInterrupt(terminal, 130, {
    onSecond: () => {
      throw new Error('no screen');
    },
  });
  terminal.send('SIGINT');
  expect(() => terminal.send('SIGINT')).toThrow('no screen');
  expect(terminal.exits).toEqual([130]);
});

test('after dispose nothing listens any more', () => {
  const { terminal, interrupt } = listen('win32');
  interrupt.dispose();
  expect(terminal.leftovers()).toBe(0);
});

test('a Ctrl+C that is taken for something smaller stops nothing; the next one does', () => {
  const terminal = fakeTerminal();
  const taken = [true, false];
  const interrupt = listenForInterrupt(terminal, 130, {
    skips: () => taken.shift() ?? false,
  });
  terminal.send('SIGINT');
  expect(interrupt.signal.aborted).toBe(false);
  terminal.send('SIGINT');
  expect(interrupt.signal.aborted).toBe(true);
});

test('only Ctrl+C is taken for something smaller', () => {
  const terminal = fakeTerminal();
  const interrupt = listenForInterrupt(terminal, 130, { skips: () => true });
  terminal.send('SIGTERM');
  expect(interrupt.signal.aborted).toBe(true);
});
