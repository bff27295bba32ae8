import type { CommandContext } from '../command-context.ts';
import { cut, oneLine, plural } from '../render/text.ts';
import { sayJson, sayNoRun, wantsJson } from './say.ts';

/** `agent runs`: every goal this folder has a journal of. */
export async function runsCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const runs = engine.listRuns(invocation.workspace);
  if (wantsJson(context)) return sayJson(context, { runs });
  if (runs.length === 0) return sayNoRun(context);
  const width = terminal.stdout.isTerminal ? terminal.stdout.size().columns - 1 : 240;
  for (const run of runs) {
    const mark = run.isCurrent ? '*' : ' ';
    const started = new Date(run.startedAt).toISOString().slice(0, 16).replace('T', ' ');
    const facts = `${oneLine(run.status).padEnd(10)} ${started} ${plural(run.records, 'record').padStart(13)}`;
    terminal.stdout.write(`${cut(`${mark} ${facts}  ${oneLine(run.goal)}`, width)}\n`);
  }
  const hint = '* is the current one; continue another by giving its goal again: agent "goal"\n';
  if (invocation.verbosity !== 'quiet') terminal.stderr.write(hint);
  return 0;
}
