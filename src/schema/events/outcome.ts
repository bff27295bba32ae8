/** The names of a call's outcome for programs that do not know the journal. */
import * as z from 'zod';

/** How a tool call ended, in the terms of other programs. */
export const PublicStatus = z.enum([
  'success',
  'tool_not_found',
  'invalid_parameters',
  'execution_error',
  'timeout',
  'denied',
  'blocked',
  'cancelled',
  'interrupted',
  'conflict',
  'not_run',
  'mcp_server_error',
  'connection_error',
]);
export type PublicStatus = z.infer<typeof PublicStatus>;

/** How a command ended: `exit_code` is `null` if it had none, 124 if its time was up. */
export const CommandResult = z.object({
  /** 124 at its time limit; `null` if a signal ended it, or nothing was run. */
  exit_code: z.number().int().nullable(),
  stdout: z.string(),
  /** If the time was up, the last line says so. */
  stderr: z.string(),
  truncated: z.boolean(),
});
export type CommandResult = z.infer<typeof CommandResult>;
