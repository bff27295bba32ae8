/** Copies of a user's files outside the workspace, which outlive the state of the run. */
import * as z from 'zod';

/** A change of one file, in the order in which they happened. Hashes are sha256 in hex; `null`: no such file. */
const BeforeImageChange = z.object({
  type: z.literal('change'),
  /** Relative to the workspace, with `/`. */
  path: z.string(),
  before: z.string().nullable(),
  /** The content that was left there; left out if nobody saw who changed it. */
  after: z.string().nullable().optional(),
  /** Permission bits before. */
  mode: z.number().int().optional(),
  /** The earlier content in base64, if it is small; a larger one is a file beside the index. */
  content: z.string().optional(),
});
export type BeforeImageChange = z.infer<typeof BeforeImageChange>;

/** A line of the index. */
export const BeforeImageLine = z.lazy(() =>
  z.discriminatedUnion('type', [
    BeforeImageChange,
    /** The user's files were kept before a command; as in the journal. */
    z.object({ type: z.literal('files_kept'), manifest: z.string() }),
    z.object({ type: z.literal('command_began'), id: z.string() }),
    z.object({ type: z.literal('command_ended'), id: z.string() }),
  ]),
);
export type BeforeImageLine = z.infer<typeof BeforeImageLine>;

/** A process as a lock names its owner. */
export const ProcessOwner = z.object({
  host: z.string(),
  boot: z.string(),
  pidNamespace: z.string(),
  pid: z.number().int(),
  startTime: z.string(),
  since: z.number(),
});

/** Whose copies these are. */
export const BeforeImageOwner = z.lazy(() =>
  z.object({
    version: z.literal(1),
    /** Absolute real path. */
    workspace: z.string(),
    kind: z.enum(['run', 'session']),
    id: z.string(),
    /** The number that people use for it. */
    number: z.number().int().nullable(),
    /** The goal of the run, or the name of the conversation. */
    title: z.string(),
    /** The process that wrote here last, as in the lock. */
    owner: ProcessOwner,
    /** True once all of it was restored. */
    isUndone: z.boolean(),
  }),
);
export type BeforeImageOwner = z.infer<typeof BeforeImageOwner>;
