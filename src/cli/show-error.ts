import { adviceIn, type NextStep, TardigradeError } from '../lib/errors.ts';
import { exhaustionOf, systemErrorCode } from '../lib/system-error.ts';
import { ProviderError } from '../llm/provider.ts';
import { exitCodeOfError } from '../run/exit-codes.ts';
import { nextStepText } from './command-line/option-flags.ts';
import { CommandError } from './process/program-name.ts';
import { oneLine, sanitize } from './render/text/text.ts';

/** Pure: an error as a person should read it. A stack is shown only on request. */
export interface ShownError extends Trouble {
  readonly exitCode: number;
  readonly code: string;
  /** Whether it is our bug, so that the stack belongs in the log. */
  readonly isInternal: boolean;
}

/** @param agent the name by which the program was started */
export function explainError(error: unknown, agent: string): ShownError {
  const exitCode = exitCodeOfError(error);
  if (error instanceof TardigradeError) {
    const { code, message } = error;
    const hint = error instanceof CommandError ? error.nextAs(agent) : error.hint;
    const isInternal = code === 'E_INTERNAL';
    return { exitCode, code, message, hint, ...adviceIn(error), isInternal };
  }
  if (error instanceof ProviderError) {
    const { message, hint } = error;
    return { exitCode, code: 'E_PROVIDER', message, hint, ...adviceIn(error), isInternal: false };
  }
  const code = systemErrorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  const exhaustion = exhaustionOf(code);
  if (exhaustion !== null) {
    const { what, hint } = exhaustion;
    return { exitCode, code, message: `${what} (${code}).`, hint, isInternal: false };
  }
  if (exitCode !== 1)
    return { exitCode, code, message, hint: SYSTEM_HINTS[code] ?? '', isInternal: false };
  return {
    exitCode,
    code: 'E_INTERNAL',
    message: `Internal error: ${message}`,
    hint: '',
    isInternal: true,
  };
}

const SYSTEM_HINTS: { readonly [code: string]: string } = {
  EACCES: 'Check the permissions of the folder and of .agent_context in it.',
  EPERM: 'Check the permissions of the folder and of .agent_context in it.',
  EROFS: 'The file system is read-only; choose another folder with --workspace.',
  ENOSPC: 'Free some disk space, then run the same command again.',
  EDQUOT: 'Free some of your quota, then run the same command again.',
  EFBIG: 'Allow larger files (ulimit -f), then run the same command again.',
  EBUSY: 'Close the program that holds the file, then run the same command again.',
  ENOTDIR: 'Move away the file that is where a folder should be, then run the same command again.',
  ELOOP: 'Remove the link that leads to itself, then run the same command again.',
  ENAMETOOLONG: 'Work in a folder with a shorter path.',
  EIO: 'The disk reports errors; check it, then run the same command again.',
  EFTYPE: 'Move it away: a file belongs in its place.',
  ERR_FS_FILE_TOO_LARGE: 'Move it away: no file of this program grows that large.',
};

/** The message, the next step and, with `debug`, the stack with its causes. */
export function errorText(
  shown: ShownError,
  error: unknown,
  isDebug: boolean,
  agent: string,
): string {
  const { message, hint } = shown;
  const trouble = { message: `Error: ${message}`, hint, ...adviceIn(shown) };
  const lines = [...troubleLines(trouble, agent)];
  if (isDebug) lines.push(sanitize(stackOf(error)));
  return `${lines.join('\n')}\n`;
}

export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

/** Pure: what went wrong and what to do about it, in the same form before a run and during it. */
interface Trouble extends NextStep {
  readonly message: string;
}

/** The message on one line, with the next step on a line of its own below it. */
const troubleLines = ({ message, ...next }: Trouble, agent: string): readonly string[] => [
  ...(message === '' ? [] : [oneLine(message)]),
  ...(next.hint === '' ? [] : [`  Next: ${oneLine(nextStepText(next, agent))}`]),
];
