import type { CommandContext } from '../command-context.ts';
import { verbosityOf } from '../command-line/invocation.ts';
import { dayAndTime } from '../local-time.ts';
import { columnsOf, printFolded } from '../render/text/fold.ts';
import { cut, oneLine } from '../render/text/text.ts';
import { printJson, printNoRun, wantsJson } from './print.ts';

const NARROW = 60;

/** `agent runs`: lists every goal with a journal in this folder. */
export async function runsCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const runs = engine.listRuns(invocation.workspace);
  if (wantsJson(context)) return printJson(context, { runs });
  if (runs.length === 0) return printNoRun(context);
  const width = columnsOf(terminal.stdout);
  for (const run of runs) {
    const mark = run.isCurrent ? '*' : ' ';
    const number = String(run.number ?? '-').padStart(3);
    const facts = `${number}  ${oneLine(run.status).padEnd(10)}  ${dayAndTime(run.lastAt)}`;
    // In a narrow window the goal gets a line of its own, since it identifies the run.
    const lines =
      width < NARROW
        ? [`${mark} ${facts}`, `       ${oneLine(run.goal)}`]
        : [`${mark} ${facts}  ${oneLine(run.goal)}`];
    for (const line of lines) terminal.stdout.write(`${cut(line, width)}\n`);
  }
  const hint = `* is the current one. Go on with another: ${terminal.program} resume NUMBER\n`;
  if (verbosityOf(invocation) !== 'quiet') printFolded(terminal.stderr, hint);
  return 0;
}
