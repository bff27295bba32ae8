/** Calls, and what they do with files and results. */
import { normaliseResult } from '../../src/context-manager/loop-detector.ts';
import { examineFile } from '../../src/languages/files/examine-file.ts';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { runSync } from '../../src/lib/interruptible.ts';
import { normalisedCall } from '../../src/tools/calls/normalise-call.ts';
import { validateCall } from '../../src/tools/calls/validate-call.ts';
import { splitCommand } from '../../src/tools/commands/split-command.ts';
import { closestLines } from '../../src/tools/files/closest-lines.ts';
import { droppedText } from '../../src/tools/files/losses.ts';
import { replacing } from '../../src/tools/files/replace-text.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import { truncateMiddle } from '../../src/tools/truncate.ts';
import { resolveInWorkspace } from '../../src/workspace/jail.ts';
import { judgePath } from '../../src/workspace/path-rules.ts';
import { type Case, K, names, times } from './size-case.ts';

const replaceText = (...asked: Parameters<typeof replacing>) => runSync(replacing(...asked));

const tools = builtinTools({} as never);
const fs = createMemoryFileSystem();
fs.mkdir('/w');

const look = (path: string, text: string) =>
  examineFile(path, {
    workspace: '/w',
    readText: () => text,
    exists: () => true,
    processes: {
      run: async () =>
        ({ kind: 'exited', exitCode: 0, signal: null, output: '', durationMs: 1 }) as never,
    },
    program: async () => null,
    runtime: '/bin/false',
    env: {},
    signal: new AbortController().signal,
  });

const UNITS = [
  ` `,
  `\n`,
  `"`,
  `word `,
  `a`,
  `{(`,
  `\`\${`,
  `/* `,
  `/*\n`,
  `//`,
  `def f(a):\n`,
  `function f(a) {\n`,
  `function f(){}\n`,
  `func f() int {}\n`,
  `\`\`\`py\n`,
  `import a from './b'\n`,
  `a = `,
  `. `,
  `\\n`,
  `<a b={`,
  `= /a[`,
];
const LOOKS = ['js', 'md', 'go', 'json'].flatMap((ending) =>
  UNITS.map(
    (unit): Case => [
      `look at ${ending}: ${JSON.stringify(unit)}`,
      50_000,
      (n) => look(`a.${ending}`, `x${times(unit, n)}y`),
    ],
  ),
);

export const CALLS: readonly Case[] = [
  [
    'call: unknown names',
    4 * K,
    (n) => normalisedCall({ id: 'a', name: 'read_file', args: names(n) }, tools),
  ],
  [
    'call: unknown names, validated',
    4 * K,
    (n) => validateCall({ id: 'a', name: 'read_file', args: names(n) }, tools),
  ],
  [
    'call: huge tool name',
    1024 * K,
    (n) => normalisedCall({ id: 'a', name: 'x '.repeat(n), args: {} }, tools),
  ],
  [
    'call: path of ../',
    64 * K,
    (n) => resolveInWorkspace(fs, '/w', times('../', n), { platform: 'linux', forWrite: true }),
  ],
  [
    'call: path a/../',
    64 * K,
    (n) => resolveInWorkspace(fs, '/w', times('a/../', n), { platform: 'linux', forWrite: true }),
  ],
  ['call: path of one name', 64 * K, (n) => judgePath('x'.repeat(n))],
  ['edit: old_text of blank lines', 64 * K, (n) => closestLines('a\nb\n', `${'\n'.repeat(n)}x`)],
  [
    'edit: long old lines',
    64 * K,
    (n) => closestLines(times('a b c\n', 40 * K), `${' '.repeat(n)}x\n`),
  ],
  [
    'edit: old_text and file long',
    64 * K,
    (n) => closestLines(times('alpha beta gamma delta\n', n), times('alpha beta gama delto\n', n)),
  ],
  [
    'edit: 5000 wide lines',
    512 * K,
    (n) =>
      closestLines(
        times(`${times('word ', 300)}\n`, n),
        times(`${times('ward word ', 300)}\n`, 20 * K),
      ),
  ],
  [
    'edit: many occurrences',
    64 * K,
    (n) => replaceText('a'.repeat(n), 'a', 'b', { all: false, isTooLong: () => false }),
  ],
  [
    'edit: many lines, many occurrences',
    64 * K,
    (n) => replaceText('a\n'.repeat(n), 'a', 'b', { all: false, isTooLong: () => false }),
  ],
  [
    'edit: replace all in one line',
    64 * K,
    (n) => replaceText('a'.repeat(n), 'a', 'b', { all: true, isTooLong: () => false }),
  ],
  [
    'edit: replace all \\r\\n',
    64 * K,
    (n) => replaceText('a\r\n'.repeat(n), 'a', 'b', { all: true, isTooLong: () => false }),
  ],
  [
    'write: losses python',
    256 * K,
    (n) => droppedText('a.py', times('def f(a):\n    return 1\n\n', n), 'x = 1\n'),
  ],
  [
    'write: losses python one line',
    256 * K,
    (n) => droppedText('a.py', times('def f(a): ', n), 'x = 1\n'),
  ],
  ['write: losses js spaces', 128 * K, (n) => droppedText('a.js', `${' '.repeat(n)}x`, 'x = 1\n')],
  [
    'write: losses js names',
    256 * K,
    (n) => droppedText('a.js', times('export function f(a) { return 1 }\n', n), 'x = 1\n'),
  ],
  [
    'write: losses js open comment',
    128 * K,
    (n) => droppedText('a.js', times('/* ', n), times('`${', n)),
  ],
  [
    'write: losses js regex',
    128 * K,
    (n) => droppedText('a.js', times('= /[', n), times('a</', n)),
  ],
  [
    'write: losses go',
    128 * K,
    (n) => droppedText('a.go', times('func (a ', n), times('type ( ', n)),
  ],
  [
    'write: losses txt',
    256 * K,
    (n) => droppedText('a.txt', times('def a\n', n), times('class X {\n', n)),
  ],
  ['write: losses json', 256 * K, (n) => droppedText('a.json', times('{"a":', n), times('[', n))],
  ['result: truncated', 1024 * K, (n) => truncateMiddle(times('ab\n', n), 4000)],
  ['result: normalised', 32 * K, (n) => normaliseResult(times('0x1f 12:30:11 0.3s /tmp/a1 ', n))],
  ['result: normalised digits', 32 * K, (n) => normaliseResult('1'.repeat(n))],
  ['result: normalised hex', 32 * K, (n) => normaliseResult('a'.repeat(n))],
  ['result: normalised spaces', 32 * K, (n) => normaliseResult(`${' '.repeat(n)}x`)],
  ['command: spaces', 16 * K, (n) => splitCommand(`a ${' '.repeat(n)}b`, 'linux')],
  ['command: words', 16 * K, (n) => splitCommand(times('a ', n), 'linux')],
  ['command: quotes on win32', 16 * K, (n) => splitCommand(`a "C:\\${times('\\"', n)}"`, 'win32')],
  [
    'command: operator',
    16 * K,
    (n) => splitCommand(`${times('a 1', n)} && ${times('a 1', n)}`, 'linux'),
  ],
  ['command: redirect', 16 * K, (n) => splitCommand(`a${' '.repeat(n)}b > c`, 'linux')],
  ...LOOKS,
];
