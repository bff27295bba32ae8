import * as z from 'zod';

/** Why the engine said something to the model; `next(state)` reads it, the model never does. */
export const MessageCause = z.enum([
  /** How the goal is read; it leaves the conversation with its answer. */
  'brief_question',
  'plan_question',
  'plan_refused',
  /** The goal and the small files, in a conversation of its own before any plan. */
  'try_question',
  /** The goal and the folder, where the model looks first and plans then. */
  'survey',
  'plan_demanded',
  /** A result that names the subtask that is next. */
  'border',
  'subtask_started',
  'action_question',
  'content_question',
  /** Of earlier builds. */
  'second_writing',
  'input_question',
  'repair_question',
  /** For the answer that a subtask ends with; in older journals also whether it is done. */
  'completion_question',
  'tool_result',
  'refusal',
  'nudge',
  'check_failed',
  'proof_failed',
  'resume',
  'replan_question',
  /** What came behind whole calls was lost. */
  'cut_off',
  'summary',
  'person',
  /** Programs in the background were ended, and the model did not do it. */
  'background_ended',
  /** What stands against a claim that work can mend: said once in a run. */
  'doubt',
  /** What was missing is allowed now, and the plan goes on. */
  'permitted',
  /** What came of a subtask that was a run of its own. */
  'child_joined',
  /** Enters a conversation, and asks for no answer by itself. */
  'aside',
]);
export type MessageCause = z.infer<typeof MessageCause>;

/** Who speaks in an aside: the program itself, a command behind a slash, a run. */
export const AsideAuthor = z.enum(['engine', 'run', 'command']);
export type AsideAuthor = z.infer<typeof AsideAuthor>;
