import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TardigradeError } from '../../lib/errors.ts';
import type { Programs } from '../../processes/system-processes.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { type JournalLine, JournalTail, journalPath } from '../journal-tail.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { AGENT, commandToPaste, usageError } from '../process/program-name.ts';
import { historyWords } from '../render/records/history-words.ts';
import { printFolded } from '../render/text/fold.ts';
import { createStyle } from '../render/text/style.ts';
import { plural } from '../render/text/text.ts';
import { planTree } from '../render/work/plan-tree.ts';
import { runChild } from './child.ts';
import { type Comparison, compare, type WorkCount } from './compare.ts';
import { type DemoGoal, JAVASCRIPT_GOAL, PYTHON_GOAL } from './goals.ts';

/** `agent demo`: a real run on recorded model turns, killed with SIGKILL and resumed. */
export async function demoCommand(context: CommandContext): Promise<number> {
  if (context.invocation.demoFleet === true) return (await import('./fleet.ts')).demoFleet(context);
  const folder = mkdtempSync(join(tmpdir(), 'tardigrade-demo-'));
  const interrupt = listenForInterrupt(context.terminal, EXIT.interrupted);
  try {
    const goal = await goalFor(context, folder);
    return await play(context, goal, folder, interrupt.signal);
  } finally {
    interrupt.dispose();
    if (context.invocation.clean === true) rmSync(folder, { recursive: true, force: true });
  }
}

/** The first goal whose program is installed. Throws E_USAGE if there is none. */
async function goalFor({ engine, invocation }: CommandContext, folder: string): Promise<DemoGoal> {
  const { outside } = await engine.programs(folder);
  const wanted = invocation.python === true ? [PYTHON_GOAL] : [JAVASCRIPT_GOAL, PYTHON_GOAL];
  const reasons: string[] = [];
  for (const goal of wanted) {
    const found = await outside.find(goal.needs);
    if (found.kind === 'found') return await recordedFor(goal, outside);
    reasons.push(found.reason);
  }
  if (invocation.python === true)
    throw usageError(reasons.join(' '), `Run: ${AGENT} demo, without --python`);
  const next = 'Install one of them; goals that run neither need neither.';
  throw usageError('The demo needs Node.js or Python, and neither was found.', next);
}

async function recordedFor(goal: DemoGoal, { find }: Pick<Programs, 'find'>): Promise<DemoGoal> {
  const { instead } = goal;
  if (instead === undefined || (await find(instead.without)).kind === 'found') return goal;
  return { ...goal, recording: instead.recording };
}

async function play(
  context: CommandContext,
  goal: DemoGoal,
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  const say = (text = ''): void => printFolded(context.terminal.stdout, `${text}\n`);
  const recording = join(context.terminal.programFolder, 'demo', goal.recording);
  const model = ['--model', `recorded:${recording}`];
  say(
    "The model's answers in this demo are recorded; the engine, its tools, the files, the journal and the kill are real. No model and no network are used.",
  );
  say(`\n1. A run is started in ${folder}`);
  say(`   ${commandToPaste(context.terminal, [goal.goal])}\n`);
  // The recording begins with a plan.
  const begin = ['run', goal.goal, '--plan-first', ...model];
  const first = await runChild(context, goal, folder, begin, true, signal);
  if (signal.aborted) return EXIT.interrupted;
  const { linesAtKill } = first;
  if (linesAtKill === null) throw endedTooSoon(first.outcome.exitCode);
  const last = lastHistoryText(new JournalTail(journalPath(folder)).read());
  say(
    `\n2. Process ${first.pid} was ${context.terminal.platform === 'win32' ? 'ended by force' : 'killed with SIGKILL'}. Its journal has ${linesAtKill.length} records.`,
  );
  say(`   The last that was done: ${last}`);
  say(`\n3. The run is resumed: ${context.terminal.program} resume\n`);
  const second = await runChild(context, goal, folder, ['resume', ...model], false, signal);
  if (signal.aborted) return EXIT.interrupted;
  if (second.outcome.exitCode !== 0) throw didNotFinish(second.outcome.exitCode, folder);
  const comparison = compareJournal(folder, linesAtKill);
  showEnd(context, goal, folder, comparison);
  return comparison.repeated.length === 0 && comparison.isPrefixKept ? EXIT.achieved : EXIT.failed;
}

/** Skips records that matter only to the engine. */
const lastHistoryText = (lines: readonly JournalLine[]): string =>
  lines.flatMap(({ record }) => (record === null ? [] : (historyWords(record) ?? []))).at(-1) ??
  'nothing';

function compareJournal(folder: string, linesAtKill: readonly string[]): Comparison {
  const lines = new JournalTail(journalPath(folder)).read();
  const records = new Map(lines.map(({ text, record }) => [text, record]));
  const texts = lines.map(({ text }) => text);
  return compare(linesAtKill, texts, (line) => records.get(line) ?? null);
}

const endedTooSoon = (exitCode: number | null): TardigradeError =>
  new TardigradeError(
    'E_INTERNAL',
    `The demo's run ended before it could be killed (exit code ${exitCode ?? 'none'}).`,
    'Its output is shown above.',
  );

const didNotFinish = (exitCode: number | null, folder: string): TardigradeError =>
  new TardigradeError(
    'E_INTERNAL',
    `The resumed run did not finish (exit code ${exitCode ?? 'none'}).`,
    `Its output is shown above; its files are in ${folder}`,
  );

function showEnd(
  { terminal, engine, invocation }: CommandContext,
  { goal }: DemoGoal,
  folder: string,
  { before, after, repeated, isPrefixKept }: Comparison,
): void {
  const say = (text = ''): void => printFolded(terminal.stdout, `${text}\n`);
  const style = createStyle(terminal, terminal.stdout);
  const plan = engine.readRun(folder)?.plan;
  say('\n4. The plan at the end\n');
  if (plan) {
    for (const line of planTree(plan, style.glyphs))
      say(`    ${style.paint(line.tone, line.text)}`);
  }
  const work = ({ turns, actions, programs }: WorkCount): string =>
    [
      plural(turns, 'model turn'),
      plural(actions, 'action'),
      `${plural(programs, 'program')} started`,
    ].join(', ');
  say('\n5. What the journal says');
  say(`   before the kill:  ${work(before)}`);
  say(`   after the resume: ${work(after)}`);
  say(`   run again:        ${repeated.length === 0 ? 'nothing' : repeated.join(', ')}`);
  say(`   records from before the kill: ${isPrefixKept ? 'all there, unchanged' : 'CHANGED'}`);
  say('\n6. The files');
  if (invocation.clean === true) say('   removed, as --clean asks');
  else for (const name of readdirSync(folder).sort()) say(`   ${join(folder, name)}`);
  say('\nThe same goal with a model of your own (Ollama):');
  say(`   ${commandToPaste(terminal, [goal])}`);
}
