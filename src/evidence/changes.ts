/** For each question: the files that differ in the copy, and the command that runs there. */

import { alteredText } from '../languages/files/alterations.ts';
import type { InspectionDeps } from '../languages/files/inspection.ts';
import type { Installed } from '../languages/language.ts';
import { belongsToTests, isTestPath, languageOf } from '../languages/languages.ts';
import { allTestsOf, printingTests, runsTests } from '../languages/testing/test-runs.ts';
import { sameFile } from '../probe/named-facts.ts';
import type { Proof } from '../schema/plan.ts';
import type { Evidence, TrialQuestion } from './evidence.ts';
import { testsIn, withTestsOf } from './inner-tests.ts';
import { steersTests } from './tests-of.ts';
import { type ChangedFile, madeIn, type RunWork, type WorkPort } from './work.ts';

export interface AlteredCopy {
  readonly command: Proof;
  readonly changes: ReadonlyMap<string, Uint8Array | null>;
  /** The folder within the copy where the command runs. */
  readonly cwd?: string | undefined;
}

export type ChangesPort = Pick<WorkPort, 'world'> & {
  readonly installed: Installed;
  inspectionDeps(): InspectionDeps;
};
interface ProofPlan {
  readonly evidence: Evidence;
  readonly work: RunWork;
}

const NO_CODE = ')]}\n';

/** Returns `null` when the question would change nothing. */
export async function changesFor(
  question: TrialQuestion,
  run: ChangesPort,
  plan: ProofPlan,
): Promise<AlteredCopy | null> {
  const all = await changesOf(question, run, plan);
  if (all === null || !('own' in question && question.own)) return all;
  const made = madeIn(plan.work);
  const unchangedTests = plan.work.disk.files.filter(
    (path) => isTestPath(path) && !made.includes(path),
  );
  return {
    ...all,
    changes: new Map([...all.changes, ...unchangedTests.map((path) => [path, null] as const)]),
  };
}

async function changesOf(
  question: TrialQuestion,
  run: ChangesPort,
  plan: ProofPlan,
): Promise<AlteredCopy | null> {
  const { evidence, work } = plan;
  const { proof } = evidence;
  const asBefore = (isIt: (path: string) => boolean, command = proof): AlteredCopy | null => {
    const files = work.changed.filter(({ path }) => isIt(path));
    const changes = filesBefore(files, work);
    return changes && { command, changes };
  };
  /** Also puts back the tests that stand in files of code. */
  const asTested = async (
    plain: AlteredCopy | null,
    path?: string,
    texts?: Texts,
  ): Promise<AlteredCopy | null> => {
    const inner = await innerAsBefore(run, plan, { only: path, texts });
    return plain && inner && { ...plain, changes: new Map([...inner, ...plain.changes]) };
  };
  const isUnasked = (path: string): boolean =>
    (steersTests(path, run, work) && !evidence.wantedTests.includes(path)) ||
    evidence.testData.includes(path);
  const same: AlteredCopy = { command: proof, changes: new Map() };
  switch (question.what) {
    case 'unchanged':
      return same;
    case 'first_proof':
      return { ...same, command: question.proof };
    case 'red':
      return { ...same, command: { cmd: question.run.cmd }, cwd: question.run.cwd };
    case 'call':
      return { command: { cmd: question.call.cmd }, changes: new Map() };
    case 'before':
      return asBefore(() => true);
    case 'example':
      return asBefore(() => true, question.example.command);
    case 'seen': {
      const named = { ...proof, cmd: printingTests(proof.cmd) };
      if (question.now) return { ...same, command: named };
      const made = madeIn(work);
      // New test files go: a test in them may have the name of one that was red. Other new files stay,
      // because the red tests may need them.
      return asTested(
        asBefore((path) => isUnasked(path) && (isTestPath(path) || !made.includes(path)), named),
      );
    }
    case 'old_code':
      return asBefore((path) => !belongsToTests(path) && !evidence.testData.includes(path));
    case 'old_tests':
      return asTested(
        asBefore(
          (path) => isUnasked(path) && (question.path === undefined || path === question.path),
          testCommand(run, evidence, work),
        ),
        question.path,
      );
    case 'old_tests_emptied': {
      const tests = asBefore(isUnasked, testCommand(run, evidence, work));
      const text = await altered({ what: 'emptied', path: question.path }, run, evidence, work);
      return tests === null || text === null
        ? null
        : { ...tests, changes: new Map([...tests.changes, [question.path, Buffer.from(text)]]) };
    }
    case 'given_tests': {
      const command = givenTestRun(run, evidence, work, question.path);
      const { code } = question;
      const given =
        command &&
        asBefore((path) => code === 'old' || (code === 'new' && isUnasked(path)), command);
      return code === 'new' ? asTested(given) : given;
    }
    case 'altered':
    case 'respaced': {
      const texts = placesAltered(question, run);
      if (question.what === 'respaced' || !question.isOld)
        return { ...same, changes: bytesOf(texts) };
      const old = asBefore((path) => !texts.has(path));
      const tests = await testsAlone(texts, work);
      return old && tests && { ...old, changes: new Map([...old.changes, ...bytesOf(tests)]) };
    }
    case 'altered_old_tests': {
      const texts = placesAltered(question, run);
      const others = await asTested(asBefore(isUnasked), undefined, texts);
      return others && { ...others, changes: new Map([...bytesOf(texts), ...others.changes]) };
    }
    case 'put_back':
      return asBefore((path) => question.paths.includes(path));
    case 'blank':
    case 'broken': {
      const text = question.what === 'blank' ? '' : NO_CODE;
      return { ...same, changes: new Map([[question.path, Buffer.from(text)]]) };
    }
    case 'failing': {
      const { failing } = languageOf(question.path);
      return failing === undefined
        ? null
        : { ...same, changes: new Map([[question.path, Buffer.from(failing)]]) };
    }
    case 'without': {
      const isIt = sameFile(question.path);
      // The goal may name a folder; then all files below it go.
      const isBelow = (path: string): boolean => path.startsWith(`${question.path}/`);
      const gone = work.disk.files.filter((path) => isIt(path) || isBelow(path));
      return gone.length === 0
        ? null
        : { ...same, changes: new Map(gone.map((path) => [path, null])) };
    }
    case 'emptied':
    case 'constant':
    case 'no_value': {
      const text = await altered(question, run, evidence, work);
      const changes = 'tests' in question ? (question.tests ?? []) : [];
      const tests = bytesOf(placesAltered({ what: 'altered', changes }, run));
      return text === null
        ? null
        : { ...same, changes: new Map([...tests, [question.path, Buffer.from(text)]]) };
    }
    default:
      return question satisfies never;
  }
}

type Texts = ReadonlyMap<string, string>;

/**
 * Files of code as they are now, or with these texts, but with the tests in them as they were before the run.
 * @param only limits this to one file
 */
async function innerAsBefore(
  { world }: ChangesPort,
  { evidence: { innerTests }, work }: ProofPlan,
  { only, texts }: { readonly only?: string | undefined; readonly texts?: Texts | undefined },
): Promise<AlteredCopy['changes'] | null> {
  const changes = new Map<string, Uint8Array | null>();
  const code = work.changed.map(({ path }) => path).filter((path) => !belongsToTests(path));
  for (const path of (texts ? code : innerTests).filter((one) => (only ?? one) === one)) {
    const now = texts?.get(path) ?? world.readText(path) ?? '';
    if (texts && testsIn(path, now).size === 0) continue;
    const text = await withTestsOf(oldText(path, work) ?? '', path, now);
    if (text === null) return null;
    changes.set(path, Buffer.from(text));
  }
  return changes;
}

type Placed = Extract<TrialQuestion, { what: 'altered' | 'altered_old_tests' | 'respaced' }>;

const bytesOf = (texts: Texts): AlteredCopy['changes'] =>
  new Map([...texts].map(([path, text]) => [path, Buffer.from(text)]));

function placesAltered(question: Placed, { world }: ChangesPort): Texts {
  const places =
    question.what === 'respaced'
      ? question.changes.map((one) => ({ ...one, to: ` ${one.from}` }))
      : question.what === 'altered'
        ? question.changes
        : [question.change];
  const paths = new Set(places.map(({ path }) => path));
  const textOf = (path: string): string =>
    alteredText(
      world.readText(path) ?? '',
      places.filter((one) => one.path === path),
    );
  return new Map([...paths].map((path) => [path, textOf(path)]));
}

/** The altered tests. A file of code with tests in it gets its earlier code. */
async function testsAlone(texts: Texts, work: RunWork): Promise<Texts | null> {
  const all = new Map(texts);
  for (const [path, now] of texts) {
    const was = testsIn(path, now).size > 0 ? oldText(path, work) : null;
    const text = was === null ? now : await withTestsOf(now, path, was);
    if (text === null) return null;
    all.set(path, text);
  }
  return all;
}

function oldText(path: string, { changed, contentOf }: RunWork): string | null {
  const hash = changed.find((one) => one.path === path)?.before ?? null;
  const bytes = hash === null ? null : contentOf(hash);
  return bytes === null ? null : Buffer.from(bytes).toString('utf8');
}

/** Returns `null` when an earlier content was not kept. */
export function filesBefore(
  files: readonly ChangedFile[],
  work: RunWork,
): AlteredCopy['changes'] | null {
  const changes = new Map<string, Uint8Array | null>();
  for (const { path, before: hash } of files) {
    const bytes = hash === null ? null : work.contentOf(hash);
    if (hash !== null && bytes === null) return null;
    changes.set(path, bytes);
  }
  return changes;
}

/** Alters the functions that are new in the file; all of them if the run did not change the file. */
async function altered(
  { what, path }: Extract<TrialQuestion, { what: 'emptied' | 'constant' | 'no_value' }>,
  run: ChangesPort,
  { ownTests, code }: Evidence,
  work: RunWork,
): Promise<string | null> {
  const text = run.world.readText(path);
  if (text === null || (ownTests.length === 0 && code.length === 0)) return null;
  const old = oldText(path, work);
  const { emptied, givingConstants, endingAtValues } = languageOf(path);
  const alter = { emptied, constant: givingConstants, no_value: endingAtValues }[what];
  return (await alter?.(path, text, old, run.inspectionDeps())) ?? null;
}

/** The proof, or a run of the existing tests if the proof could not run before this run or runs no tests. */
function testCommand(run: ChangesPort, evidence: Evidence, work: RunWork): Proof {
  const { proof, isTestRun, isNew } = evidence;
  return isTestRun && !isNew ? proof : (givenTestRun(run, evidence, work) ?? proof);
}

/**
 * A command that runs the tests of before the run; `null`: no known runner runs any. If no language names a
 * command, or if the tests stand in files of code, the proof's own program runs all tests.
 * @param of asks only for the runner of this file
 */
function givenTestRun(
  { installed }: ChangesPort,
  { changedTests, innerTests, proof }: Evidence,
  { changed, disk }: RunWork,
  of?: string,
): Proof | null {
  const isByProof = of === undefined ? innerTests.length > 0 : !languageOf(of).runs;
  const all = isByProof ? allTestsOf(proof.cmd) : null;
  if (all !== null) return { cmd: all };
  const made = madeIn({ changed });
  const existing = [...disk.files.filter((path) => !made.includes(path)), ...changedTests].filter(
    belongsToTests,
  );
  for (const path of of === undefined ? existing : [of]) {
    const language = languageOf(path);
    const own = existing.filter((one) => languageOf(one) === language);
    const run = language.runs?.testRun(own, installed);
    if (run && runsTests(run.cmd)) return { cmd: run.cmd };
  }
  return null;
}
