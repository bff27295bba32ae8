/** Every default of a run in one place, for the command line, the library and the server. */

/** Rounds per start, for guided and for free runs. */
export const DEFAULT_MAX_ROUNDS = { guided: 24, free: 60 } as const;
/** The most subtasks that may be worked on at once. */
export const MAX_PARALLEL = 16;
export const DEFAULT_TEMPERATURE = 0.2;

/** Turns for one message of a conversation. */
export const DEFAULT_MAX_ITERATIONS = 25;
/** Calls of one reply that are carried out in a conversation. */
export const DEFAULT_CALLS_PER_REPLY = 6;
/** Messages that stay unchanged when a conversation is summarised. */
export const MESSAGES_KEPT = 10;

/** Chosen by the model's capabilities. */
export const DEFAULT_TOOL_MODE = 'auto';

/** How much a model may think before it answers, if its API supports this. */
export const EFFORTS = ['low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

/** Characters of a tool result; less would be useless. */
export const MIN_TOOL_RESULT = 500;

/** Bytes of program output that are kept: for one command, and for the whole run. */
export const OUTPUT_BYTES = { command: 16 * 1024 * 1024, run: 256 * 1024 * 1024 } as const;

const MINUTE = 60_000;

/** Characters of a goal, which is part of every prompt. */
export const MAX_GOAL = 100_000;

/** For one turn, in milliseconds; see `Deadlines` for what each limits. */
export const DEFAULT_DEADLINES = {
  connectMs: 10_000,
  firstEventMs: 30 * MINUTE,
  idleMs: 15 * MINUTE,
  totalMs: 120 * MINUTE,
};

/** Whether the system confines commands; each mode is stricter than the one before. */
export const SANDBOX_MODES = ['off', 'auto', 'require'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];
