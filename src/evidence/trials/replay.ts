/** Repeats commands of a run in a copy before the proof runs there, because the copy lacks what they made. */
import { posix } from 'node:path';
import { defined } from '../../lib/defined.ts';
import { isInside, pathsOf } from '../../lib/files/absolute-paths.ts';
import { ensureDirectory } from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import { sha256 } from '../../lib/sha256.ts';
import { MADE, type ScratchRun } from '../../schema/evidence.ts';
import type { Proof } from '../../schema/plan.ts';
import type { Decide } from '../../tools/decision.ts';
import type { TrialAnswer, TrialQuestion } from '../evidence.ts';
import { type CopyPort, runInCopy, type ScratchRecord } from './in-copy.ts';
import type { Replays } from './made-by-commands.ts';

/** What a trial asks of its copy: its record without the answer. */
export type TrialAsked = Omit<ScratchRun, 'word'>;

/**
 * The key of a copy with repeated commands: it holds other files, so its answers do not count for a plain
 * copy.
 */
export const copyKey = (tree: string, replays: Replays | null): string =>
  replays === null ? tree : `${tree}+made:${keyOf(replays.commands)}`;

const keyOf = (value: unknown): string => sha256(JSON.stringify(value)).slice(0, 16);

/**
 * How often a command is repeated in an unchanged copy until it has made everything. A build may make some
 * files only when it runs on what the last build made.
 */
const ATTEMPTS = 2;

/** The repetition of a command belongs to one trial, so that its failure answers no other trial. */
const askedFor = (cmd: string, trial: TrialAsked, attempt: number): TrialAsked => ({
  what: MADE,
  about: cmd,
  tree: keyOf([
    ...[trial.tree, trial.what, trial.about, trial.own],
    ...(attempt === 1 ? [] : [attempt]),
  ]),
});

type Place = Parameters<typeof runInCopy>[2];

interface Before {
  /** `null`: nothing is made before the command. */
  readonly replays: Replays | null;
  /** For the repeated commands together. */
  readonly seconds: number;
  /** The policy for the repeated commands. */
  readonly decide: Decide;
}

/**
 * The record that ends a trial: that of its command, or of a repeated command that failed before it; `null`:
 * the run was interrupted.
 */
export async function runAfter(
  run: CopyPort,
  { replays, seconds, decide }: Before,
  command: Proof,
  place: Place,
): Promise<ScratchRecord | null> {
  const made =
    replays === null ? 'done' : await replayed(run, replays, { ...place, seconds, decide });
  if (made !== 'done') return made;
  return (await runInCopy(run, command, place))?.record ?? null;
}

async function replayed(
  run: CopyPort,
  replays: Replays,
  { id, seconds, decide, skip, scratch: trial }: Place,
): Promise<ScratchRecord | 'done' | null> {
  const { commands, folders } = replays;
  const end = run.clock.monotonic() + seconds * 1000;
  for (const folder of [...folders, ...commands.flatMap(({ cwd = [] }) => cwd)])
    makeFolder(run, folder);
  for (const [at, one] of commands.entries()) {
    const { cmd, cwd, env, stdin } = one;
    const look = lookFor(replays.outputsOf(one), run);
    for (let attempt = 1; ; attempt += 1) {
      const left = Math.max(1, Math.ceil((end - run.clock.monotonic()) / 1000));
      const scratch = askedFor(cmd, trial, attempt);
      const ran = await runInCopy(
        run,
        { cmd, ...defined({ stdin }) },
        {
          ...{ id: `${id}m${at + 1}.${attempt}`, seconds: left, cwd, scratch, decide, look },
          ...defined({ env, skip }),
        },
      );
      if (ran === null) return null;
      if (ran.record.facts.exitCode !== 0) return ran.record;
      if (trial.what !== 'unchanged' || !makesElsewhere(ran.record, replays)) break;
      if (attempt === ATTEMPTS || madeNothing(ran.record)) return ran.record;
    }
  }
  return 'done';
}

/**
 * Which of the files the command made. New files beside one count, too: a build may put a hash into its
 * names.
 */
function lookFor(
  paths: readonly string[],
  { scratch: { folder }, toolContext: { fs } }: CopyPort,
): () => Pick<ScratchRun, 'made'> {
  const { join } = pathsOf(fs.platform);
  const namesBeside = (path: string): readonly string[] =>
    orNull(() => fs.readdir(join(folder, ...posix.dirname(path).split('/')))) ?? [];
  const was = new Map(paths.map((path) => [path, namesBeside(path)]));
  const isMade = (path: string): boolean => {
    const now = namesBeside(path);
    return now.includes(posix.basename(path)) || now.some((one) => !was.get(path)?.includes(one));
  };
  return () => ({ made: paths.filter(isMade) });
}

/**
 * True when the command made files in the workspace that it does not make in an unchanged copy: it may use
 * absolute paths. In a copy of other files it would write those into the workspace.
 */
const makesElsewhere = ({ scratch }: ScratchRecord, replays: Replays): boolean =>
  replays.commands
    .filter(({ cmd }) => cmd === scratch.about)
    .every((one) => replays.outputsOf(one).some((path) => !scratch.made?.includes(path)));

/** Another attempt would write all of its files elsewhere, too. */
const madeNothing = ({ scratch }: ScratchRecord): boolean => (scratch.made ?? []).length === 0;

function makeFolder({ scratch, toolContext: { fs } }: CopyPort, path: string): void {
  const folder = pathsOf(fs.platform).join(scratch.folder, path);
  if (isInside(scratch.folder, folder, fs.platform)) orNull(() => ensureDirectory(fs, folder));
}

/** The record of a repeated command that failed when this trial was made earlier. */
export const failedMaking = (
  answered: readonly ScratchRecord[],
  trial: TrialAsked,
  replays: Replays | null,
): ScratchRecord | undefined =>
  answered.find((one) => {
    const { scratch, facts } = one;
    if (replays === null || scratch.what !== MADE) return false;
    const isAttempt = (attempt: number): boolean =>
      scratch.tree === askedFor(scratch.about, trial, attempt).tree;
    const isLast = isAttempt(ATTEMPTS) || (isAttempt(1) && madeNothing(one));
    if (facts.exitCode === 0)
      return trial.what === 'unchanged' && isLast && makesElsewhere(one, replays);
    return typeof facts.exitCode === 'number' && (isAttempt(1) || isAttempt(ATTEMPTS));
  });

/**
 * Questions for which a failed command tells nothing: the copy may lack what the command itself needs, or no
 * tests could be built.
 */
const TELL_NOTHING: ReadonlySet<TrialQuestion['what']> = new Set([
  ...(['before', 'example', 'emptied', 'old_tests_emptied', 'constant', 'no_value'] as const),
]);

/**
 * What the failure of a repeated command means. Code that does not compile fails, as it would in a proof that
 * builds. With all files as before the run, the command may have failed for lack of what the run added, or
 * for a reason of its own.
 */
export function answerOfFailed(
  { facts: { exitCode }, text, scratch }: Omit<ScratchRecord, 'type'>,
  { what }: Pick<TrialQuestion, 'what'>,
  { areUnchangedByRun }: Replays,
): TrialAnswer {
  const output = String(text);
  // A command that succeeded stands here only because it wrote its files elsewhere.
  const isTelling =
    exitCode !== 0 && (what === 'unchanged' || (areUnchangedByRun && !TELL_NOTHING.has(what)));
  if (typeof exitCode !== 'number' || !isTelling)
    return {
      kind: 'none',
      why: `${scratch.about}, which makes what the proof needs, ${exitCode === 0 ? 'does not make it' : 'fails'} there`,
      ...(typeof exitCode === 'number' ? { isUnmade: true } : {}),
    };
  return { kind: 'ran', passed: false, exitCode, output, word: scratch.word, isUnmade: true };
}
