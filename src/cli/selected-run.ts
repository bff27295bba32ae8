/** Resolves which run and which file a command line means. */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { RunListing } from '../host/engine-port.ts';
import { misuse, type TardigradeError } from '../lib/errors.ts';
import type { CommandContext } from './command-context.ts';
import { AGENT, usageError } from './process/program-name.ts';

/** The run with the number that was typed; `null` if none was typed. Throws E_USAGE if no run has it. */
export function selectedRun({ invocation, engine }: CommandContext): RunListing | null {
  const { runNumber, workspace } = invocation;
  if (runNumber === null) return null;
  const named = engine.listRuns(workspace).filter(({ number }) => number === runNumber);
  const [run] = named;
  if (run === undefined)
    throw wrong(`There is no run or conversation ${runNumber} in this folder.`);
  if (named.length > 1) throw wrong(`${named.length} runs have the number ${runNumber}.`);
  if (run.status === 'damaged') throw wrong(`The journal of run ${runNumber} cannot be read.`);
  return run;
}

const wrong = (message: string): TardigradeError =>
  usageError(message, `List them: ${AGENT} runs (conversations: ${AGENT} sessions)`);

export const runId = (context: CommandContext): string | undefined => selectedRun(context)?.id;

/**
 * The file as the journal names it; `undefined` if none was typed. A path that is typed in another folder of the
 * workspace is resolved from there. Throws E_USAGE.
 */
export function selectedFile({ invocation, terminal }: CommandContext): string | undefined {
  const { file, workspace, workspaceOption } = invocation;
  if (file === null) return undefined;
  const from = workspaceOption === null ? workspace : terminal.cwd;
  const inside = relative(workspace, resolve(from, file));
  const path = isInside(inside) ? inside : relative(workspace, resolve(workspace, file));
  if (!isInside(path))
    throw misuse(`${file} is not a file in ${workspace}.`, 'Give its path inside the workspace.');
  return path.split(sep).join('/');
}

/** On win32 the relative path to another drive is absolute. */
const isInside = (path: string): boolean =>
  path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
