import type { UndoPlan, UndoReport } from '../../host/engine-port.ts';
import { TardigradeError } from '../../lib/errors.ts';
import type { CommandContext } from '../command-context.ts';
import { createHold } from '../hold.ts';
import { oneLine, plural } from '../render/text.ts';
import { sayJson, sayNoRun, wantsJson } from './say.ts';

/** `agent undo`: says what will be put back, asks, does it. */
export async function undoCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const plan = await engine.planUndo(invocation.workspace);
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
    onRecord: createHold(terminal),
  });
  if (wantsJson(context)) return sayJson(context, report);
  terminal.stdout.write(reportText(report));
  return 0;
}

const needsYes = (): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    'agent undo asks before it changes files, and there is nobody to ask here.',
    'Run: agent undo --yes',
  );

function planText({ goal, files, left, commands, isWatched, damage }: UndoPlan): string {
  const lines = [
    `Undo of: ${oneLine(goal)}`,
    ...(files.length === 0
      ? [isWatched ? '  no file was changed' : '  no file was changed by a tool']
      : []),
    ...files.map((file) => `  ${oneLine(file)}`),
    ...list('Left as they are:', left),
    ...damageText(damage),
    ...notCovered(commands, isWatched),
  ];
  return `${lines.join('\n')}\n`;
}

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${oneLine(line)}`)];

const damageText = (damage: UndoPlan['damage']): string[] => [
  ...list(
    'Read from parts that a repair has set aside, below .agent_context:',
    damage?.readFrom ?? [],
  ),
  ...list('Not known any more:', damage?.unreadable ?? []),
];

const notCovered = (commands: readonly string[], isWatched: boolean): string[] =>
  list(
    isWatched
      ? 'Not covered: what these commands did outside of this folder, or in caches and dependencies:'
      : 'Not covered: what these commands did themselves:',
    commands,
  );

function reportText(report: UndoReport): string {
  const { outcome, restored, removed, leftAlone, foldersRemoved, foldersLeft } = report;
  if (outcome === 'already_undone') return 'This run was undone already.\n';
  const { uncovered = [], replaced = [] } = report.byCommands ?? {};
  const lines = [
    `Undone: ${plural(restored.length, 'file')} put back, ${plural(removed.length, 'file')} removed.`,
    ...list('Put back:', restored),
    ...list('Removed, because they were not there before:', [...removed, ...foldersRemoved]),
    ...list(
      'Left alone:',
      leftAlone.map(({ path, why }) => `${path}: ${why}`),
    ),
    ...list('Folders kept, because something else is in them:', foldersLeft),
    ...list(
      'Not kept, so left as commands left them:',
      uncovered.map(({ path, became }) => `${path}: ${became}`),
    ),
    ...list(
      'What commands had left in these files is kept, below .agent_context:',
      replaced.map(({ path, blob }) => `${path}: blobs/${blob}`),
    ),
    ...damageText(report.damage),
    ...notCovered(report.commands, report.byCommands !== undefined),
  ];
  return `${lines.join('\n')}\n`;
}
