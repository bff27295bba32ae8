/** Gathers what is known of a run whose proof passed, before any trial runs in the scratch copy. */

import {
  bearsOnTests,
  belongsToTests,
  isDataPath,
  isDependency,
  isDocument,
  isTestPath,
  languageOf,
} from '../languages/languages.ts';
import { defined } from '../lib/defined.ts';
import { printsExactly } from '../probe/command-verdict.ts';
import { sameFile } from '../probe/named-facts.ts';
import { isEdit } from '../schema/capability.ts';
import { traitsOf } from '../schema/driver.ts';
import type { NamedFact } from '../schema/evidence.ts';
import { exampleText } from '../schema/model/brief.ts';
import { type Proof, subtasksOf } from '../schema/plan.ts';
import type { RecordOf } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { alterableIn } from './alterable.ts';
import { maybeUncovered } from './beyond.ts';
import type { Evidence, RedRun, TriedExample } from './evidence.ts';
import { expectedIn } from './expected.ts';
import { noticeableIn } from './noticeable.ts';
import {
  type ChangedOfProof,
  canRun,
  changedOfProof,
  isKnownTestRun,
  namesNew,
  onlyReads,
} from './program-of-proof.ts';
import { renamesIn } from './renamed.ts';
import { type TestsOfRun, testsOf } from './tests-of.ts';
import { takesTheirPlace } from './trials/named-proof.ts';
import { judgedBy, type Proofs, type ProofsTold } from './trials/proofs.ts';
import {
  type ChangedFile,
  commandView,
  isCode,
  isThereIn,
  madeIn,
  type RunWork,
  sourcesOf,
  textBefore,
  type WorkPort,
} from './work.ts';

interface EvidenceSources {
  readonly proofs: ProofsTold;
  readonly work: RunWork;
  readonly named: readonly NamedFact[];
  readonly calls: Evidence['calls'];
}

/** `null` if no proof ran. */
export function evidenceOf(
  run: WorkPort,
  { proofs, work, named, calls }: EvidenceSources,
): Evidence | null {
  const { goal } = run.context.state;
  const { earlier, before, last, examples, ofTemplate, reds, ...told } = proofs(
    traitsOf(run.context.state.settings).mendsByItself,
  );
  if (last === null) return null;
  const asked = last.check as Proof;
  const proof = judgedBy(goal, asked);
  const isThere = (path: string): boolean => run.world.exists(path);
  const sources = sourcesOf(run, work);
  const ownSources = sources.changed.filter(isChanged);
  const isWritten = (path: string): boolean => run.context.state.files[path]?.written === true;
  const code = ownSources.filter(({ path }) => isOwnCode(path) && isThere(path));
  const canStillRun = (one: RedRun): boolean => canRun(one, work.disk.files, isThere);
  const isNamed = (path: string): boolean => named.some((one) => sameFile(one.path)(path));
  const tests = testsOf(run, sources, proof, isNamed);
  // A goal names a test to judge by it, but names settings to have them changed.
  const isWanted = (path: string): boolean => isNamed(path) && !belongsToTests(path);
  const isTestRun = isKnownTestRun(proof, commandView(run, work));
  const isChosen = isChosenByUser(run, proof, tests.given);
  const ofProof = givenFacts(run, work, { asked, isNamed });
  return {
    proof,
    ...shownBy(last),
    ...{ isTestRun, isReading: onlyReads(proof, run.toolContext.fs.platform) },
    before: before === null || !saysSomething(before, proof, work) ? null : before.was,
    isNew:
      (isTestRun && tests.given.length === 0) ||
      namesNew(proof.cmd, work) ||
      ofProof.changedOfProof.isNew,
    newCode: newCodeIn(ownSources, isWritten),
    hasGivenTests: tests.given.length > 0,
    ...testFacts(run, work, tests, isWanted),
    askedTests: run.context.state.withTests ? tests.own.filter(isTestPath) : null,
    code: code.length > 0 ? pathsOf(code) : namedCode(work, named),
    alterable: alterableIn(run, work, isWritten, isTestRun),
    hasChangedOldCode: code.some((file) => file.before !== null),
    ...otherWork(work.changed.filter(isChanged), work.newPackages),
    ...{ ...ofProof, ...told, expectedIn: expectedIn(run, sources, asked) },
    reds: isChosen ? [] : reds.filter(canStillRun).map((one) => withOwner(one, work)),
    noticeable: isChosen ? [] : noticeableIn(run, work, ownSources, isNamed),
    ineffectiveEdits: ineffectiveEdits(run.context.state),
    aside: maybeUncovered(work, (path) => isWritten(path) || isNamed(path)),
    earlierProofs: earlier.filter(({ proof: one }) => canStillRun(one)),
    namedInputs: inputsOf(run, work, named),
    examples: {
      held: triedThat(true, examples),
      failed: triedThat(false, examples),
      others: literalIn(run.context.state.brief).filter((says) => !examples.has(says)),
    },
    ...{ stated: statedBy(ofTemplate, asked, String(last.printed ?? '')), calls },
    ignoredInputs: ignoredInputs(run.context.state, code, run.world.readText),
    ownTestsProve: traitsOf(run.context.state.settings).ownTestsProve,
  };
}

const isChanged = ({ before, after }: ChangedFile): boolean => before !== after;

const shownBy = ({
  printed,
  facts,
}: RecordOf<'check_ran'>): Pick<Evidence, 'printed' | 'tests'> => ({
  printed: printed === undefined ? null : String(printed),
  ...defined({ tests: facts.tests }),
});

/** What failed before packages were installed may have failed only because they were missing. */
const saysSomething = (
  { cmd, was }: NonNullable<Proofs['before']>,
  proof: Proof,
  work: RunWork,
): boolean => cmd === proof.cmd && !(was === 'failing' && work.hasInstalled);

const pathsOf = (files: readonly { readonly path: string }[]): readonly string[] =>
  files.map(({ path }) => path);

/** A file that must only stay unchanged does not have to be used. */
const inputsOf = (
  { context }: WorkPort,
  work: RunWork,
  named: readonly NamedFact[],
): readonly string[] =>
  pathsOf(named.filter(({ became }) => became === 'used' || became === 'not_known'))
    .filter((path) => isThereIn(work, path))
    .filter((path) => !context.state.brief?.keep?.some((one) => sameFile(one.path)(path)));

const isGiven = ({ context }: WorkPort, { cmd }: Proof): boolean =>
  cmd === context.state.givenProof;

const givenFacts = (
  run: WorkPort,
  work: RunWork,
  { asked: proof, isNamed: isAsked }: { asked: Proof; isNamed: (path: string) => boolean },
) => ({
  isGiven: isGiven(run, proof),
  changedOfProof: changedOfCommand(run, proof, work, isAsked),
});

/** What a command runs and the run has changed. @param isAsked true for a file that the goal names */
export const changedOfCommand = (
  run: WorkPort,
  command: Pick<Proof, 'cmd'>,
  work: RunWork,
  isAsked: (path: string) => boolean = () => false,
): ChangedOfProof =>
  changedOfProof(command, {
    ...{ ...commandView(run, work), changed: work.changed, isAsked },
    files: [...new Set([...work.disk.files, ...pathsOf(work.changed)])],
    textBefore: (path) => textBefore(path, run, work),
  });

/** @param tests that existed before the run */
const isChosenByUser = (run: WorkPort, proof: Proof, tests: readonly string[]): boolean =>
  isGiven(run, proof) ||
  takesTheirPlace(proof, { goal: run.context.state.goal, tests, readText: run.world.readText });

function testFacts(
  run: WorkPort,
  work: RunWork,
  tests: TestsOfRun,
  isWanted: (path: string) => boolean,
): Pick<
  Evidence,
  | 'changedTests'
  | 'innerTests'
  | 'testData'
  | 'renames'
  | 'newSettings'
  | 'ownTests'
  | 'wantedTests'
> {
  const made = madeIn(work);
  const judging = [...tests.inner, ...tests.data];
  const isOwn = (path: string): boolean => isWanted(path) && !judging.includes(path);
  const changedTests = tests.changed.filter((path) => !isOwn(path));
  return {
    changedTests,
    renames: renamesIn(changedTests, {
      goal: run.context.state.goal,
      files: work.disk.files,
      before: (path) => textBefore(path, run, work),
      now: run.world.readText,
    }),
    newSettings: tests.changed.filter((path) => made.includes(path)),
    ownTests: tests.own,
    innerTests: tests.inner,
    testData: tests.data,
    wantedTests: tests.changed.filter(isOwn),
  };
}

const otherWork = (
  really: readonly ChangedFile[],
  brought: readonly string[],
): Pick<Evidence, 'hasOtherWork' | 'ownDependencies' | 'changedPaths'> => ({
  changedPaths: pathsOf(really),
  hasOtherWork: really.some(({ path }) => !bearsOnTests(path) && !isDependency(path)),
  ownDependencies: [
    ...really.flatMap(({ path, after }) => (after !== null && isDependency(path) ? [path] : [])),
    ...brought,
  ],
});

const ineffectiveEdits = ({ plan, files }: RunState): readonly string[] =>
  (plan ? subtasksOf(plan) : []).flatMap(({ step }) => {
    if (step === undefined || !isEdit(step)) return [];
    const { baseline = null, hash = null } = files[step.target] ?? {};
    return baseline !== null && baseline === hash ? [step.target] : [];
  });

const triedThat = (held: boolean, examples: Proofs['examples']): readonly TriedExample[] =>
  [...examples.values()].filter(({ holds }) => holds === held);

/**
 * What the template says that its proof prints, if that is the whole output. A proof itself passes with more
 * output, and with other punctuation: -5 for 5.
 */
const statedBy = (
  template: Proof | null,
  { cmd, prints = '', stdin }: Proof,
  printed: string,
): string | null =>
  template?.cmd === cmd &&
  template.prints === prints &&
  template.stdin === stdin &&
  prints.trim() !== '' &&
  printsExactly(printed, prints)
    ? prints
    : null;

const literalIn = (brief: RunState['brief']): readonly string[] =>
  (brief?.examples ?? []).flatMap((one) =>
    one.literal && one.gives !== undefined ? exampleText(one) : [],
  );

/** The example's calls whose function uses none of its arguments: it gives the same result for any input. */
const ignoredInputs = (
  { brief }: RunState,
  code: readonly ChangedFile[],
  readText: WorkPort['world']['readText'],
): readonly string[] =>
  (brief?.examples ?? []).flatMap((one) => {
    const { input, literal } = one;
    if (input.how !== 'call' || input.args.length === 0 || literal !== true) return [];
    const isIgnored = code.some(
      ({ path }) => languageOf(path).ignoresInput?.(readText(path) ?? '', input.name) === true,
    );
    return isIgnored ? [exampleText(one)] : [];
  });

/** Marks a red run of nothing but new tests. A runner may print only the end of a path. */
function withOwner(run: RedRun, { changed, disk }: RunWork): RedRun {
  const made = madeIn({ changed });
  const all = [...new Set([...disk.files, ...pathsOf(changed)])];
  const isOwn = (file: string): boolean => {
    const meant = all.filter(sameFile(file));
    return meant.length > 0 && meant.every((path) => made.includes(path));
  };
  return run.files?.every(isOwn) ? { ...run, isOwn: true } : run;
}

const isOwnCode = (path: string): boolean => isCode(path) && !belongsToTests(path);

/** New code. In an unknown language that is what tools wrote, and not what a build made. */
const newCodeIn = (
  really: readonly ChangedFile[],
  isWritten: (path: string) => boolean,
): readonly string[] =>
  madeIn({ changed: really }).filter(
    (path) => isOwnCode(path) || (isWritten(path) && isWork(path)),
  );

const isWork = (path: string): boolean =>
  !bearsOnTests(path) && !isDataPath(path) && !isDocument(path);

/** When the run wrote only tests: the code that the goal wants tested. */
const namedCode = ({ disk }: RunWork, named: readonly NamedFact[]): readonly string[] =>
  named.flatMap(({ path }) => disk.files.filter(sameFile(path))).filter((path) => isOwnCode(path));
