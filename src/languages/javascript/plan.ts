/** What a plan that writes JavaScript must hold, and what its tests are called and run with. Pure. */
import { posix } from 'node:path';
import { asksForTests } from '../goal-words.ts';
import type { Completion, Habit, PlannedWork, PlanRules } from '../plan-rules.ts';
import { isRunnable, isTest } from './files.ts';

export const plan: PlanRules = {
  fault: (work) =>
    lacksTests(work)
      ? `No subtask writes the tests: keep ${work.changes.join(', ')} and add a write_file of a file ${testNameOf(codeOf(work))}.`
      : null,
  complete,
  habit,
};

const codeOf = ({ changes }: PlannedWork): string =>
  changes.find((file) => isRunnable(file) && !isTest(file)) ?? 'NAME.js';

const testNameOf = (file: string): string => file.replace(/\.([cm]?js)$/, '.test.$1');

/** However they are called: another runner may know them by another name. */
const lacksTests = ({ goal, proof, changes, hasTests }: PlannedWork): boolean =>
  (asksForTests(goal) || /^node --test\b/.test(proof)) &&
  changes.some(isRunnable) &&
  !hasTests &&
  !changes.some((file) => /tests?\b|spec/i.test(file.replaceAll('_', ' ')));

function complete(work: PlannedWork): Completion {
  const code = codeOf(work);
  const file = testNameOf(code);
  const added = { description: 'Tests', file, purpose: `tests of ${code}` };
  return { renamed: null, added: lacksTests(work) ? added : null };
}

/** As other languages and other runners call them; `testing.js` is none. */
const BEFORE = /^tests?(?:[_-]|(?=[A-Z]))(.+)\.([cm]?js)$/;
const BEHIND = /^(.+?)(?:[._-](?:spec|tests)|(?<=[a-z0-9])Tests?)\.([cm]?js)$/;
/** Runners that are not here unless a project brings them. */
const RUNNERS = /^(?:(?:npx|yarn|pnpm)\s+)?(?:jest|mocha|vitest|ava|tape?)\b/;

/**
 * Tests are called NAME.test.js, with the ending of what they test, and run by node's own runner,
 * which finds them by that name. Names that the goal gives, and tests that are there, stay.
 */
function habit({ goal, writes, files }: PlannedWork): Habit {
  const renamed = new Map<string, string>();
  const all = [...writes.map(({ file }) => file), ...files];
  for (const { file } of writes)
    if (!goal.includes(posix.basename(file)) && !files.includes(file)) {
      const to = usualName(file, all);
      if (to !== null && !all.includes(to)) renamed.set(file, to);
    }
  const tests = [...writes.map(({ file }) => renamed.get(file) ?? file)].filter(isTest);
  const hasRunner = files.some((file) => isTest(file) || posix.basename(file) === 'package.json');
  const runsAll = tests.some(isRunnable) && !hasRunner;
  return { renamed, command: (cmd) => (runsAll ? usualCommand(cmd, renamed, tests) : cmd) };
}

function usualName(file: string, all: readonly string[]): string | null {
  const [, name, ending] =
    BEFORE.exec(posix.basename(file)) ?? BEHIND.exec(posix.basename(file)) ?? [];
  if (name === undefined) return null;
  const tested = all.find((one) => isRunnable(one) && nameOf(one) === flat(name));
  const stem = tested === undefined ? `${name}.${ending}` : posix.basename(tested);
  return posix.join(posix.dirname(file), testNameOf(stem));
}

const flat = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const nameOf = (file: string): string => flat(posix.basename(file).replace(/\.[cm]?js$/, ''));

function usualCommand(
  cmd: string,
  renamed: ReadonlyMap<string, string>,
  tests: readonly string[],
): string {
  const words = cmd.trim().split(/\s+/);
  const named = words
    .map((word) => word.replace(/^\.\//, ''))
    .map((word) => renamed.get(word) ?? word);
  const isTestAlone =
    named[0] === 'node' &&
    named.slice(1).every((word) => word === '--test' || tests.includes(word));
  const isOtherRunner = RUNNERS.test(cmd) || /^npm (?:run )?t(?:est)?$/.test(cmd.trim());
  return (isTestAlone && named.length > 1) || isOtherRunner ? 'node --test' : cmd;
}
