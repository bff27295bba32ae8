import { OPTIONS } from '../../options/table.ts';
import type { CommandAction, CommandContext } from '../command-context.ts';
import { refuseInsideRun } from '../questions/person-there.ts';
import { askedCallLine, selectedCall } from '../questions/selected-call.ts';
import { printFolded } from '../render/text/fold.ts';
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
  const request = selectedCall(
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
    `${allowed ? 'Allowed' : 'Denied'}: ${askedCallLine(request)}\n  ${next}\n`,
  );
  return 0;
}
