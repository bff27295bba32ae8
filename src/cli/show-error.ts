import { adviceIn, type RecoveryHint, TardigradeError } from '../lib/errors.ts';
import { exhaustionOf, hintOf, systemErrorCode } from '../lib/system-error.ts';
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
  if (exitCode !== 1) return { exitCode, code, message, hint: hintOf(code), isInternal: false };
  return {
    exitCode,
    code: 'E_INTERNAL',
    message: `Internal error: ${message}`,
    hint: '',
    isInternal: true,
  };
}

/** The message, the next step and, with `debug`, the stack with its causes. */
export function shownErrorText(
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
interface Trouble extends RecoveryHint {
  readonly message: string;
}

/** The message on one line, with the next step on a line of its own below it. */
const troubleLines = ({ message, ...next }: Trouble, agent: string): readonly string[] => [
  ...(message === '' ? [] : [oneLine(message)]),
  ...(next.hint === '' ? [] : [`  Next: ${oneLine(nextStepText(next, agent))}`]),
];
