/** Decides what happens to the process if its output cannot be written, or not yet. */
import { EXIT } from '../../run/exit-codes.ts';
import { type ShownError, shownErrorText } from '../show-error.ts';

/** The part of a process stream that is needed here. */
export interface Output {
  readonly writableLength: number;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export interface OutputWatch {
  /** The exit code; a special one if writing the output failed. */
  exitCode(otherwise: number): number;
}

/**
 * A reader that closed the pipe wanted no more, so that is not a failure. Output that the disk rejects is lost, and
 * its reader must learn so.
 *
 * @param agent the name by which the program was started
 * @param onFailure is called once, with the text for stderr
 */
export function watchOutput(
  stdout: Output,
  agent: string,
  onFailure: (text: string) => void,
): OutputWatch {
  let hasFailed = false;
  stdout.on('error', (error) => {
    const { code = '' } = error;
    if (hasFailed || code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return;
    hasFailed = true;
    onFailure(shownErrorText(failureOf(code, agent), error, false, agent));
  });
  return { exitCode: (otherwise) => (hasFailed ? EXIT.state : otherwise) };
}

const failureOf = (code: string, agent: string): ShownError => ({
  exitCode: EXIT.state,
  code,
  message: `The output could not be written (${code}). The rest of it is lost; the run loses nothing.`,
  hint: `See it again with \`${agent} status\` or \`${agent} history --json\`.`,
  isInternal: false,
});

/** Calls `end` once everything is written, checking every `everyMs`; does not keep the process alive. */
export function whenWritten(
  outputs: readonly Pick<Output, 'writableLength'>[],
  everyMs: number,
  end: () => void,
): void {
  const timer = setInterval(() => {
    if (outputs.some(({ writableLength }) => writableLength > 0)) return;
    clearInterval(timer);
    end();
  }, everyMs);
  timer.unref();
}
