import type { RepairPlan, RepairReport } from '../../host/engine-port.ts';
import { TardigradeError } from '../../lib/errors.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT } from '../exit-codes.ts';
import { inLine, oneLine, plural } from '../render/text.ts';
import { sayJson, wantsJson } from './say.ts';

/** `agent repair`: says what is wrong, what would stay and what would be lost, asks, does it. */
export async function repairCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { workspace, flags } = invocation;
  const plan = await engine.planRepair(workspace);
  if (!plan.isNothing && !flags.has('yes')) {
    if (wantsJson(context)) sayJson(context, { changed: false, plan });
    else terminal.stderr.write(planText(plan));
    // Without a person to ask, nothing is assumed, and the journal stays as damaged as it is.
    if (!terminal.stdinIsTerminal || !terminal.stderr.isTerminal) {
      if (wantsJson(context)) return EXIT.state;
      throw needsYes();
    }
    const answer = await terminal.ask('Repair it like this? [y/N] ');
    if (!/^y(es)?$/i.test(answer.trim())) {
      terminal.stderr.write('Nothing was changed.\n');
      return 0;
    }
  }
  const report = await engine.repair({
    workspace,
    forceUnlock: flags.has('forceUnlock'),
    agreed: plan.key,
  });
  if (wantsJson(context)) return sayJson(context, report);
  terminal.stdout.write(reportText(report));
  return 0;
}

const needsYes = (): TardigradeError =>
  new TardigradeError(
    'E_JOURNAL_CORRUPT',
    'agent repair asks before it changes anything, and there is nobody to ask here.',
    'Run: agent repair --yes',
  );

const planText = ({ found, kept, lost }: RepairPlan): string =>
  `${[
    ...list('Found:', found),
    ...list('Stays:', kept),
    ...list('Would be lost to the run:', lost.length > 0 ? lost : ['nothing']),
  ].join('\n')}\n`;

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${oneLine(line)}`)];

function reportText({ changed, detail, keptRecords, quarantine, plan }: RepairReport): string {
  if (!changed) return `Nothing to repair: ${oneLine(detail)}\n`;
  const lines = [
    `Repaired: ${plural(keptRecords, 'record')} kept.`,
    ...list('Lost to the run:', plan.lost),
    ...(quarantine === null ? [] : [`  What was there before is in ${inLine(quarantine)}`]),
    keptRecords === 0
      ? '  Next: agent undo, to put files back; or start over: agent "goal"'
      : '  Next: agent status, then agent resume',
  ];
  return `${lines.join('\n')}\n`;
}
