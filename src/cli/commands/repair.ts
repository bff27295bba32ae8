import type { CommandContext } from '../command-context.ts';
import { inLine, oneLine, plural } from '../render/text.ts';
import { sayJson, wantsJson } from './say.ts';

/** `agent repair`: cuts a damaged journal after its last good record; what is cut off is kept. */
export async function repairCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const report = await engine.repair({
    workspace: invocation.workspace,
    forceUnlock: invocation.flags.has('forceUnlock'),
  });
  if (wantsJson(context)) return sayJson(context, report);
  if (!report.changed) {
    terminal.stdout.write(`Nothing to repair: ${oneLine(report.detail)}\n`);
    return 0;
  }
  const kept = `Repaired: ${plural(report.keptRecords, 'record')} kept. ${oneLine(report.detail)}`;
  const moved =
    report.quarantine === null ? '' : `\n  The damaged bytes are in ${inLine(report.quarantine)}`;
  terminal.stdout.write(`${kept}${moved}\n  Next: agent status, then agent resume\n`);
  return 0;
}
