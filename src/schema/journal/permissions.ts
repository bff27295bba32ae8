/** What a person was asked and answered, and the build files of a workspace. */
import * as z from 'zod';
import { SANDBOX_MODES, type SandboxMode } from '../config.ts';
import { recordSchema } from '../record-schema.ts';
import { Mac } from './origin.ts';

export const GRANT_SCOPES = ['call', 'run', 'here'] as const;

/** What a call wants, as a person is shown it. */
export const WISH = {
  /** A hash of exactly this call: its tool, arguments, folder, program, and the bytes that it would write. */
  id: z.string(),
  tool: z.string(),
  /** The command line or file of the call. */
  target: z.string(),
  /** Why it needs consent. */
  reason: z.string(),
  /** Rules that together would allow it; `[]`: only consent to this call does. */
  rules: z.array(z.string()),
};

/**
 * Who gave an answer, and through which door. Any text is valid, so that an older build can read a newer
 * build's answer.
 */
export const GIVER = { by: z.string().optional(), door: z.string().optional() };

export interface Giver {
  /** `person`, `caller` (the program that runs it), `rule`, `engine`, or a name. */
  readonly by?: string | undefined;
  /** `terminal`, `command`, `attach`, `page`, `editor`, `mcp`, `option`, `library`, or a value from a later build. */
  readonly door?: string | undefined;
}

export const AT_TERMINAL = { by: 'person', door: 'terminal' } as const;
export const BY_COMMAND = { by: 'person', door: 'command' } as const;
/** Through a live channel. */
export const BY_ATTACH = { by: 'person', door: 'attach' } as const;
/** Through the server: on its page, or by a program over HTTP. */
export const BY_PAGE = { by: 'person', door: 'page' } as const;
/** In an editor that speaks the Agent Client Protocol. */
export const BY_EDITOR = { by: 'person', door: 'editor' } as const;
/** A model that calls this program over MCP, if a person has allowed that. */
export const BY_MCP = { by: 'caller', door: 'mcp' } as const;
export const BY_OPTION = { by: 'caller', door: 'option' } as const;
export const BY_LIBRARY = { by: 'caller', door: 'library' } as const;

/** The name that a question about a folder of programs has in place of a tool. */
export const FOLDER_QUESTION = 'programs';

const APPROVAL_GIVEN = recordSchema('approval_given', {
  id: z.string(),
  allowed: z.boolean(),
  why: z.string(),
  /** What is allowed or denied from now on, beyond this one call. */
  rule: z.string().optional(),
  scope: z.enum(GRANT_SCOPES).optional(),
  /** With consent: the input that replaces the requested one. */
  input: z.record(z.string(), z.unknown()).optional(),
  ...GIVER,
  mac: Mac,
});

export const PERMISSION_RECORDS = [
  recordSchema('approval_asked', {
    id: z.string(),
    question: z.string(),
    tool: WISH.tool.optional(),
    target: WISH.target.optional(),
    reason: WISH.reason.optional(),
    rules: WISH.rules.optional(),
  }),
  /** Nobody could be asked: the call was refused, and this is what it would have needed. */
  recordSchema('permission_noted', {
    ...WISH,
    /** The model said that it would need this; no call was made yet. */
    foreseen: z.literal(true).optional(),
  }),
  APPROVAL_GIVEN,
  /** The build files of a workspace when the run opened, by keys of the build tools. */
  recordSchema('builds_taken', { texts: z.record(z.string(), z.string()) }),
  /** Whether a start can confine commands: with which sandbox, or why not. */
  recordSchema('sandbox_looked', {
    mode: z.enum(SANDBOX_MODES),
    holds: z.boolean(),
    what: z.string(),
  }),
] as const;

export interface PermissionRequest {
  readonly id: string;
  readonly tool: string;
  readonly target: string;
  readonly reason: string;
  readonly rules: readonly string[];
}

/** A request without an answer. */
export interface OpenPermissionRequest extends PermissionRequest {
  /** True if the model was told no because nobody could be asked. */
  readonly isNoted: boolean;
}

/** An answer as it was given; it counts if its MAC is the user's. */
export type PermissionAnswer = Readonly<Omit<z.infer<typeof APPROVAL_GIVEN>, 'type'>> & {
  /**
   * The answer has decided about a call of the model. A yes then allows no further call, not even an equal
   * one.
   */
  readonly isUsed?: true;
};

export interface PermissionState {
  readonly open: readonly OpenPermissionRequest[];
  /** Answers to exactly one call each; the latest ones. */
  readonly answers: readonly PermissionAnswer[];
  /** Answers for all further calls of the run. */
  readonly rules: readonly PermissionAnswer[];
  /** True once something was allowed that the model had been refused, until there is a new plan. */
  readonly isRegained: boolean;
  readonly taken: { readonly [key: string]: string } | null;
  /** The last requested sandbox mode; left out: none was ever requested. */
  readonly sandbox?: SandboxMode;
}
