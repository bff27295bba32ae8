import type { RepairPreview, RepairReport } from '../../host/engine-port.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { AGENT } from '../process/program-name.ts';
import { printFolded } from '../render/text/fold.ts';
import { inLine, oneLine, plural } from '../render/text/text.ts';
import { agrees, list, nobodyToAsk } from './agree.ts';
import { printJson, wantsJson } from './print.ts';

/**
 * `agent repair`: says what is wrong with the run, what would stay and what would be lost, asks, and repairs. A damaged
 * conversation is only named, with what to do.
 */
export async function repairCommand(context: CommandContext): Promise<number> {
  const exitCode = await repairRun(context);
  (await import('../chat/commands.ts')).tellOfDamaged(context);
  return exitCode;
}

async function repairRun(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { workspace, yes, forceUnlock = false } = invocation;
  const plan = await engine.planRepair(workspace);
  if (!plan.isNothing && yes !== true) {
    const isJson = wantsJson(context);
    if (isJson) printJson(context, { changed: false, plan });
    if (isJson && !(terminal.stdinIsTerminal && terminal.stderr.isTerminal)) return EXIT.state;
    const text = isJson ? '' : planText(plan);
    const question = { text, question: 'Repair it like this?', unasked: UNASKED };
    if (!(await agrees(context, question))) return 0;
  }
  const report = await engine.repair({
    workspace,
    forceUnlock,
    agreed: plan.key,
  });
  if (wantsJson(context)) return printJson(context, report);
  printFolded(terminal.stdout, reportText(report, terminal.program));
  return 0;
}

/** The exit code is that of a damaged journal, because the journal stays damaged. */
const UNASKED = nobodyToAsk(
  'E_JOURNAL_CORRUPT',
  'Repair asks before it changes anything',
  `Run: ${AGENT} repair --yes`,
);

const planText = ({ found, kept, lost }: RepairPreview): string =>
  `${[
    ...list('Found:', found, oneLine),
    ...list('Stays:', kept, oneLine),
    ...list('Would be lost to the run:', lost.length > 0 ? lost : ['nothing'], oneLine),
  ].join('\n')}\n`;

function reportText(report: RepairReport, agent: string): string {
  const { changed, detail, keptRecords, quarantine, other, plan } = report;
  if (!changed) return `Nothing to repair: ${oneLine(detail)}\n`;
  const lines = [
    `Repaired: ${plural(keptRecords, 'record')} kept.`,
    ...list('Lost to the run:', plan.lost, oneLine),
    ...(other === undefined
      ? []
      : [`  The journal of another run that stood there is ${inLine(other)}`]),
    ...(quarantine === null ? [] : [`  What was there before is in ${inLine(quarantine)}`]),
    keptRecords === 0
      ? `  Next: ${agent} undo, to put files back; or start over: ${agent} "goal"`
      : `  Next: ${agent} status, then ${agent} resume`,
  ];
  return `${lines.join('\n')}\n`;
}
