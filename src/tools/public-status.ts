/**
 * Translates the journal's words for the outcome of a call into those that other programs see, in one table.
 * Pure.
 */
import type { ActionFacts, ActionStatus } from '../schema/actions.ts';
import type { CommandResult, PublicStatus } from '../schema/events/outcome.ts';
import type { StoredText } from '../schema/text.ts';

const BY_STATUS: { readonly [status in ActionStatus]: PublicStatus } = {
  ok: 'success',
  error: 'execution_error',
  timeout: 'timeout',
  denied: 'denied',
  blocked: 'blocked',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  conflict: 'conflict',
  not_run: 'not_run',
  mcp_error: 'mcp_server_error',
  connection_error: 'connection_error',
};

const BY_FAULT: { readonly [fault in NonNullable<ActionFacts['fault']>]: PublicStatus } = {
  tool: 'tool_not_found',
  arguments: 'invalid_parameters',
};

/** The public word for the status of a call as a journal or an event has it. */
export const publicStatus = (outcome: {
  readonly status: ActionStatus;
  readonly facts: Pick<ActionFacts, 'fault'>;
}): PublicStatus =>
  outcome.status === 'error' && outcome.facts.fault !== undefined
    ? BY_FAULT[outcome.facts.fault]
    : BY_STATUS[outcome.status];

/** As in coreutils' `timeout`. A program that itself exits with this code did not time out. */
const OUT_OF_TIME = 124;

/** The result of a command; `null` if the outcome is not one of a command. */
export function commandResult(
  { status, facts }: { readonly status: ActionStatus; readonly facts: ActionFacts },
  textOf: (text: StoredText) => string,
): CommandResult | null {
  const { printed, exitCode = null, durationMs = 0 } = facts;
  if (printed === undefined) return null;
  const [stdout, stderr] = [textOf(printed.stdout), textOf(printed.stderr)];
  const { truncated } = printed;
  if (status !== 'timeout') return { exit_code: exitCode, stdout, stderr, truncated };
  const border = stderr === '' || stderr.endsWith('\n') ? '' : '\n';
  const note = `${border}timed out after ${Math.round(durationMs / 1000)} s`;
  return { exit_code: OUT_OF_TIME, stdout, stderr: stderr + note, truncated };
}
