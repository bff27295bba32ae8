/** Schemas of requests and answers in JSON. A client ignores fields that it does not know. */
import * as z from 'zod';
import { SANDBOX_MODES } from '../../schema/config.ts';
import { BoundedText, Count, Time } from './basics.ts';
import type { RunDetail } from './run-schemas.ts';

/** What a token allows: observe; begin and steer work; say yes and no for the person. */
export const Right = z.enum(['observe', 'work', 'answer']);
export type Right = z.infer<typeof Right>;

/** RFC 9457, extended by `code`, `hint` and the option that the hint is about. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  hint: z.string(),
  option: z.string().optional(),
  optionValue: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;

export const Health = z.object({
  ok: z.literal(true),
  version: z.string(),
  uptimeMs: Count,
  working: Count,
  waiting: Count.describe('Work that waits for its turn'),
});

export const KeyBody = z.object({ key: BoundedText(200) });
export const TokenAnswer = z.object({ token: z.string(), rights: z.array(Right) });
export const LinkBody = z.strictObject({
  right: Right.optional().describe('That right and those before it; answer'),
});
export const LinkAnswer = z.object({ url: z.string() });

const SandboxHere = z.object({
  holds: z.boolean().describe('Whether this machine can confine commands: tried, not assumed'),
  /** The name of the sandbox, or why there is none. */
  what: z.string(),
  /** What a person can do about it; ''. */
  next: z.string(),
  usual: z.enum(SANDBOX_MODES).describe('Of a run whose start names none'),
});
export type SandboxHere = z.infer<typeof SandboxHere>;

export const Me = z.object({
  rights: z.array(Right),
  version: z.string(),
  roots: z.array(z.string()).describe('Folders that work may be begun in, and below'),
  maxRuns: Count,
  working: Count,
  waiting: Count,
  sandbox: SandboxHere,
});
export type Me = z.infer<typeof Me>;

export const Models = z.object({
  providers: z.array(
    z.object({
      provider: z.string(),
      /** '' if it can be used, else what is missing. */
      problem: z.string(),
      models: z.array(z.string()),
    }),
  ),
});
export type Models = z.infer<typeof Models>;

export const Workspace = z.object({
  id: z.string(),
  path: z.string(),
  name: z.string(),
  /** The current run; `null`: none. */
  run: z.string().nullable(),
  runs: Count,
  working: Count,
  /** Questions that wait for an answer. */
  questions: Count,
  lastAt: Time,
  mayWork: z.boolean().describe('It lies below a root: work may begin there'),
});
export type Workspace = z.infer<typeof Workspace>;
export const WorkspaceBody = z.object({ path: BoundedText(4096) });
export const Workspaces = z.object({ workspaces: z.array(Workspace) });

const AllowedHere = z.object({
  rule: z.string(),
  allows: z.string().describe('The same in plain words'),
  at: Time,
  by: z.string().optional(),
  door: z.string().optional(),
  run: z.string().optional().describe('The run or conversation in which it was allowed'),
});
export const Permissions = z.object({
  folders: z.array(
    z.object({ workspace: z.string(), path: z.string(), rules: z.array(AllowedHere) }),
  ),
});
export type Permissions = z.infer<typeof Permissions>;
export const ForgetBody = z.strictObject({
  workspace: BoundedText(4096).describe('The path or the id of the folder'),
  rule: BoundedText(4096),
});
export type ForgetBody = z.infer<typeof ForgetBody>;
export const Forgotten = z.object({
  rule: z.string(),
  /** Work that may go on holding it. */
  holders: z.array(
    z.object({
      kind: z.enum(['run', 'session']),
      id: z.string(),
      number: z.number().int().nullable(),
      isGiver: z.boolean().describe('It was allowed there, so it also holds it after a resume'),
    }),
  ),
});
export type Forgotten = z.infer<typeof Forgotten>;

/** What a run has to say when it rests. */
export type Said = Pick<RunDetail, 'answer' | 'report' | 'notDone'>;
