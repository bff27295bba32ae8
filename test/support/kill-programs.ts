/** Programs that leave a witness outside everything a run tracks: a file in the home folder. */

/** Appends its label to the witness, so that every time it ran is counted. */
const STEP = `import { appendFileSync } from 'node:fs';
import { homedir } from 'node:os';
const [label, how] = process.argv.slice(2);
appendFileSync(homedir() + '/witness.log', label + '\\n');
console.log('step ' + label + (how === 'fail' ? ' failed' : ' done'));
process.exitCode = how === 'fail' ? 1 : 0;
`;

/** Says how often a label is in the witness. */
const LOOK = `import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
const [label] = process.argv.slice(2);
const witness = homedir() + '/witness.log';
const lines = existsSync(witness) ? readFileSync(witness, 'utf8').split('\\n') : [];
console.log('seen ' + label + ' ' + lines.filter((line) => line === label).length);
`;

/**
 * Does not care for being asked to end. Where the home folder has a file \`hold\`, it and a child of
 * it go on for ever; their pids are in \`pids\`.
 */
const SLEEPER = `import { spawn } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
const [label, role] = process.argv.slice(2);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
if (role === 'child' || existsSync(homedir() + '/hold')) {
  if (role !== 'child') spawn(process.execPath, [process.argv[1], label, 'child']);
  setInterval(() => {}, 1000);
  appendFileSync(homedir() + '/pids', process.pid + '\\n');
} else {
  appendFileSync(homedir() + '/witness.log', label + '\\n');
  console.log('step ' + label + ' done');
}
`;

const LONG_TEXT = (name: string): string =>
  Array.from({ length: 30 }, (_, line) => `${name}, line ${line}: nothing of interest is here.\n`)
    .join('')
    .slice(0, 1400);

/** What lies in the workspace before a run. */
export const SEEDS: { readonly [file: string]: string } = {
  'step.mjs': STEP,
  'look.mjs': LOOK,
  'sleeper.mjs': SLEEPER,
  'input.txt': 'The input is 42.\n',
  'one.txt': LONG_TEXT('one'),
  'two.txt': LONG_TEXT('two'),
};
