/** What a run is found to have shown before it ends. */
import * as z from 'zod';
import { ActionFacts } from './actions.ts';
import { Check, Proof } from './plan.ts';
import { StoredText } from './text.ts';

/** What became of a file that the goal names. */
export const NamedFact = z.object({
  path: z.string(),
  became: z.enum(['made', 'changed', 'removed', 'used', 'not_known']),
});
export type NamedFact = z.infer<typeof NamedFact>;

/** Where the figures and names of an answer stand. It proves nothing. */
export const AnswerStands = z.object({
  /** `where`: `config.yml:3`, a command, or who was told of it. */
  found: z.array(z.object({ what: z.string(), where: z.string(), line: z.string().optional() })),
  /** What stands nowhere in what was read or printed. */
  unread: z.array(z.string()),
  nothingRead: z.literal(true).optional(),
});
export type AnswerStands = z.infer<typeof AnswerStands>;

/** Why a verdict is in doubt where more work of the model can mend it. */
export const MENDABLE_DOUBTS = [
  'tests_notice_nothing',
  'named_file_unchanged',
  'subtask_refused',
  'earlier_tests_fail',
] as const;
export type MendableDoubt = (typeof MENDABLE_DOUBTS)[number];

/** What would be claimed, held against what was done. */
export const VerdictGiven = z.object({
  isProved: z.boolean(),
  /** How it is known, or what speaks against it. */
  words: z.string(),
  named: z.array(NamedFact),
  /** Of a run that changed nothing and said something: it claims nothing. */
  answer: AnswerStands.optional(),

  /** What was not tried in the copy, since somebody skipped it: whoever goes on with the run tries it. */
  untried: z.array(z.string()).optional(),
  /** The kind of doubt, where more work can resolve it. Unknown kinds from newer versions are ignored. */
  mend: z.enum(MENDABLE_DOUBTS).optional().catch(undefined),
});

/** Of a check that ran in a copy of the workspace. */
export const ScratchRun = z.object({
  /** What the copy differs in. One that a later version named is passed over. */
  what: z.string(),
  /** The file, or the input, that it is about. */
  about: z.string(),
  /** One word for the workspace that was copied: the same again need not be run again. */
  tree: z.string(),
  /** One word for what was printed, without times and places. */
  word: z.string(),
  /** It did not end, in a time that is several times what it takes as it is. */
  endless: z.literal(true).optional(),
  /** It was cut off, since somebody skipped it: it says nothing. */
  skipped: z.literal(true).optional(),
});
export type ScratchRun = z.infer<typeof ScratchRun>;

/** What a copy differs in that a checker is run in, to see what it said of the files as they were found. */
export const AS_FOUND = 'as_found';

/** A check of a subtask, the proof of the plan, or a try in a copy of the workspace. */
export const CheckRan = z.object({
  /** The intent it settles, where a command was run. */
  id: z.string().nullable(),
  subtask: z.string(),
  check: z.union([Check, Proof]),
  proof: z.boolean(),
  /** Of a proof: whether the run had changed anything yet. */
  when: z.enum(['before', 'after']).optional(),
  /** Of a proof that did not pass: why that is so. */
  red: z.enum(['failing', 'absent', 'unknown']).optional(),
  /** Of a proof that is run before the run is called failed: why it would be. */
  failing: z.string().optional(),
  passed: z.boolean(),
  /** Of an example of the goal: it counts for nothing, since it held before the run, or only a part of the output is said. */
  aside: z.literal(true).optional(),
  text: StoredText,
  /** Of a proof that passed: what it printed. */
  printed: StoredText.optional(),
  facts: ActionFacts,
  scratch: ScratchRun.optional(),
});

/** The note that trials in the copy are skipped from here on. */
export const TRIALS_SKIPPED = 'trials_skipped';

/** Ids of commands that work in the copy begin with it. */
export const SCRATCH_ID = 'scratch#';
