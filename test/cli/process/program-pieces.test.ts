import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programPieces } from '../../../src/cli/process/program-pieces.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tardigrade-pieces-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const other = (id: string): unknown => ({ asked: id });
const cache = (): string => join(home, 'cache');
const kept = (): string => join(cache(), 'start.cjs.compiled');

function write(name: string, text: string): string {
  const file = join(home, name);
  writeFileSync(file, text);
  return file;
}

/** One start of the program that keeps what it compiled; what its first piece exports. */
function start(file: string): unknown {
  const pieces = programPieces(cache(), crc32, other);
  const found = pieces.load(file);
  pieces.keep(true);
  return found;
}

const ANSWER = (answer: string): string =>
  `"use strict";exports.answer=()=>"${answer}";exports.said=exports.answer()`;

test('pieces find each other, once each, and what is not a piece', () => {
  write('part.cjs', 'exports.times = (globalThis.pieceTimes = (globalThis.pieceTimes ?? 0) + 1)');
  const text =
    'const a = require("./part.cjs"), b = require("./part.cjs"); module.exports = [a === b, a.times, require("node:fs").asked]';
  const file = write('start.cjs', text);
  expect(start(file)).toEqual([true, 1, 'node:fs']);
  expect(start(file)).toEqual([true, 2, 'node:fs']);
  expect(readdirSync(cache()).sort()).toEqual(['part.cjs.compiled', 'start.cjs.compiled']);
});

test('another source of the same length is never answered by what was compiled before', () => {
  const file = write('start.cjs', ANSWER('one'));
  start(file);
  write('start.cjs', ANSWER('two'));
  expect(start(file)).toMatchObject({ said: 'two' });
  expect(start(file)).toMatchObject({ said: 'two' });
});

test.skipIf(process.platform === 'win32')(
  'a device in the place of compiled code is not read',
  () => {
    const file = write('start.cjs', ANSWER('one'));
    mkdirSync(cache());
    // It never ends, as a pipe never begins.
    symlinkSync('/dev/zero', kept());
    expect(start(file)).toMatchObject({ said: 'one' });
    expect(lstatSync(kept()).isFile()).toBe(true);
  },
);

test('of compiled code that was changed anywhere nothing is used, and it is made anew', () => {
  const file = write('start.cjs', ANSWER('one'));
  start(file);
  const good = readFileSync(kept());
  const step = Math.max(1, Math.floor(good.length / 64));
  for (let at = 0; at < good.length; at += step) {
    const bad = Buffer.from(good);
    bad[at] = (bad[at] ?? 0) ^ 0x55;
    writeFileSync(kept(), bad);
    expect(start(file)).toMatchObject({ said: 'one' });
    expect(readFileSync(kept()).equals(bad)).toBe(false);
  }
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a stump', Buffer.from('abc')],
  ['noise', Buffer.alloc(4096, 0xa5)],
])('a file of compiled code with %s in it is as good as none', (_what, bytes) => {
  const file = write('start.cjs', ANSWER('one'));
  start(file);
  writeFileSync(kept(), bytes);
  expect(start(file)).toMatchObject({ said: 'one' });
});

test('code that V8 itself does not take is compiled, whatever its checksums say', () => {
  const file = write('start.cjs', ANSWER('one'));
  const code = Buffer.alloc(512, 1);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(crc32(readFileSync(file)), 0);
  head.writeUInt32LE(crc32(code), 4);
  mkdirSync(cache());
  writeFileSync(kept(), Buffer.concat([head, code]));
  expect(start(file)).toMatchObject({ said: 'one' });
});

test('where nothing can be kept the program runs all the same', () => {
  writeFileSync(cache(), 'a file where the folder should be');
  expect(start(write('start.cjs', ANSWER('one')))).toMatchObject({ said: 'one' });
});

test('what only a later one of the first starts has used is kept, too; then nothing is written any more', () => {
  const much = Array.from({ length: 200 }, (_, at) => `sum+=given[${at}]*${at};`).join('');
  const body = `(given)=>{let sum=0;${much}return sum}`;
  const file = write('start.cjs', `exports.parts=[${Array(5).fill(body).join(',')}]`);
  const sizes = [0, 1, 2, 3, 4].map((part) => {
    const pieces = programPieces(cache(), crc32, other);
    const { parts } = pieces.load(file) as { parts: ((given: readonly number[]) => number)[] };
    parts[part]?.([]);
    pieces.keep(true);
    return readFileSync(kept()).length;
  });
  const [first = 0, second = 0, third = 0, fourth = 0, fifth] = sizes;
  const grown = [second - first, third - second, fourth - third];
  expect(grown.map((bytes) => bytes > 1000)).toEqual([true, true, true]);
  expect(fifth).toBe(fourth);
});

test('a start that has used little keeps what there is of a piece where nothing is kept, and leaves the rest', () => {
  const file = write('start.cjs', 'exports.one=()=>1;exports.two=()=>2;module.exports.said=3');
  const little = () => {
    const pieces = programPieces(cache(), crc32, other);
    pieces.load(file);
    pieces.keep(false);
    return readFileSync(kept());
  };
  const first = little();
  expect(little().equals(first)).toBe(true);
  start(file);
  expect(readFileSync(kept()).readUInt32LE(8)).toBe(2);
  expect(little().readUInt32LE(8)).toBe(2);
});

test('a stack names the file and the place in it', () => {
  const file = write('start.cjs', 'exports.fail=()=>{throw new Error("here")}');
  const { fail } = start(file) as { fail(): void };
  let stack = '';
  try {
    fail();
  } catch (error) {
    stack = String((error as Error).stack);
  }
  expect(stack).toContain(`${file}:1:25`);
});

test('a piece that cannot be read is an error with its name, each time', () => {
  const file = write('start.cjs', 'require("./gone.cjs")');
  const pieces = programPieces(cache(), crc32, other);
  expect(() => pieces.load(file)).toThrow('gone.cjs');
  expect(() => pieces.load(file)).toThrow('gone.cjs');
});
