/** What a run was found to have shown before it ends. */
import * as z from 'zod';
import { ActionFacts } from './actions.ts';
import { Check, Proof } from './plan.ts';
import { StoredText } from './text.ts';

/** What happened to a file that the goal names. */
export const NamedFact = z.object({
  path: z.string(),
  became: z.enum(['made', 'changed', 'removed', 'used', 'not_known']),
});
export type NamedFact = z.infer<typeof NamedFact>;

/** Where the run read the figures and names of an answer. It proves nothing. */
export const AnswerSources = z.object({
  /** `where`: `config.yml:3`, a command, or the source of a message. */
  found: z.array(z.object({ what: z.string(), where: z.string(), line: z.string().optional() })),
  /** Facts that occur in nothing that was read or printed. */
  unread: z.array(z.string()),
  nothingRead: z.literal(true).optional(),
  /** Files changed while nobody watched: by a command of the run, or by somebody else. */
  unseen: z.literal(true).optional(),
});
export type AnswerSources = z.infer<typeof AnswerSources>;

/** Reasons for doubt that further work of the model can resolve. */
export const MENDABLE_DOUBTS = [
  'tests_notice_nothing',
  'named_file_unchanged',
  'subtask_refused',
  'earlier_tests_fail',
  'users_files_changed',
] as const;
export type MendableDoubt = (typeof MENDABLE_DOUBTS)[number];

/** The part of the work that a proof does not show. */
export const NotCovered = z.object({
  /** Changed files that the proof does not need: it passes with all of them as before the run, too. */
  files: z.array(z.string()),
  /** Ended subtasks that no check of their own shows to be done either. */
  subtasks: z.array(z.string()),
});
export type NotCovered = z.infer<typeof NotCovered>;

/** The judgement of what the run wants to claim. */
export const VerdictGiven = z.object({
  isProved: z.boolean(),
  /** How it is known, or what contradicts it. */
  words: z.string(),
  named: z.array(NamedFact),
  /** For a run that changed nothing and gave a text: it claims nothing. */
  answer: AnswerSources.optional(),
  /** Trials in the copy that someone skipped; a resumed run makes them. */
  untried: z.array(z.string()).optional(),
  /** For a proof that passed; left out by earlier builds. */
  beyond: NotCovered.optional(),
  /** The kind of doubt, where more work can resolve it. Unknown kinds from newer versions are ignored. */
  mend: z.enum(MENDABLE_DOUBTS).optional().catch(undefined),
});

/** A test, or a file of tests that could not be run, in a run that failed. */
export const RedTest = z.object({
  /** Empty for a file. */
  name: z.string(),
  /** Empty if unknown. */
  file: z.string(),
  /** How many tests of this name there were. */
  of: z.number(),
  /** The name that all tests of one function share. */
  family: z.string().optional(),
});
export type RedTest = z.infer<typeof RedTest>;

/** What a later run shows about the tests that were red. */
export const SeenTests = z.object({
  /** Red tests that the later run does not name among the tests that passed. */
  missing: z.array(z.string()),
  /** For each missing test, others of its function passed, and none failed. */
  areRenamed: z.literal(true).optional(),
  isNamed: z.boolean(),
  /** True if the run passes tests that it does not name. */
  isUnnamed: z.boolean(),
  /** True if a test, or the run, began and did not come to its end. */
  isCutOff: z.boolean(),
  /** How many tests passed; `null`: the output does not count them. */
  passed: z.number().nullable(),
});
export type SeenTests = z.infer<typeof SeenTests>;

/** Details of a check that ran in a copy of the workspace. */
export const ScratchRun = z.object({
  /** How the copy differs. A value from a later version is ignored. */
  what: z.string(),
  /** The file or input that it concerns. */
  about: z.string(),
  /** The tests that were there before the run are left out. */
  own: z.literal(true).optional(),
  /** A hash of the copied workspace: the same trial need not be repeated. */
  tree: z.string(),
  /** A hash of the output without times and paths. */
  word: z.string(),
  /** The command did not end within several times its usual duration. */
  endless: z.literal(true).optional(),
  /** The trial was cut off because someone skipped it, so it gives no answer. */
  skipped: z.literal(true).optional(),
  /** The tests that failed in a trial with earlier or emptied code. */
  red: z.array(RedTest).optional(),
  seen: SeenTests.optional(),
  /** Of the files that were left out of the copy, or put back in it: those that the command made. */
  made: z.array(z.string()).optional(),
});
export type ScratchRun = z.infer<typeof ScratchRun>;

/** The kind of copy in which a checker runs on the files as the run found them. */
export const AS_FOUND = 'as_found';

/** The kind of copy that holds files of a plain try's answer. */
export const TRY = 'plain_try';

/** A check of a subtask, the proof of the plan, or a trial in a copy of the workspace. */
export const CheckRan = z.object({
  /** The intent that it settles, if a command was run. */
  id: z.string().nullable(),
  subtask: z.string(),
  check: z.union([Check, Proof]),
  proof: z.boolean(),
  /** For a proof: whether the run had changed anything yet. */
  when: z.enum(['before', 'after']).optional(),
  /** For a failed proof: the reason. */
  red: z.enum(['failing', 'absent', 'unknown']).optional(),
  /** For a proof that runs before the run is declared failed: the reason for failing. */
  failing: z.string().optional(),
  passed: z.boolean(),
  /**
   * For an example of the goal that does not count, because it held before the run or states only part of the
   * output.
   */
  aside: z.literal(true).optional(),
  text: StoredText,
  /** For a proof that passed: its output. */
  printed: StoredText.optional(),
  facts: ActionFacts,
  scratch: ScratchRun.optional(),
});

/** The kind of trial in which a command of the run is repeated, because the proof needs its output. */
export const MADE = 'made';

/** The note that trials in the copy are skipped from now on. */
export const TRIALS_SKIPPED = 'trials_skipped';

/** The prefix of ids of commands that run in the copy. */
export const SCRATCH_ID = 'scratch#';
