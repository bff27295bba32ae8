import { misuse } from '../../lib/errors.ts';
import { visible } from '../../lib/text/visible.ts';
import { OPTIONS } from '../../options/table.ts';
import type { OpenPermissionRequest } from '../../schema/journal/permissions.ts';
import { callLabel } from '../../shown/calls.ts';
import type { CommandAction, CommandContext } from '../command-context.ts';
import { usageError } from '../process/program-name.ts';
import { refuseInsideRun } from '../questions/person-there.ts';
import { printFolded } from '../render/text/fold.ts';
import { cut } from '../render/text/text.ts';
import { printJson, wantsJson } from './print.ts';

/** `agent approve [ID]`, `agent deny [ID]`: answers one call that a run waits for, from any terminal. */
export const approveCommand: CommandAction = (context) => answerCommand(context, true);
export const denyCommand: CommandAction = (context) => answerCommand(context, false);

async function answerCommand(context: CommandContext, allowed: boolean): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { workspace } = invocation;
  refuseInsideRun(terminal);
  const isOfFleet = invocation.fleet !== undefined || invocation.fleetRun !== null;
  if (isOfFleet || terminal.env[OPTIONS.fleet.variable] !== undefined) {
    const code = await (await import('../fleet/person.ts')).answerInFleet(context, allowed);
    if (code !== null) return code;
  }
  const request = selectedRequest(
    engine.openPermissionRequests(workspace),
    invocation.id,
    invocation.command,
  );
  const { how } = engine.answer({ workspace, id: request.id, allowed, why: '' });
  if (wantsJson(context)) return printJson(context, { id: request.id, allowed, how });
  const next =
    how === 'left' ? 'The run continues with it.' : `Continue: ${terminal.program} resume`;
  printFolded(
    terminal.stdout,
    `${allowed ? 'Allowed' : 'Denied'}: ${lineOf(request)}\n  ${next}\n`,
  );
  return 0;
}

function selectedRequest(
  open: readonly OpenPermissionRequest[],
  id: string | null,
  command: string,
): OpenPermissionRequest {
  const found = open.filter((request) => id === null || request.id.startsWith(id));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (open.length === 0)
    throw misuse(
      'Nothing waits for an answer here.',
      'If the run is in another folder, add --workspace.',
    );
  const list = (found.length === 0 ? open : found).map(
    (request) => [`${command} ${request.id.slice(0, 8)}`, `(${lineOf(request)})`] as const,
  );
  throw usageError(
    found.length === 0 ? `No call ${id} waits for an answer.` : 'More than one call waits.',
    (agent) => `Name one: ${list.map(([words, call]) => `${agent} ${words} ${call}`).join(', ')}`,
  );
}

const lineOf = (request: OpenPermissionRequest): string => cut(visible(callLabel(request)), 200);
