import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { type Finding, findingLine, type StartKind } from '../doctor/finding.ts';
import { lookAtMachine } from '../doctor/machine.ts';
import { lookAtModel } from '../doctor/model.ts';
import { lookAtState } from '../doctor/state.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { columnsOf, printFolded } from '../render/text/fold.ts';
import { createStyle } from '../render/text/style.ts';
import { plural } from '../render/text/text.ts';
import { printJson, wantsJson } from './print.ts';

const more = (agent: string): string => `All checks: ${agent} doctor --verbose`;

/** Among the findings that are ok, only the model is shown. */
const isTelling = ({ name, verdict }: Finding): boolean => verdict !== 'ok' || name === 'model';

const VERDICTS: { readonly [S in StartKind]: string } = {
  goal: 'The paused run can continue ("resume"). Before a new goal:',
  resume: 'A new goal can start. Before the paused run continues:',
};

function verdictOf(problems: readonly Finding[]): string {
  const [first] = problems;
  if (first === undefined) return 'A run can start.';
  const count = plural(problems.length, 'problem');
  const { of: start } = first;
  const isAlike = problems.every((one) => one.of === start);
  return start !== undefined && isAlike
    ? `${VERDICTS[start]} ${count} to fix.`
    : `${count} to fix before a run.`;
}

/** `agent doctor`: checks everything that a run needs. Exit code 2 if something prevents a run. */
export async function doctorCommand(context: CommandContext): Promise<number> {
  const { stdout } = context.terminal;
  const style = createStyle(context.terminal, stdout);
  const interrupt = listenForInterrupt(context.terminal, EXIT.interrupted);
  const isAll = context.invocation.verbose === true;
  const width = columnsOf(stdout, Number.POSITIVE_INFINITY);
  const findings: Finding[] = [];
  try {
    for (const look of [lookAtMachine, lookAtModel, lookAtState]) {
      if (interrupt.signal.aborted) break;
      // This check reads a journal of any length without a break and changes nothing, so a signal may end it anywhere.
      if (look === lookAtState) interrupt.dispose();
      for await (const finding of look(context, interrupt.signal)) {
        findings.push(finding);
        const isShown = !wantsJson(context) && (isAll || isTelling(finding));
        if (isShown) stdout.write(`${findingLine(finding, style, width)}\n`);
      }
    }
  } finally {
    interrupt.dispose();
  }
  if (interrupt.signal.aborted) return EXIT.interrupted;
  const problems = findings.filter(({ verdict }) => verdict === 'fail');
  const exitCode = problems.length === 0 ? EXIT.achieved : EXIT.usage;
  if (wantsJson(context)) printJson(context, { exitCode, findings });
  else {
    printFolded(stdout, `${verdictOf(problems)}\n`);
    if (!isAll) printFolded(stdout, `${style.paint('dim', more(context.terminal.program))}\n`);
  }
  return exitCode;
}
