/** Pure: whether a file imports or requires, and the lines with which it gets what others offer. */
import { posix } from 'node:path';
import type { ForFile, OfferingFile } from '../language.ts';
import { withoutComments } from './exports.ts';
import { isRunnable } from './files.ts';

/**
 * Decided by its extension, by the nearest package.json, by its own text, then by the other files; node decides the
 * rest by syntax.
 */
export function isModule(others: readonly string[], { path, readText }: ForFile): boolean {
  if (/\.[cm]js$/.test(path)) return path.endsWith('.mjs');
  const type = packageType(path, readText);
  if (type !== null) return type === 'module';
  const texts = [path, ...others].map((one) => withoutComments(readText(one) ?? ''));
  const telling = texts.find((text) => IMPORTS.test(text) || REQUIRES.test(text));
  return telling === undefined || IMPORTS.test(telling);
}

const IMPORTS = /^[ \t]*(?:import\b(?!\s*\()|export\b)/m;
const REQUIRES = /\brequire\(|\bmodule\.exports\b|^exports\./m;

/** What the nearest package.json says about `.js` files; `null`: nothing. */
function packageType(path: string, readText: ForFile['readText']): string | null {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const text = readText(posix.join(folder, 'package.json'));
    if (text !== null) return /"type"\s*:\s*"(module|commonjs)"/.exec(text)?.[1] ?? null;
    if (folder === '.' || folder === '/') return null;
  }
}

export function importLines(files: readonly OfferingFile[], forFile: ForFile): readonly string[] {
  const offering = files.filter(({ path, defines }) => isRunnable(path) && defines.length > 0);
  const asModule = isModule(
    offering.map(({ path }) => path),
    forFile,
  );
  return offering.map(({ path, defines }) => {
    const names = defines.map((signature) => signature.replace(/\(.*$/, '')).join(', ');
    const from = relativeFrom(forFile.path, path);
    const line = asModule
      ? `import { ${names} } from '${from}';`
      : `const { ${names} } = require('${from}');`;
    return `${line}   // ${defines.join('; ')}`;
  });
}

function relativeFrom(own: string, path: string): string {
  const relative = posix.relative(posix.dirname(own), path);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** What a test file needs for its runner, if node is installed. */
export const runnerLines = (forFile: ForFile): readonly string[] =>
  isModule([], forFile)
    ? ["import test from 'node:test';", "import assert from 'node:assert/strict';"]
    : ["const test = require('node:test');", "const assert = require('node:assert/strict');"];
