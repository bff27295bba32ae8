import * as z from 'zod';

/** Why the engine sent a message to the model; `next(state)` reads it, the model never does. */
export const MessageCause = z.enum([
  /** Asks how the model reads the goal; question and answer then leave the conversation. */
  'brief_question',
  'plan_question',
  'plan_refused',
  /** The goal and the small files, in a conversation of its own before any plan. */
  'try_question',
  /** The goal and the folder, for a model that looks around before it plans. */
  'survey',
  'plan_demanded',
  /** A result that names the next subtask. */
  'border',
  'subtask_started',
  'action_question',
  'content_question',
  /** Only in journals of earlier builds. */
  'second_writing',
  'input_question',
  'repair_question',
  /** Asks for the answer of a subtask at its end; in older journals also whether it is done. */
  'completion_question',
  'tool_result',
  'refusal',
  'nudge',
  'check_failed',
  'proof_failed',
  'resume',
  'replan_question',
  /** The reply was cut off after complete calls. */
  'cut_off',
  'summary',
  'person',
  /** Background programs have ended, and not because the model ended them. */
  'background_ended',
  /** A doubt about a claim that more work can resolve; sent once in a run. */
  'doubt',
  /** A missing permission was given, and the plan continues. */
  'permitted',
  /** The result of a subtask that was a run of its own. */
  'child_joined',
  /** Added to a conversation without asking for an answer. */
  'aside',
]);
export type MessageCause = z.infer<typeof MessageCause>;

/** Who speaks in an aside: the program itself, a run, a slash command. */
export const AsideAuthor = z.enum(['engine', 'run', 'command']);
export type AsideAuthor = z.infer<typeof AsideAuthor>;
