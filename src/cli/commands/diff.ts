import { visible } from '../../lib/text/visible.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { isSwapping } from '../../schema/journal/swap.ts';
import { type Patch, patchOf } from '../../undo/patch.ts';
import type { CommandContext } from '../command-context.ts';
import { bounded, hunkLines, patchHead } from '../render/ending/patch.ts';
import { printFolded } from '../render/text/fold.ts';
import { createStyle, type Style } from '../render/text/style.ts';
import { plural } from '../render/text/text.ts';
import { selectedFile, selectedRun } from '../selected-run.ts';
import { printJson, printNoRun, wantsJson } from './print.ts';

/** The most lines shown of one file among several, and of a single file. */
export const LINES_OF_EACH = 200;
const LINES_OF_ONE = 20_000;
/** The most files whose lines are shown; the others are only named. */
const MAX_FILES = 100;

/** `agent diff`: prints what a run changed in the files of the folder, or in one file, as they are now. */
export async function diffCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const file = selectedFile(context);
  const chat = await import('../chat/off.ts');
  const conversation = chat.selectedConversation(context);
  const run = conversation === null ? selectedRun(context) : null;
  const which = conversation === null ? { run: run?.id } : { session: conversation.id };
  const differences = await engine.changes(invocation.workspace, { ...which, file });
  if (differences === null) return printNoRun(context, EXIT.usage);
  const isCurrent = conversation === null && (run === null || run.isCurrent);
  const state = isCurrent ? engine.readRun(invocation.workspace) : null;
  if (state !== null && isSwapping(state)) printFolded(terminal.stderr, halfDone(terminal.program));
  const style = createStyle(terminal, terminal.stdout);
  const most = file === undefined ? LINES_OF_EACH : LINES_OF_ONE;
  const patches: Patch[] = [];
  let seen = 0;
  for (const difference of differences) {
    seen += 1;
    const patch = () => patchOf(difference, file !== undefined);
    if (wantsJson(context)) patches.push(bounded(await patch(), LINES_OF_ONE));
    else if (seen > MAX_FILES) terminal.stdout.write(`${visible(difference.path)}\n`);
    else terminal.stdout.write(`${patchText(await patch(), most, style, terminal.program)}\n`);
  }
  if (wantsJson(context)) return printJson(context, { files: patches });
  if (seen === 0) printFolded(terminal.stderr, `${nothingText(file, conversation !== null)}\n`);
  return 0;
}

const halfDone = (agent: string): string =>
  `The changes of the run are only partly out of the folder: ${agent} apply, or any start, finishes that.\n`;

function nothingText(file: string | undefined, isConversation: boolean): string {
  const what = file === undefined ? 'Nothing' : visible(file);
  const before = isConversation ? 'conversation' : 'run';
  return `${what} is ${file === undefined ? '' : 'not '}different from before the ${before}.`;
}

export function patchText(patch: Patch, most: number, style: Style, agent: string): string {
  const shown = bounded(patch, most);
  const all = patch.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const left = all - shown.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const path = visible(patch.path);
  return [
    style.paint('strong', patchHead(patch)),
    ...(patch.isChangedSince ? [style.paint('warning', '  somebody has changed it since')] : []),
    ...(patch.problem === '' ? [] : [`  ${patch.problem}`]),
    ...hunkLines(shown, style),
    ...(left > 0 ? [`... ${plural(left, 'more line')}: ${agent} diff ${path}`] : []),
  ].join('\n');
}
