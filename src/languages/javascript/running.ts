/** Pure: how JavaScript's programs and tests are run. */
import type { DescribedCall, ProgramRunning } from '../language.ts';
import { isNodeTest, isRunnable } from './files.ts';
import { testPrograms } from './test-programs.ts';

const NOTES =
  "JavaScript: a program is one file NAME.mjs that calls its main function at the end, run by: node NAME.mjs; what others use is exported: export function NAME; tests are test('...', () => { assert... }) in a file NAME.test.mjs that begins with: import test from 'node:test'; import assert from 'node:assert/strict'; and imports what it tests from './NAME.mjs', run by: node --test";

export const running: ProgramRunning = {
  // If it is not on the search path, the node that runs this program is used.
  programs: () => ['node'],
  canRun: (installed) => installed.has('node'),
  names: ['javascript', 'typescript', 'node.js', 'nodejs', 'npm'],
  notes: (installed) =>
    installed.has('node') ? NOTES : `${NOTES}; node is not installed here, so nothing can be run`,
  instead: 'JavaScript can be run by: node NAME.mjs',
  run: (file) => (isRunnable(file) ? `node ${file}` : null),
  filesRunBy: ([program = '', ...args]) => {
    const file = args.find((arg) => !arg.startsWith('-')) ?? '';
    return program === 'node' && isRunnable(file) ? [file] : [];
  },
  evaluates: (file) => (isRunnable(file) ? (call) => evaluation(file, call) : null),
  testRun: (tests) => (tests.some(isNodeTest) ? { cmd: 'node --test' } : null),
  testPrograms,
  // In TAP, output of a test cannot be mistaken for a test. The command's own reporter stays: a second one
  // would need a file.
  namingVariables: (cmd, readText) =>
    `${cmd} ${readText('package.json') ?? ''}`.includes('--test-reporter')
      ? null
      : { NODE_OPTIONS: '--test-reporter=tap' },
  planWords: () => ({
    file: (stem) => `${stem}.mjs`,
    test: (stem) => `${stem}.test.mjs`,
    run: (file) => `node ${file}`,
    testRun: 'node --test',
  }),
};

/**
 * The exports of a CommonJS module are also under `default`, in case node cannot detect their names. Single quotes, in
 * which no character has another meaning: the code contains none.
 */
function evaluation(file: string, { name, args, gives }: DescribedCall): string {
  const code = [
    'import { isDeepStrictEqual as same } from "node:util"',
    `const m = await import(${literal(`./${file}`)})`,
    `const v = await (m.${name} ?? m.default.${name})(${args.map(literal).join(', ')})`,
    'console.log("gives", JSON.stringify(v))',
    `process.exit(same(v, ${literal(gives)}) ? 0 : 1)`,
  ];
  return `node --input-type=module -e '${code.join('; ')}'`;
}

const literal = (value: unknown): string => JSON.stringify(value).replaceAll("'", '\\u0027');
