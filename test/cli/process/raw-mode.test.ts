import { expect, test } from 'vitest';
import { type RawInput, rawReading } from '../../../src/cli/process/raw-mode.ts';

/** Stops its read in the next tick, as Node's standard input does. */
function consoleOn(platform: NodeJS.Platform) {
  const did: string[] = [];
  const due: (() => void)[] = [];
  const exits: (() => void)[] = [];
  let isReading = false;
  const input = {
    isRaw: false as boolean,
    setRawMode: (isRaw: boolean) => {
      if (isRaw === input.isRaw) return;
      input.isRaw = isRaw;
      did.push(`${isRaw ? 'raw' : 'lines'}${isReading ? ' while it reads' : ''}`);
    },
    resume: () => {
      isReading = true;
    },
    pause: () => {
      due.push(() => {
        isReading = false;
      });
    },
    on: () => {},
    off: () => {},
  } satisfies RawInput & Record<string, unknown>;
  const read = rawReading({
    ...{ platform, input: () => input },
    later: (action) => due.push(action),
    onExit: (action) => exits.push(action),
  });
  return {
    did,
    read: () => read(() => {}),
    tick: () => {
      for (const action of due.splice(0)) action();
    },
    exit: () => {
      for (const action of exits) action();
    },
  };
}

test('on Windows raw mode is left once no read is under way any more', () => {
  const { did, read, tick } = consoleOn('win32');
  read()();
  tick();
  expect(did).toEqual(['raw', 'lines']);
});

test('on Windows it stays where the next reader begins in the same tick', () => {
  const { did, read, tick } = consoleOn('win32');
  const first = read();
  first();
  const second = read();
  tick();
  expect(did).toEqual(['raw']);
  second();
  tick();
  expect(did).toEqual(['raw', 'lines']);
});

test('elsewhere it is left at once, since the program may be stopped in this very tick', () => {
  const { did, read } = consoleOn('linux');
  read()();
  expect(did.at(0)).toBe('raw');
  expect(did.at(-1)).toMatch(/^lines/);
});

test.each(['win32', 'linux'] as const)('on %s it is left when the process ends', (platform) => {
  const { did, read, exit } = consoleOn(platform);
  read();
  exit();
  expect(did.at(-1)).toMatch(/^lines/);
});
