/** CommonJS in a file that its ending makes an ES module. */
import { describe, expect, it } from 'vitest';
import { commonJsProblems } from '../../../src/languages/javascript/required.ts';

const said = (code: string, path = 'a.mjs') => commonJsProblems(path, code);

describe('a .mjs file', () => {
  it.each([
    [
      'const fs = require(\'fs\');\n\nconst { join, sep: dash } = require("node:path")\n',
      [
        "line 1: a .mjs file has no require: write import fs from 'fs';",
        'line 3: a .mjs file has no require: write import { join, sep as dash } from "node:path";',
      ],
    ],
    [
      "\nconst text = require('fs').readFileSync('a');\n",
      ['line 2: a .mjs file has no require: write an import at the top'],
    ],
    [
      'function a() {}\nmodule.exports = { a };\nconsole.log(__dirname);\n',
      [
        'line 2: a .mjs file has no module.exports: write export before what others use',
        'line 3: a .mjs file has no __dirname: name files as seen from where it is run',
      ],
    ],
  ])('has nothing of CommonJS: %j', (code, problems) => {
    expect(said(code)).toEqual(problems);
  });

  it('may make a require of its own, and other files have one', () => {
    const own =
      "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n";
    expect(said(`${own}const fs = require('fs');\n`)).toEqual([]);
    expect(said("const fs = require('fs');\n", 'a.js')).toEqual([]);
    expect(said('loader.require("a"); page.module.exports = 1;\n')).toEqual([]);
  });
});
