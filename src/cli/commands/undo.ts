import { visible } from '../../lib/text/visible.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { isCommit } from '../../undo/commits.ts';
import type { UndoPreview } from '../../undo/preview.ts';
import type { UndoReport } from '../../undo/report.ts';
import type { CommandContext } from '../command-context.ts';
import { inPlace } from '../command-line/resume-command.ts';
import { createHold } from '../process/hold.ts';
import { commandToPaste } from '../process/program-name.ts';
import { printFolded } from '../render/text/fold.ts';
import { inLine, oneLine, plural } from '../render/text/text.ts';
import { selectedFile, selectedRun } from '../selected-run.ts';
import { agrees, list as listOf, nobodyToAsk } from './agree.ts';
import { printJson, printNoRun, wantsJson } from './print.ts';

/**
 * `agent undo`: says what it will restore, asks, and restores it. A number selects another run or conversation, a name
 * selects one file.
 */
export async function undoCommand(context: CommandContext): Promise<number> {
  const { terminal, invocation, engine } = context;
  const { workspace } = invocation;
  const file = selectedFile(context);
  const chat = await import('../chat/off.ts');
  const conversation = chat.selectedConversation(context);
  const all = invocation.all === true;
  const which =
    conversation === null
      ? { run: selectedRun(context)?.id, file }
      : { session: conversation.id, file, all };
  const plan = await engine.planUndo(workspace, which);
  if (plan === null) return printNoRun(context, EXIT.usage);
  const question = {
    text: planText(plan, file),
    question: file === undefined ? 'Put these files back?' : 'Put this file back?',
    unasked: unasked(context),
  };
  // An undo that was cut off just before its end still finishes: it touches no file.
  if (!plan.isAsBefore && !(await agrees(context, question))) return 0;
  const forceUnlock = invocation.forceUnlock === true;
  const onRecord = createHold(terminal);
  const report = await engine.undo({ workspace, ...which, forceUnlock, onRecord });
  if (wantsJson(context)) return printJson(context, report);
  const head = conversation === null ? '' : `Undo of: ${oneLine(plan.goal)}\n`;
  printFolded(terminal.stdout, `${head}${reportText(report, file)}`);
  const isIdle = report.outcome === 'nothing_to_undo' && conversation !== null;
  const otherwise = isIdle ? chat.runBefore(context) : '';
  if (otherwise !== '') printFolded(terminal.stderr, `  ${otherwise}\n`);
  return 0;
}

function unasked({ invocation, terminal }: CommandContext) {
  const { runNumber, file, all } = invocation;
  const words = [
    'undo',
    ...(runNumber === null ? [] : [String(runNumber)]),
    ...(file === null ? [] : [/^\d+$/.test(file) ? `./${file}` : file]),
    ...inPlace(invocation),
    ...(all === true ? ['--all'] : []),
    '--yes',
  ];
  const next = `Run: ${commandToPaste(terminal, words)}`;
  return nobodyToAsk('E_USAGE', 'Undo asks before it changes files', next);
}

function planText(plan: UndoPreview, file: string | undefined): string {
  const { goal, files, left, commands, isWatched, damage, copiesUsed } = plan;
  const lines = [
    `Undo of: ${oneLine(goal)}`,
    ...(copiesUsed === undefined
      ? []
      : [`The state of this folder is lost; these copies are used: ${inLine(copiesUsed)}`]),
    ...(files.length === 0 ? [`  ${noFileWords(isWatched, file)}`] : []),
    ...files.map((line) => `  ${oneLine(line)}`),
    ...list('Left as they are:', left),
    ...damageText(damage),
    ...notCovered(commands, isWatched),
  ];
  return `${lines.join('\n')}\n`;
}

function noFileWords(isWatched: boolean, file: string | undefined): string {
  if (file !== undefined) return `${visible(file)} was not changed by it`;
  return isWatched ? 'no file was changed' : 'no file was changed by a tool';
}

const list = (title: string, lines: readonly string[]): string[] => listOf(title, lines, oneLine);

const damageText = (damage: UndoPreview['damage']): string[] => [
  ...list(
    'Read from parts that a repair has set aside, below .agent_context:',
    damage?.readFrom ?? [],
  ),
  ...list('No longer known:', damage?.unreadable ?? []),
];

const notCovered = (commands: readonly string[], isWatched: boolean): string[] => [
  ...list(
    isWatched
      ? 'Not covered: what these commands did outside of this folder, or in caches and dependencies:'
      : 'Not covered: what these commands did themselves:',
    commands.filter((cmd) => !isCommit(cmd)),
  ),
  ...list(
    'Commits stay in the git history; taking one back is up to you (git revert or git reset):',
    commands.filter(isCommit),
  ),
];

function undoneText(restored: number, removed: number): string {
  const parts = [
    ...(restored > 0 ? [`${plural(restored, 'file')} put back`] : []),
    ...(removed > 0 ? [`${plural(removed, 'file')} removed`] : []),
  ];
  return parts.length === 0 ? 'Undone.' : `Undone: ${parts.join(', ')}.`;
}

function reportText(report: UndoReport, file: string | undefined): string {
  const { outcome, restored, removed, leftAlone, foldersRemoved, foldersLeft } = report;
  if (outcome === 'already_undone') return 'This run was undone already.\n';
  if (outcome === 'nothing_to_undo' && file !== undefined)
    return `Nothing was changed: the run did not change ${visible(file)}.\n`;
  const { uncovered = [], replaced = [] } = report.byCommands ?? {};
  const lines = [
    outcome === 'nothing_to_undo'
      ? 'There is nothing to put back.'
      : undoneText(restored.length, removed.length),
    ...list('Put back:', restored),
    ...list('Removed, because they were not there before:', [...removed, ...foldersRemoved]),
    ...list(
      'Left alone:',
      leftAlone.map(({ path, why }) => `${path}: ${why}`),
    ),
    ...list(
      'Changed since, so their former content is put beside them:',
      (report.beside ?? []).map(({ path, beside }) => `${path}: ${beside}`),
    ),
    ...list('Folders kept, because something else is in them:', foldersLeft),
    ...list(
      'Not saved before, so left as commands left them:',
      uncovered
        .filter(({ path }) => file === undefined || path === file)
        .map(({ path, became }) => `${path}: ${became}`),
    ),
    ...list(
      'Their content until now is kept, below .agent_context:',
      replaced.map(({ path, blob }) => `${path}: blobs/${blob}`),
    ),
    ...damageText(report.damage),
    ...notCovered(report.commands, report.byCommands !== undefined),
  ];
  return `${lines.join('\n')}\n`;
}
