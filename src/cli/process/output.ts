/** What becomes of the process where its output cannot be written, or not yet. */
import { EXIT } from '../../run/exit-codes.ts';
import { errorText, type ShownError } from '../show-error.ts';

/** As much of a stream of the process as this needs. */
export interface Output {
  readonly writableLength: number;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export interface OutputWatch {
  /** The exit code, where the output is what failed. */
  exitCode(otherwise: number): number;
}

/**
 * A reader that went away wanted no more, and that is no failure; output that a disk does not take
 * is lost, and whoever counts on it must hear of it.
 *
 * @param agent what the program is called here
 * @param onFailure is told once, with the text for stderr
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
    onFailure(errorText(failureOf(code, agent), error, false, agent));
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

/** Calls `end` once all is written, looking every `everyMs`; keeps no process alive for it. */
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
