/** `agent apply`: applies the withheld changes of a run. Also asks that question at the end of a run. */

import type { ApplyReport } from '../../host/journals/apply-contract.ts';
import { visible } from '../../lib/text/visible.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { RunResult } from '../../run/result.ts';
import { patchOf } from '../../undo/patch.ts';
import type { CommandContext } from '../command-context.ts';
import { createHold } from '../process/hold.ts';
import { isYes } from '../questions/is-yes.ts';
import { isPersonThere } from '../questions/person-there.ts';
import { printFolded } from '../render/text/fold.ts';
import { createStyle } from '../render/text/style.ts';
import { oneLine, plural } from '../render/text/text.ts';
import { selectedRun } from '../selected-run.ts';
import { list } from './agree.ts';
import { LINES_OF_EACH, patchText } from './diff.ts';
import { printJson, printNoRun, wantsJson } from './print.ts';

export async function applyCommand(context: CommandContext): Promise<number> {
  const { terminal, engine, invocation } = context;
  const run = selectedRun(context);
  if (run === null && engine.readRun(invocation.workspace) === null)
    return printNoRun(context, EXIT.usage);
  const report = await apply(context, run?.id);
  if (wantsJson(context)) printJson(context, report);
  else printFolded(terminal.stdout, reportText(report));
  return report.leftAlone.length === 0 ? 0 : EXIT.person;
}

/** Shows a person at the terminal what is withheld and asks; a plain Enter leaves it withheld. */
export async function offerWithheld(context: CommandContext, result: RunResult): Promise<void> {
  const { terminal, engine, invocation } = context;
  const { stderr } = terminal;
  if (result.withheld === undefined || !isPersonThere(terminal, invocation)) return;
  const style = createStyle(terminal, stderr);
  stderr.write('\n');
  for (const difference of (await engine.changes(invocation.workspace)) ?? [])
    stderr.write(
      `${patchText(await patchOf(difference), LINES_OF_EACH, style, terminal.program)}\n`,
    );
  const answer = await terminal.ask('Keep these changes? [y/N] ');
  if (isYes(answer)) printFolded(stderr, reportText(await apply(context, undefined)));
}

function apply({ terminal, engine, invocation }: CommandContext, run: string | undefined) {
  const { workspace, forceUnlock = false } = invocation;
  return engine.applyRun({
    workspace,
    run,
    forceUnlock,
    onRecord: createHold(terminal),
  });
}

function reportText({ outcome, applied, leftAlone }: ApplyReport): string {
  switch (outcome) {
    case 'already_applied':
      return 'The changes of this run are in the folder already.\n';
    case 'nothing_to_apply':
      return 'Nothing of this run is withheld.\n';
    case 'applied':
    case 'left_alone': {
      const [are, them] = applied.length === 1 ? ['is', 'it'] : ['are', 'them'];
      const lines = [
        applied.length === 0
          ? 'Nothing was applied.'
          : `Applied: ${plural(applied.length, 'file')} ${are} as the run left ${them}.`,
        ...applied.map((path) => `  ${visible(path)}`),
        ...list(
          'Left alone:',
          leftAlone.map(({ path, why }) => `${path}: ${why}`),
          oneLine,
        ),
      ];
      return `${lines.join('\n')}\n`;
    }
    default:
      return outcome satisfies never;
  }
}
