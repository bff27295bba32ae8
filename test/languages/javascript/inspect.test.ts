import { afterEach, describe, expect, it } from 'vitest';
import { examineFile } from '../../../src/languages/files/examine-file.ts';
import { type Folder, folderOf, NO_PROGRAMS } from '../inspection-support.ts';

let folder: Folder | null = null;
afterEach(() => {
  folder?.dispose();
  folder = null;
});

function problemsOf(path: string, files: { readonly [path: string]: string }) {
  folder = folderOf(files, NO_PROGRAMS);
  return examineFile(path, folder.deps).then((facts) => facts.problems);
}

const MATHX =
  'export function add(a, b) {\n  return a + b;\n}\nexport const half = (a, digits = 2) => a / digits;\n';

describe('A JavaScript or JSON file that is right', () => {
  const right: { readonly [name: string]: { readonly [path: string]: string } } = {
    'a module with .js': {
      'a.js': "import fs from 'node:fs';\nconsole.log(await fs.promises.stat('.'));\n",
    },
    'a script with .js': {
      'a.js': "const fs = require('fs');\nconsole.log(fs.existsSync('.'));\n",
    },
    'top-level await without an import': {
      'a.js': 'const x = await Promise.resolve(1);\nconsole.log(x);\n',
    },
    'a script with a shebang': { 'a.cjs': '#!/usr/bin/env node\n"use strict";\nconsole.log(1);\n' },
    'a template with a fence': { 'a.mjs': 'console.log(`\n\\`\\`\\`\n// TODO: in a text\n`);\n' },
    'an empty handler': {
      'a.mjs': 'process.on("SIGINT", () => {});\nfunction noop() {}\nnoop();\n',
    },
    'tests of a module': {
      'mathx.mjs': MATHX,
      'mathx.test.mjs':
        "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add, half as h } from './mathx.mjs';\n\ntest('add', () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(h(2), 1);\n});\n",
    },
    'scripts that need each other': {
      'a.js': "const { add } = require('./b');\nconsole.log(add);\n",
      'b.js': 'module.exports = { add: 1 };\n',
    },
    'JSON with a byte order mark': { 'a.json': '\ufeff{"a": 1}' },
    'JSON that may hold comments': { 'tsconfig.json': '{ // why\n "a": 1 }' },
    'a text, an empty log': { 'notes.txt': 'TODO: buy milk\n```\n', 'a.log': '' },
    'a comment that describes code': {
      'a.mjs': '// Your code is read here\n// Add the rest of the code\nconsole.log(1);\n',
    },
    'a script of a page': {
      'index.html': '<script src="a.js"></script>\n',
      'a.js': 'function add(a, b) {\n  return a + b;\n}\n',
    },
    'a script that a page calls': {
      'b.js': "function show() {\n  document.title = 'x';\n}\n",
    },
    'functions that are exported, in each way': {
      'a.cjs': 'function add(a, b) {\n  return a + b;\n}\nexports.add = add;\n',
      'b.js': 'class A {}\nmodule.exports = A;\n',
      'c.mjs': 'function add() {\n  return 1;\n}\nexport { add };\n',
      'd.mjs': 'const add = () => 1;\nexport default add;\n',
    },
    'settings without a function': { 'a.js': 'const PORT = 80;\n' },
    'a todo app': {
      'todo.mjs': '// TODO list app\nconst todos = [];\nconsole.log(todos); // TODO items\n',
    },
  };
  for (const [name, files] of Object.entries(right))
    it(`has no problem: ${name}`, async () => {
      for (const path of Object.keys(files)) {
        expect([path, ...(await problemsOf(path, files))]).toEqual([path]);
        folder?.dispose();
      }
    });
});

describe('A JavaScript or JSON file with a fault', () => {
  const faults: readonly (readonly [
    string,
    string,
    { readonly [path: string]: string },
    RegExp,
  ])[] = [
    [
      'a module that does not parse',
      'a.mjs',
      { 'a.mjs': "import fs from 'fs';\nexport const a = ;\n" },
      /^line 2: does not parse, .*export const a = ;/,
    ],
    [
      'a script that does not parse',
      'a.js',
      { 'a.js': 'const x = 1;\nfoo(;\n' },
      /^line 2: does not parse/,
    ],
    [
      'a file wrapped in a fence',
      'a.mjs',
      { 'a.mjs': '```js\nconsole.log(1);\n```\n' },
      /^line 1: a ``` mark/,
    ],
    ['JSON that does not parse', 'a.json', { 'a.json': '{"a": 1,\n"b" 2}' }, /is not valid JSON/],
    ['an empty text', 'notes.txt', { 'notes.txt': '' }, /is empty/],
  ];
  for (const [name, path, files, wanted] of faults)
    it(`says where and what to do: ${name}`, async () => {
      expect((await problemsOf(path, files))[0]).toMatch(wanted);
    });

  it('a file that is missing is said to be missing, a folder is not read', async () => {
    folder = folderOf({ 'sub/a.txt': 'x' });
    expect(await examineFile('b.txt', folder.deps)).toEqual({
      path: 'b.txt',
      exists: false,
      problems: ['the file does not exist: write it'],
    });
    expect((await examineFile('sub', folder.deps)).problems).toEqual([]);
  });
});

describe('The description of a JavaScript file', () => {
  it('names exports, and what is asked', async () => {
    folder = folderOf({
      'mathx.mjs': MATHX,
      'b.cjs': 'function add(a) { return a; }\nmodule.exports = { add };\n',
      'game.mjs':
        "import readline from 'node:readline/promises';\nconst rl = readline.createInterface({ input: process.stdin });\nconst a = await rl.question('Rock or paper? ');\nconsole.log(a);\n",
    });
    const mathx = await examineFile('mathx.mjs', folder.deps);
    expect(mathx.defines).toEqual(['add()', 'half()']);
    expect((await examineFile('b.cjs', folder.deps)).defines).toEqual(['add()']);
    const game = await examineFile('game.mjs', folder.deps);
    expect(game.prompts).toEqual(['Rock or paper? ']);
  });
});
