/** The command by which a person proves the goal. */
import { runsTests } from '../../languages/testing/test-runs.ts';
import { misuse } from '../../lib/errors.ts';
import type { Redactor } from '../../llm/secrets/redactor.ts';
import type { RunOptionValues } from '../../options/option-values.ts';
import { ruleText } from '../../policy/rules/parse.ts';
import { commandPattern, literalPattern } from '../../policy/rules/words.ts';
import { waiting } from '../../round/permission/ask-first.ts';
import { notePermissionRequest, recordLeft } from '../../round/permission/ask-person.ts';
import {
  type FolderPort,
  folderNeededBy,
  folderQuestion,
} from '../../round/permission/folder-question.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import type { Paused } from '../../schema/state.ts';
import { splitCommand } from '../../tools/commands/split-command.ts';
import { programFrom } from '../../tools/files/in-folder.ts';

/** Throws E_USAGE for a proof with a key in it, or beside an option that it cannot serve. */
export function checkProof(
  { proof, withTests, wants }: Pick<RunOptionValues, 'proof' | 'withTests' | 'wants'>,
  keys: Pick<Redactor, 'text'>,
): void {
  if (proof === undefined) return;
  if (keys.text(proof) !== proof)
    throw misuse('The proof contains a key.', 'Let its program read the key from a file.');
  if (wants === 'answer')
    throw misuse('An answer changes nothing that a proof could show.', 'Leave the proof out.');
  if (withTests && !runsTests(proof))
    throw misuse(
      `Tests are asked for, and the proof "${proof}" runs none.`,
      'Give the command that runs the tests, or leave the proof out.',
    );
}

/** The rule that lets the proof run without asking. Throws E_USAGE for a proof that needs a shell. */
export function ruleOfProof(proof: string, platform: NodeJS.Platform): string {
  const split = splitCommand(proof, platform);
  if (split.ok && split.unexpanded.length === 0)
    return ruleText(commandPattern([split.program, ...split.args].map(literalPattern)));
  const why = split.ok ? `only a shell expands ${split.unexpanded.join(' ')}.` : split.reason;
  throw misuse(
    `The proof "${proof}" is not one command: ${why}`,
    'Put what it does into a script, and give the command that runs the script.',
  );
}

/**
 * Finds out whether the proof can run before any model is paid. The run waits for a yes to the folder of its
 * program. A missing program may still come with the work, so it is only reported. `null`: nothing is waited
 * for.
 */
export async function waitForProof(
  run: Parameters<typeof notePermissionRequest>[1] &
    Parameters<typeof recordLeft>[0] &
    FolderPort &
    Pick<RunPorts, 'emit' | 'findProgram'>,
): Promise<Paused | null> {
  const { context, asking } = run;
  const { givenProof } = context.state;
  if (givenProof === undefined) return null;
  recordLeft(run);
  const folder = await folderNeededBy({ target: { kind: 'command', text: givenProof } }, run);
  if (folder?.isNeeded) {
    if (asking.person !== null || !run.folders.isUnanswered(folder.offer)) return null;
    notePermissionRequest(folderQuestion(folder, '', run), run);
    const { why, detail } = waiting(context.state.permissions?.open ?? []);
    return { why, detail };
  }
  const { platform } = run.toolContext.processes;
  const split = splitCommand(givenProof, platform);
  if (!split.ok) return null;
  const found = await run.findProgram(programFrom(split.program, undefined, platform));
  if (found.kind === 'found') return null;
  const text = `The proof "${givenProof}" cannot run as things are: ${found.reason}`;
  run.emit({ type: 'notice', level: 'warning', text });
  return null;
}

/** A run keeps the proof that it began with. */
export function reportOtherProof(
  { context, emit }: Pick<RunPorts, 'context' | 'emit'>,
  { proof }: Pick<RunOptionValues, 'proof'>,
): void {
  const { givenProof } = context.state;
  if (proof === undefined || proof === givenProof) return;
  const text =
    givenProof === undefined
      ? 'This run began without a proof of yours, and none is added.'
      : `This run keeps the proof that it began with: ${givenProof}`;
  emit({ type: 'notice', level: 'warning', text });
}
