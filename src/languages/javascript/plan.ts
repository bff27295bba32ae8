/** What a plan that writes JavaScript must hold: its tests, under names that node's own runner finds. Pure. */
import { posix } from 'node:path';
import type { PlannedWork, PlanRules } from '../plan-rules.ts';
import { isRunnable, isTest } from './files.ts';

export const plan: PlanRules = { fault: (work) => noTests(work) ?? otherName(work) };

function noTests(work: PlannedWork): string | null {
  if (!lacksTests(work)) return null;
  const code = work.changes.find((file) => isRunnable(file) && !isTest(file)) ?? 'NAME.js';
  return `No subtask writes the tests: keep ${work.changes.join(', ')} and add a write_file of a file ${testNameOf(code)}.`;
}

const testNameOf = (file: string): string => file.replace(/\.([cm]?js)$/, '.test.$1');

/** However they are called: another runner may know them by another name. */
const lacksTests = ({ wantsTests, proof, changes, hasTests }: PlannedWork): boolean =>
  (wantsTests || /^node --test\b/.test(proof)) &&
  changes.some(isRunnable) &&
  !hasTests &&
  !changes.some((file) => /tests?\b|spec/i.test(file.replaceAll('_', ' ')));

/** As other languages and other runners call them; `testing.js` is none. */
const OTHER_NAME =
  /^(?:tests?(?:[_-]|(?=[A-Z]))(.+)|(.+?)(?:[._-](?:spec|tests)|(?<=[a-z0-9])Tests?))\.([cm]?js)$/;

/** Names that the goal gives, and tests that are there, stay; so do those of a project with a runner of its own. */
function otherName({ goal, writes, files }: PlannedWork): string | null {
  if (files.some((file) => isTest(file) || posix.basename(file) === 'package.json')) return null;
  for (const file of writes) {
    const base = posix.basename(file);
    const [, behind, before, ending] = OTHER_NAME.exec(base) ?? [];
    if (ending !== undefined && !goal.includes(base))
      return `Call ${file} ${posix.join(posix.dirname(file), `${behind ?? before}.test.${ending}`)}, and run it with node --test: it finds tests by that name.`;
  }
  return null;
}
