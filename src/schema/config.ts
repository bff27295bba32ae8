/** Every default of a run in one place: the command line, the library and a server begin with them. */

/** Rounds from one start on: of a run that the engine leads, and of one that its model leads. */
export const DEFAULT_MAX_ROUNDS = { guided: 24, free: 60 } as const;
/** Subtasks that are worked on at once. */
export const MOST_PARALLEL = 16;
export const DEFAULT_TEMPERATURE = 0.2;

/** Turns for one message of a conversation. */
export const DEFAULT_MAX_ITERATIONS = 25;
/** Calls of one reply that are carried out where a person talks with the model. */
export const DEFAULT_CALLS_PER_REPLY = 6;
/** Messages that stay as they are where a conversation is summarised. */
export const MESSAGES_KEPT = 10;

/** By what the model can. */
export const DEFAULT_TOOL_MODE = 'auto';

/** How much a model may think before it answers, where its API lets that be said. */
export const EFFORTS = ['low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

/** Characters of a tool's result: with fewer nothing could be worked with. */
export const LEAST_TOOL_RESULT = 500;

/** Bytes of what programs print that are kept: of one command, and of all of a run. */
export const OUTPUT_BYTES = { command: 16 * 1024 * 1024, run: 256 * 1024 * 1024 } as const;

const MINUTE = 60_000;

/** Characters of a goal: it stands in every prompt. */
export const MAX_GOAL = 100_000;

/** Of one turn, in milliseconds; what each bounds is said at `Deadlines`. */
export const DEFAULT_DEADLINES = {
  connectMs: 10_000,
  firstEventMs: 30 * MINUTE,
  idleMs: 15 * MINUTE,
  totalMs: 120 * MINUTE,
};

/** Whether commands are to be confined by the system; each holds back more than the one before. */
export const SANDBOX_MODES = ['off', 'auto', 'require'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];
