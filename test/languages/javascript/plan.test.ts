/** A plan that writes JavaScript, in JavaScript's habits: node's own test runner and its names. */
import { describe, expect, it } from 'vitest';
import { importLines } from '../../../src/languages/files/import-lines.ts';
import { javascript } from '../../../src/languages/javascript/javascript.ts';
import { answerOf, planContext, targetsOf, write } from '../../support/plan-context.ts';

const goal = 'Write a queue in JavaScript with tests';

describe('tests of JavaScript', () => {
  const tests = { quote: 'mit Tests' };
  const brief = { examples: [], keep: [], removes: [], tests };

  it.each([
    [['queue.js', 'test_queue.js'], 'test_queue.js queue.test.js'],
    [['src/queue.mjs', 'tests/test-queue.mjs'], 'tests/test-queue.mjs tests/queue.test.mjs'],
    [['queue.js', 'queue.spec.js'], 'queue.spec.js queue.test.js'],
    [['queue.js', 'queueTests.js'], 'queueTests.js queue.test.js'],
  ])('of %j are asked for by the name that they are found by', (planned, names) => {
    const answer = answerOf(
      planned.map((file) => write(file)),
      { cmd: 'node --test' },
    );
    expect(targetsOf(answer, planContext(goal))).toBe(
      `Call ${names}, and run it with node --test: it finds tests by that name.`,
    );
    expect(targetsOf(answer, planContext(goal, { isLastTry: true }))).toEqual(planned);
  });

  it.each([
    ['the goal names them', 'Write queue.js and its tests in test_queue.js', {}, 'test_queue.js'],
    ['they are there', goal, { 'test_queue.js': '' }, 'test_queue.js'],
    ['they are none', goal, { 'queue.test.js': '' }, 'testing.js'],
    ['a project says how they are run', goal, { 'package.json': '{}' }, 'test_queue.js'],
  ])('keep their names where %s', (_, said, files, name) => {
    const answer = answerOf([write('queue.js'), write(name)], { cmd: 'node queue.js' });
    expect(targetsOf(answer, planContext(said, {}, files))).toContain(name);
  });

  it('are missed where the goal asks for them, and once', () => {
    const answer = answerOf([write('queue.mjs')], { cmd: 'node queue.mjs' });
    expect(targetsOf(answer, planContext(goal, { brief }))).toMatch(/of a file queue\.test\.mjs\./);
    const last = planContext(goal, { brief, isLastTry: true });
    expect(targetsOf(answer, last)).toEqual(['queue.mjs']);
    expect(targetsOf(answer, planContext(goal))).toEqual(['queue.mjs']);
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
