import { isRemembered } from '../../host/models/model-spec.ts';
import { commandLine } from '../../lib/text/shell-words.ts';
import { exitCodeOfResult } from '../../run/exit-codes.ts';
import type { RunResult } from '../../run/result.ts';
import type { Narrator } from '../../run/stream/narrator.ts';
import { resultBody } from '../../run/stream/result-body.ts';
import { rulesForNotDone } from '../../steps/gate/not-done.ts';
import { patchOf } from '../../undo/patch.ts';
import type { CommandContext } from '../command-context.ts';
import { toGoOn } from '../command-line/option-flags.ts';
import { approveCallCommand, inPlace, resumeCommand } from '../command-line/resume-command.ts';
import { commandToPaste } from '../process/program-name.ts';
import type { Sink } from '../process/terminal.ts';
import { planLines } from '../questions/ask-plan.ts';
import { isPersonThere } from '../questions/person-there.ts';
import {
  modelText,
  modelTextLines,
  resultText,
  summaryBesideAnswer,
} from '../render/ending/result-text.ts';
import { type EndedRun, headLine, headline, summaryOf } from '../render/ending/summary.ts';
import { missingRules, waitingIds } from '../render/records/permissions.ts';
import { columnsOf, printFolded } from '../render/text/fold.ts';
import { createStyle, type Style } from '../render/text/style.ts';
import { sanitize } from '../render/text/text.ts';
import { offerWithheld } from './apply.ts';

/** In a log the width does not matter. */
const LOG_WIDTH = 300;

/** Reports the end of a run: the answer or one line on stdout, everything else on stderr. */
export async function report(
  context: CommandContext,
  result: RunResult,
  {
    narrator,
    ...seen
  }: {
    readonly elapsedMs: number;
    /** Writes the events of `--json`; `null` without it. */
    readonly narrator: Narrator | null;
  } & Pick<EndedRun, 'printed' | 'tests'>,
): Promise<number> {
  const { invocation, terminal } = context;
  const { stdout, stderr } = terminal;
  const { workspace } = invocation;
  const at = inPlace(invocation);
  const outcome: EndedRun = {
    result,
    workspace,
    ...seen,
    patches: await patchesOf(context, result),
    resume: wayOn(context, result),
    undo: commandToPaste(terminal, ['undo', ...at]),
    diff: commandToPaste(terminal, ['diff', ...at]),
    apply: commandToPaste(terminal, ['apply', ...at]),
    agent: terminal.program,
    again: againRow(context, result, at),
  };
  printFolded(stdout, planOf(context, result));
  const width = columnsOf(stderr, LOG_WIDTH);
  const style = createStyle(terminal, stderr);
  const { text } = headline(outcome, style);
  const answer = narrator !== null ? '' : resultText(outcome, text);
  // A text for both person and file appears only once on a screen.
  const isOneScreen = terminal.isOneScreen ?? (stdout.isTerminal && stderr.isTerminal);
  const isOnScreen = isOneScreen && answer.startsWith(`${text}\n`);
  if (isOnScreen) {
    printFolded(stdout, `${headLine(outcome, style)}\n`);
    // Evidence for an achieved goal goes below the model's text; evidence against it goes above.
    if (result.ending === 'achieved') await writeLines(stdout, [modelText(result)], style);
  }
  stderr.write(summaryOf(outcome, style, width, !isOnScreen));
  await writeLines(stderr, [summaryBesideAnswer(result)], style);
  if (isOnScreen) await writeLines(stdout, modelTextLines(result), style);
  if (narrator !== null) narrator.end(resultBody(result, outcome), result.state);
  // A file gets the model's text unchanged; a terminal gets it sanitised, so that the text cannot control it.
  else if (stdout.isTerminal || terminal.toFile === undefined) {
    if (!isOnScreen) stdout.write(await onScreen(sanitize(answer), stdout, style));
  } else terminal.toFile(answer);
  await offerWithheld(context, result);
  return exitCodeOfResult(result);
}

async function writeLines(sink: Sink, lines: readonly string[], style: Style): Promise<void> {
  const said = lines.join('\n');
  if (said !== '') sink.write(`${await onScreen(sanitize(said), sink, style)}\n`);
}

/** The model's text, laid out if a person reads it. */
async function onScreen(text: string, sink: Sink, style: Style): Promise<string> {
  if (!sink.isTerminal) return text;
  // Measuring text needs tables that no start should wait for.
  const { markdownRows } = await import('../render/markdown/page.ts');
  const width = Math.max(10, sink.size().columns - 1);
  return markdownRows(text, { width, style }).join('\n') + (text.endsWith('\n') ? '\n' : '');
}

/** The command that continues the run, with everything that it needs: raised limits and the missing permissions. */
function wayOn({ invocation, terminal }: CommandContext, result: RunResult): string {
  const isWaiting = result.ending === 'paused' && result.why === 'waiting_for_person';
  const missing = isWaiting ? missingRules(result.state) : [];
  const hasModel = isRemembered(result.state);
  if (isWaiting && isPlanOpen(result) && !isPersonThere(terminal, invocation))
    return `${resumeCommand(invocation, terminal, hasModel)} --agree`;
  if (missing === null) return approveCallCommand(invocation, waitingIds(result.state), terminal);
  // The run remembers the options that it had.
  const words = toGoOn(invocation, result.ending === 'paused' ? result : {});
  return resumeCommand({ ...words, allow: missing }, terminal, hasModel);
}

const isPlanOpen = ({ state }: RunResult): boolean =>
  state.agreement === 'due' && state.plan !== null;

/** The plan that waits for a yes, if no person could be asked. */
function planOf({ invocation, terminal }: CommandContext, result: RunResult): string {
  const { plan } = result.state;
  const isShown = isPersonThere(terminal, invocation) || invocation.json === true;
  if (plan === null || !isPlanOpen(result) || isShown) return '';
  const style = createStyle(terminal, terminal.stdout);
  return `${planLines(plan, style).join('\n')}\n`;
}

/**
 * The command that repeats the goal with what a person said decides about it, for goals that fit one line. A rule
 * that refused a call has ended the run, so no resume helps: it starts over with the rules that allow that call.
 */
function againRow(
  { invocation, terminal }: CommandContext,
  { state }: RunResult,
  at: readonly string[],
): EndedRun['again'] {
  const allow = rulesForNotDone(state).flatMap((rule) => ['--allow', rule]);
  const typed = commandLine(['--again', ...allow], terminal.platform);
  const words = `the same command with ${typed} starts over`;
  const isLong = /\n/.test(state.goal) || state.goal.length > LONGEST_TYPED;
  if (invocation.command === 'run') return { name: 'again', words };
  if (isLong) return { name: 'again', words: `its goal with ${typed} starts over` };
  const proof = state.givenProof === undefined ? [] : ['--proof', state.givenProof];
  const tests = state.withTests ? ['--with-tests'] : [];
  const command = commandToPaste(terminal, [
    ...at,
    '--again',
    ...allow,
    ...proof,
    ...tests,
    state.goal,
  ]);
  return { name: 'again', words: command, isCommand: true };
}

const LONGEST_TYPED = 200;

/** The most files that are read: no person reads more names than this. */
const MAX_FILES = 200;

/** What became of the files. A failure to read them does not change how the run ended. */
async function patchesOf(
  context: CommandContext,
  { state, ending }: RunResult,
): Promise<EndedRun['patches']> {
  const { engine, invocation } = context;
  const { workspace } = invocation;
  const isChanged =
    Object.values(state.files).some(({ written }) => written) ||
    Object.keys(state.commandChanges.files).length > 0;
  if (!isChanged || ending === 'already_finished') return [];
  try {
    const patches: EndedRun['patches'][number][] = [];
    for (const difference of (await engine.changes(workspace)) ?? []) {
      const { kind, lines } = await patchOf(difference);
      patches.push({ path: difference.path, kind, lines });
      if (patches.length >= MAX_FILES) break;
    }
    return patches;
  } catch {
    return [];
  }
}
