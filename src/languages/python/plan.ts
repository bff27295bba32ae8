/** What a plan that writes Python must hold: the package and the tests that its goal asks for. Pure. */
import { posix } from 'node:path';
import { asksForTests } from '../goal-words.ts';
import type { Completion, PlannedWork, PlanRules } from '../plan-rules.ts';
import { isTest, marksPackage, mayBeEmpty, owns } from './files.ts';
import { packageAskedFor } from './goal-package.ts';

export const plan: PlanRules = {
  fault: (work) => noPackageFault(work) ?? emptyPackageFault(work) ?? noTestsFault(work),
  complete,
};

/** A package in Python is a folder; a single module is something else. */
function noPackageFault(work: PlannedWork): string | null {
  const folder = missingPackage(work);
  return folder === null
    ? null
    : `The goal asks for a package: a folder ${folder} with ${folder}/__init__.py that holds the functions.`;
}

const UNNAMED = 'NAME';

/** The folder of the package that a goal asks for and a plan does not make. */
function missingPackage({ goal, writes, files }: PlannedWork): string | null {
  const written = writes.map(({ file }) => file);
  if (!written.some(owns) || [...written, ...files].some(marksPackage)) return null;
  const name = packageAskedFor(goal);
  return name === '' ? UNNAMED : name;
}

/** A purpose that names what the file defines, as `area(a, b)`, says that it is not empty. */
const DEFINES = /\w\(/;
const MARKER =
  /\b(empty|marker?s?|existence|initiali[sz]es?|package structure|makes? .* a package)\b/i;

/** Tests planned for a package whose only file is meant to hold nothing. */
function emptyPackageFault({ writes }: PlannedWork): string | null {
  const code = writes.filter(({ file }) => owns(file));
  const sources = code.filter(
    ({ file }) => !isTest(file) && (marksPackage(file) || !mayBeEmpty(file)),
  );
  const [first] = sources;
  const isEmpty =
    first !== undefined &&
    sources.length < code.length &&
    sources.every(
      ({ file, purpose }) => marksPackage(file) && MARKER.test(purpose) && !DEFINES.test(purpose),
    );
  return isEmpty
    ? `No file holds the code that is tested: put the functions into ${first.file} and name them in its purpose.`
    : null;
}

function noTestsFault(work: PlannedWork): string | null {
  return lacksTests(work)
    ? `No subtask writes the tests: keep ${work.changes.join(', ')} and add a write_file of a file test_NAME.py.`
    : null;
}

/** A test run as the proof needs a test: one that is there, or one that is planned. */
function lacksTests({ goal, proof, changes, hasTests }: PlannedWork): boolean {
  const wantsTests = /\bpytest\b|\bunittest\b/.test(proof) || asksForTests(goal);
  return wantsTests && changes.some(owns) && !hasTests;
}

/** The only module becomes what the package holds, and what is written gets its tests. */
function complete(work: PlannedWork): Completion {
  const renamed = asPackage(work);
  const to = (file: string): string => (file === renamed?.from ? renamed.to : file);
  const writes = work.writes.map((one) => ({ ...one, file: to(one.file) }));
  const changes = work.changes.map(to);
  const [file] = changes;
  if (file === undefined || !lacksTests({ ...work, writes, changes }))
    return { renamed, added: null };
  const name = marksPackage(file)
    ? posix.basename(posix.dirname(file))
    : posix.basename(file, '.py');
  return {
    renamed,
    added: { description: 'Tests', file: `test_${name}.py`, purpose: `tests of ${name}` },
  };
}

function asPackage(work: PlannedWork): Completion['renamed'] {
  const folder = missingPackage(work);
  const modules = work.writes.filter(({ file }) => /^\w+\.py$/.test(file) && !isTest(file));
  const [only] = modules;
  if (folder === null || folder === UNNAMED || only === undefined || modules.length !== 1)
    return null;
  return { from: only.file, to: `${folder}/__init__.py` };
}
