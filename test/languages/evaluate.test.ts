/** What a goal says of a call, tried by the real programs. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DescribedCall } from '../../src/languages/language.ts';
import { languageOf } from '../../src/languages/languages.ts';
import { splitCommand } from '../../src/tools/commands/split-command.ts';

const FILES = {
  'tools.py': `def give(value, *more):\n    return value\n\ndef mean(numbers):\n    return sum(numbers) / len(numbers)\n`,
  'shop/prices.py': 'from tools import give\n\ndef price(name):\n    return give({"name": name})\n',
  'shop/__init__.py': '',
  'leaves.py': 'import sys\nsys.exit(0)\ndef give(value):\n    return value\n',
  'tools.mjs': 'export const give = (value) => value;\nexport const later = async () => 3;\n',
  'old.cjs': 'module.exports = Object.fromEntries([["give", (value) => value]]);\n',
};

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evaluate-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tried(file: string, call: DescribedCall) {
  const cmd = languageOf(file).runs?.evaluates?.(file)?.(call, new Set(['python3', 'node'])) ?? '';
  const [posix, windows] = [splitCommand(cmd, 'linux'), splitCommand(cmd, 'win32')];
  expect(windows).toEqual(posix);
  if (!posix.ok) throw new Error(posix.reason);
  const { status, stdout } = spawnSync(posix.program, posix.args, { cwd: folder });
  return { status, out: String(stdout) };
}

const ODD = ['it\'s "so" \\ $HOME `x`', { a: [1, -2.5, true, null] }, 'é\n'];

type Row = readonly [file: string, name: string, args: readonly unknown[], gives: unknown];

const HOLDING: readonly Row[] = [
  ['tools.py', 'mean', [[15, 17, 19]], 17],
  ['shop/prices.py', 'price', ['nail'], { name: 'nail' }],
  ['tools.mjs', 'later', [], 3],
  ['old.cjs', 'give', ['x'], 'x'],
  ['tools.py', 'give', [ODD], ODD],
  ['tools.mjs', 'give', [ODD], ODD],
];

describe('a call as a goal says it', () => {
  it.each(HOLDING)('%s: %s(%j) gives %j', (file, name, args, gives) => {
    const { status, out } = tried(file, { name, args, gives });
    expect(out).toContain('gives');
    expect(status).toBe(0);
  });

  it.each([
    ['tools.py', 'mean', [[1, 2]], 1, 'gives 1.5'],
    ['tools.mjs', 'give', ['a'], 'A', 'gives "a"'],
  ] as const)(
    'that does not hold ends badly and says what came: %s',
    (file, name, args, gives, said) => {
      const { status, out } = tried(file, { name, args, gives });
      expect(status).toBe(1);
      expect(out.trim()).toBe(said);
    },
  );

  it('is not taken for one that holds where the file ends the program', () => {
    expect(tried('leaves.py', { name: 'give', args: [1], gives: 1 }).out).not.toContain('gives');
  });

  it.each(['my-tools.py', '2nd.py', 'tools.ts', 'tools.go', 'notes.txt'])(
    'is not tried on %s',
    (file) => {
      expect(languageOf(file).runs?.evaluates?.(file) ?? null).toBeNull();
    },
  );
});
