import { TardigradeError } from '../../schema/errors.ts';
import type { CommandContext } from '../dispatch.ts';
import type { UndoPlan, UndoReport } from '../engine-port.ts';
import { oneLine, plural } from '../render/text.ts';
import { sayJson, sayNoRun, wantsJson } from './say.ts';

/** `agent undo`: says what will be put back, asks, does it. */
export async function undoCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const plan = engine.planUndo(invocation.workspace);
  if (plan === null) return sayNoRun(context);
  if (!invocation.flags.has('yes')) {
    terminal.stderr.write(planText(plan));
    // Without a person to ask, nothing is assumed.
    if (!terminal.stdinIsTerminal || !terminal.stderr.isTerminal) throw needsYes();
    const answer = await terminal.ask('Put these files back? [y/N] ');
    if (!/^y(es)?$/i.test(answer.trim())) {
      terminal.stderr.write('Nothing was changed.\n');
      return 0;
    }
  }
  const report = await engine.undo({
    workspace: invocation.workspace,
    forceUnlock: invocation.flags.has('forceUnlock'),
    emit: () => {},
  });
  if (wantsJson(context)) return sayJson(context, report);
  terminal.stdout.write(reportText(report));
  return 0;
}

const needsYes = (): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    'agent undo asks before it changes files, and here is nobody to ask.',
    'Run: agent undo --yes',
  );

function planText({ goal, files, commands }: UndoPlan): string {
  const lines = [
    `Undo of: ${oneLine(goal)}`,
    ...(files.length === 0 ? ['  no file was changed by a tool'] : []),
    ...files.map((file) => `  ${oneLine(file)}`),
    ...notCovered(commands),
  ];
  return `${lines.join('\n')}\n`;
}

const notCovered = (commands: readonly string[]): string[] =>
  commands.length === 0
    ? []
    : [
        'Not covered, what these commands did by themselves:',
        ...commands.map((command) => `  ${oneLine(command)}`),
      ];

function reportText({ restored, skipped, commands }: UndoReport): string {
  const lines = [
    `Put back ${plural(restored.length, 'file')}.`,
    ...restored.map((path) => `  ${oneLine(path)}`),
    ...(skipped.length === 0 ? [] : ['Left alone:']),
    ...skipped.map(({ path, why }) => `  ${oneLine(path)}: ${oneLine(why)}`),
    ...notCovered(commands),
  ];
  return `${lines.join('\n')}\n`;
}
