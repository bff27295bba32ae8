/** A plan that writes JavaScript, in JavaScript's habits: node's own test runner and its names. */
import { describe, expect, it } from 'vitest';
import { importLines } from '../../../src/languages/import-lines.ts';
import { javascript } from '../../../src/languages/javascript/javascript.ts';
import {
  answerOf,
  planContext,
  proofOf,
  run,
  targetsOf,
  write,
} from '../../support/plan-context.ts';

const goal = 'Write a queue in JavaScript with tests';

describe('tests of JavaScript', () => {
  it.each([
    [['queue.js', 'test_queue.js'], ['queue.js', 'queue.test.js'], 'node test_queue.js'],
    [['queue.mjs', 'test_queue.js'], ['queue.mjs', 'queue.test.mjs'], 'node --test test_queue.js'],
    [['src/queue.js', 'tests/test-queue.js'], ['src/queue.js', 'tests/queue.test.js'], 'npm test'],
    [['queue.js', 'queue.spec.js'], ['queue.js', 'queue.test.js'], 'npx jest'],
    [['queue.js', 'queueTests.js'], ['queue.js', 'queue.test.js'], 'node ./queueTests.js'],
    [['queue.js', 'queue.test.js'], ['queue.js', 'queue.test.js'], 'node queue.test.js'],
    [['queue.js', 'queue_test.js'], ['queue.js', 'queue_test.js'], 'mocha'],
  ])('%j become %j, run by node --test', (planned, files, cmd) => {
    const answer = answerOf(
      planned.map((file) => write(file)),
      { cmd, prints: 'passed' },
    );
    expect(targetsOf(answer, planContext(goal))).toEqual(files);
    expect(proofOf(answer, planContext(goal))).toEqual({ cmd: 'node --test' });
  });

  it('that are also a step are run once', () => {
    const steps = [write('queue.js'), write('test_queue.js'), run('node test_queue.js')];
    const answer = answerOf(steps, { cmd: 'node test_queue.js' });
    expect(targetsOf(answer, planContext(goal))).toEqual(['queue.js', 'queue.test.js']);
  });

  it.each([
    ['the goal names them', 'Write queue.js and its tests in test_queue.js', {}, 'test_queue.js'],
    ['they are there', goal, { 'test_queue.js': '' }, 'test_queue.js'],
    ['they are none', goal, { 'queue.test.js': '' }, 'testing.js'],
  ])('keep their names where %s', (_, said, files, name) => {
    const answer = answerOf([write('queue.js'), write(name)], { cmd: 'node queue.js' });
    expect(targetsOf(answer, planContext(said, {}, files))).toContain(name);
  });

  it('are run as the project runs them where it has a package.json or tests', () => {
    const files = { 'package.json': '{"scripts":{"test":"tap"}}', 'old.test.js': '' };
    const answer = answerOf([write('a.js'), write('test_a.js')], { cmd: 'npm test' });
    expect(proofOf(answer, planContext(goal, {}, files))).toEqual({ cmd: 'npm test' });
  });

  it('are missed where the goal asks for them, and put in at the last try', () => {
    const answer = answerOf([write('queue.mjs')], { cmd: 'node queue.mjs' });
    expect(targetsOf(answer, planContext(goal))).toMatch(/of a file queue\.test\.mjs\./);
    expect(targetsOf(answer, planContext(goal, { isLastTry: true }))).toEqual([
      'queue.mjs',
      'queue.test.mjs',
    ]);
    expect(targetsOf(answer, planContext('Write a queue'))).toEqual(['queue.mjs']);
  });
});

describe('what a JavaScript file imports', () => {
  const lines = (own: string, files: { readonly [path: string]: string }, from = 'lib/queue.js') =>
    importLines(
      [{ path: from, defines: ['push(item)', 'SIZE'] }],
      own,
      new Set(['node']),
      (path) => files[path] ?? null,
    ).split('\n');
  const esm = "import { push, SIZE } from './lib/queue.js';   // push(item); SIZE";
  const cjs = "const { push, SIZE } = require('./lib/queue.js');   // push(item); SIZE";

  it.each([
    ['an ending that says so', 'main.mjs', {}, esm],
    ['the other ending', 'main.cjs', { 'package.json': '{"type":"module"}' }, cjs],
    ['package.json', 'main.js', { 'package.json': '{ "type" : "module" }' }, esm],
    ['package.json with the other type', 'main.js', { 'package.json': '{"type":"commonjs"}' }, cjs],
    ['what is there', 'main.js', { 'lib/queue.js': 'module.exports = { push, SIZE };' }, cjs],
    ['what is there, as a module', 'main.js', { 'lib/queue.js': 'export const SIZE = 3;' }, esm],
    ['what the file is', 'main.js', { 'main.js': "const fs = require('fs');" }, cjs],
    ['nothing', 'main.js', {}, esm],
  ])('goes by %s', (_, own, files, line) => {
    expect(lines(own, files)).toEqual(['You can import:', line]);
  });

  it('comes with the lines of the test runner, relative to the test', () => {
    expect(lines('test/queue.test.js', { 'package.json': '{}' })).toEqual([
      'Its first lines are:',
      "import test from 'node:test';",
      "import assert from 'node:assert/strict';",
      "import { push, SIZE } from '../lib/queue.js';   // push(item); SIZE",
    ]);
    expect(lines('lib/queue.test.cjs', {})[1]).toBe("const test = require('node:test');");
    expect(lines('lib/queue.test.cjs', {})[3]).toContain("require('./queue.js')");
  });

  it('is told of Python only in Python, of all in a document, of none in code and data of others', () => {
    const told = (own: string) =>
      importLines([{ path: 'a.py', defines: ['f(x)'] }], own, new Set(['node']), () => null);
    expect(told('main.py')).toContain('from a import f');
    expect(told('README.md')).toContain('from a import f');
    expect([told('main.mjs'), told('data.json'), told('notes.txt')]).toEqual(['', '', '']);
  });
});

describe('a JavaScript file that only defines', () => {
  it.each([
    'export function add(a, b) {\n  return a + b;\n}\n',
    "'use strict';\nconst fs = require('fs');\nfunction add(a) {\n  return a;\n}\nmodule.exports = { add };\n",
    'export const add = (a, b) => a + b;\nexport class Store {\n}\n',
  ])('does nothing when it is run: %j', (text) => {
    expect(javascript.onlyDefines?.(text)).toBe(true);
  });

  it.each([
    'function main() {\n  console.log(1);\n}\nmain();\n',
    'console.log(1);\n',
    'const total = add(1, 2);\nfunction add(a, b) {\n  return a + b;\n}\n',
    'for (const one of [1]) {\n}\n',
    '',
  ])('or does something: %j', (text) => {
    expect(javascript.onlyDefines?.(text)).toBe(false);
  });
});
