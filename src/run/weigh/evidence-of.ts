/** What is known of a run whose proof passed, before the scratch copy is asked anything. */
import { bearsOnTests, belongsToTests, isTestPath } from '../../languages/languages.ts';
import { runsTests } from '../../languages/test-runs.ts';
import type { InPieces } from '../../lib/pieces.ts';
import { printsText } from '../../probe/command-verdict.ts';
import type { Evidence } from '../../probe/evidence.ts';
import { asksToChange, asksToChangeTests } from '../../probe/goal-kind.ts';
import { sameFile } from '../../probe/named-facts.ts';
import { inputsFor } from '../../probe/talk.ts';
import type { Run } from '../../round/run.ts';
import type { NamedFact } from '../../schema/evidence.ts';
import { type Proof, subtasksOf } from '../../schema/plan.ts';
import type { JournalRecord, RecordOf } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import { secondOf } from './second.ts';
import { eachOf, isCode, type Records, type Work, type WorkPort } from './work.ts';

type Checked = RecordOf<'check_ran'>;

export function* evidenceOf(
  run: WorkPort & Pick<Run, 'installed'>,
  { records, work, named }: { records: Records; work: Work; named: readonly NamedFact[] },
): InPieces<Evidence | null> {
  const { goal } = run.context.state;
  const { earlier, before, last, examples } = yield* proofsIn(records);
  if (last === null) return null;
  const asked = last.check as Proof;
  const proof = judgedBy(goal, asked);
  const isThere = (path: string): boolean => run.world.exists(path);
  const { changed } = work;
  const really = changed.filter((file) => file.before !== file.after);
  const newCode = really.filter((file) => file.before === null && isOwnCode(file.path));
  const tests = testsOf(work);
  const code = really.filter(({ path }) => isOwnCode(path) && isThere(path));
  const isNamed = (path: string): boolean => named.some((one) => sameFile(one.path)(path));
  // That a goal names a test says by which it is judged; settings are named to be changed.
  const isWanted = (path: string): boolean =>
    asksToChangeTests(goal) ||
    (isNamed(path) && (!belongsToTests(path) || asksToChange(goal, path)));
  const isTestRun = runsTests(proof.cmd);
  const programs = filesIn(proof.cmd, work);
  return {
    goal,
    proof,
    printed: last.printed === undefined ? null : String(last.printed),
    isTestRun,
    before: before === null || before.cmd !== proof.cmd ? null : before.was,
    isNew: (isTestRun && tests.given.length === 0) || namesNew(proof.cmd, work),
    hasNewCode: newCode.length > 0,
    hasGivenTests: tests.given.length > 0,
    changedTests: tests.changed.filter((path) => !isWanted(path)),
    ownTests: tests.own,
    wantedTests: tests.changed.filter(isWanted),
    code: code.length > 0 ? code.map(({ path }) => path) : namedCode(work, named),
    hasChangedOldCode: code.some((file) => file.before !== null),
    vainEdits: vainEdits(run.context.state),
    earlierProofs: earlier.filter((one) => canRun(one, work, isThere)),
    namedInputs: named
      .filter(
        ({ became, path }) =>
          (became === 'used' || became === 'not_known') && isThereIn(work, path),
      )
      .map(({ path }) => path),
    examples: {
      held: saidThat(true, examples),
      failed: saidThat(false, examples),
    },
    ...secondOf(run),
    inputs: inputsOf(run, { ...proof, ...given(asked) }, isTestRun ? [] : programs),
  };
}

const vainEdits = ({ plan, files }: RunState): readonly string[] =>
  (plan ? subtasksOf(plan) : []).flatMap(({ step }) => {
    if (step?.does !== 'edits_files') return [];
    const { given = null, hash = null } = files[step.target] ?? {};
    return given !== null && given === hash ? [step.target] : [];
  });

const saidThat = (held: boolean, examples: Proofs['examples']): readonly string[] =>
  [...examples].flatMap(([says, holds]) => (holds === held ? [says] : []));

const given = ({ stdin }: Proof) => (stdin === undefined ? {} : { stdin });

/** What it must print is believed only where the goal says it: else only that it ends well. */
const judgedBy = (goal: string, { cmd, stdin, prints }: Proof): Proof => ({
  cmd,
  ...(stdin === undefined ? {} : { stdin }),
  ...(prints !== undefined && prints.trim() !== '' && printsText(goal, prints) ? { prints } : {}),
});

interface Proofs {
  /** Other commands that were to be the proof, oldest first. */
  readonly earlier: readonly Proof[];
  readonly before: { readonly cmd: string; readonly was: 'passed' | 'failing' } | null;
  /** The one that passed last. */
  readonly last: Checked | null;
  /** The goal's own examples: whether each held when it was tried last. */
  readonly examples: ReadonlyMap<string, boolean>;
}

function* proofsIn(records: Records): InPieces<Proofs> {
  const planned: Proof[] = [];
  let goal = '';
  let before = null as Proofs['before'];
  let last = null as Checked | null;
  const examples = new Map<string, boolean>();
  const looks = new Map<string, 'passed' | 'failing'>();
  let isUntouched = true;
  yield* eachOf(records, (record) => {
    if (isUntouched) isUntouched = noteLook(looks, record);
    if (record.type === 'run_opened') goal = record.goal;
    if (record.type === 'plan_set' || record.type === 'replanned')
      planned.push(...(record.plan.proof ? [record.plan.proof] : []));
    if (record.type !== 'check_ran' || !('cmd' in record.check)) return;
    if ('says' in record.check) examples.set(record.check.says, record.passed);
    // Tests that were run before a plan are the proof's red, where the plan is proved by them.
    if (!record.proof && (record.when !== 'before' || record.scratch)) return;
    const { cmd } = record.check;
    if (record.when !== 'before') last = record;
    else if (record.passed) before = { cmd, was: 'passed' };
    else if (record.red === 'failing') before = { cmd, was: 'failing' };
  });
  const lastCmd = last !== null && 'cmd' in last.check ? last.check.cmd : '';
  const others = planned.filter(({ cmd }) => cmd !== lastCmd).map((one) => judgedBy(goal, one));
  const byCommand = new Map(others.map((one) => [one.cmd, one]));
  const was = looks.get(lastCmd);
  const seen = was === undefined ? null : { cmd: lastCmd, was };
  return { earlier: [...byCommand.values()], before: before ?? seen, last, examples };
}

/** Notes how a command ended that the model ran itself; false once something was changed. */
function noteLook(looks: Map<string, 'passed' | 'failing'>, record: JournalRecord): boolean {
  if (record.type !== 'action_finished') return true;
  const { does, target, facts, status, touches } = record;
  if (facts.changed === true || (touches === 'files' && status === 'ok')) return false;
  const { exitCode, testsRan } = facts;
  const isTold = does === 'runs_commands' && typeof exitCode === 'number' && testsRan !== 'none';
  if (isTold && target !== null) looks.set(target, exitCode === 0 ? 'passed' : 'failing');
  return true;
}

const isOwnCode = (path: string): boolean => isCode(path) && !belongsToTests(path);

function testsOf({ changed, disk }: Work): {
  readonly given: readonly string[];
  readonly changed: readonly string[];
  readonly own: readonly string[];
} {
  const made = new Set(changed.filter((file) => file.before === null).map(({ path }) => path));
  const found = disk.files.filter((path) => isTestPath(path) && !made.has(path));
  const removed = changed.filter((file) => file.after === null && file.before !== null);
  const wereThere = new Set([
    ...found,
    ...removed.map(({ path }) => path).filter((path) => isTestPath(path)),
  ]);
  const bearing = changed.filter((file) => file.before !== file.after && bearsOnTests(file.path));
  // Settings that were not there can leave tests out as well as those that were changed.
  const isTelling = ({ path, before }: (typeof bearing)[number]): boolean =>
    before !== null || !belongsToTests(path);
  return {
    given: [...wereThere],
    changed: wereThere.size === 0 ? [] : bearing.filter(isTelling).map(({ path }) => path),
    own: bearing
      .filter(({ path, after }) => made.has(path) && after !== null && belongsToTests(path))
      .map(({ path }) => path),
  };
}

/** Where only tests were written: the code that the goal wants tested. */
const namedCode = ({ disk }: Work, named: readonly NamedFact[]): readonly string[] =>
  named.flatMap(({ path }) => disk.files.filter(sameFile(path))).filter((path) => isOwnCode(path));

const isThereIn = ({ disk }: Work, path: string): boolean =>
  disk.isThere(path) || disk.files.some(sameFile(path));

/** Words of a command that may be paths. */
const wordsOf = (cmd: string): readonly string[] =>
  cmd
    .split(/\s+/)
    .map((word) =>
      word
        .replace(/^["']|["']$/g, '')
        .replace(/^\.\//, '')
        .replace(/\/$/, ''),
    )
    .filter((word) => word !== '' && word !== '.');

/** What Python calls `a.b`, and others by its path: a file, or what is in it. */
const isModuleOf = (word: string, path: string): boolean => {
  const module = path.replace(/\.\w+$/, '').replaceAll('/', '.');
  const folder = module.slice(0, Math.max(0, module.lastIndexOf('.')));
  if (!isCode(path) || isCode(word)) return false;
  return `${word}.`.startsWith(`${module}.`) || word === folder;
};

const isAt = (word: string, path: string): boolean =>
  word === path || path.startsWith(`${word}/`) || isModuleOf(word, path);

/** Files that a command names, as paths or as modules. */
function filesIn(cmd: string, { changed, disk }: Work): readonly string[] {
  const all = new Set([...disk.files, ...changed.map(({ path }) => path)]);
  const words = wordsOf(cmd);
  return [...all].filter((path) => words.some((word) => isAt(word, path)));
}

/** True where it names a file, a folder or a module that was not there before the run. */
function namesNew(cmd: string, { changed, disk }: Work): boolean {
  const made = changed.filter((file) => file.before === null).map(({ path }) => path);
  const given = [
    ...disk.files.filter((path) => !made.includes(path)),
    ...changed.filter((file) => file.before !== null).map(({ path }) => path),
  ];
  return wordsOf(cmd).some(
    (word) => made.some((path) => isAt(word, path)) && !given.some((path) => isAt(word, path)),
  );
}

/** What it runs is there: one that cannot run any more was replaced for a reason. */
const canRun = ({ cmd }: Proof, work: Work, isThere: (path: string) => boolean): boolean => {
  const words = cmd.split(/\s+/).slice(1);
  const files = words.filter((word) => isCode(word) && !word.startsWith('-'));
  return files.every(isThere) && (!runsTests(cmd) || work.disk.files.some(isTestPath));
};

/** Empty for a program that asks its user nothing. */
function inputsOf(run: WorkPort, proof: Proof, programs: readonly string[]): readonly string[] {
  const { goal, files } = run.context.state;
  const asks = programs.some((path) => (files[path]?.prompts.length ?? 0) > 0);
  if (programs.length === 0 || (!asks && !proof.stdin)) return [];
  const text = programs.flatMap((path) => run.world.readText(path) ?? []).join('\n');
  return inputsFor(goal, text, proof.stdin);
}
