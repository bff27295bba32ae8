import { plainOutput } from './render/text.ts';
import type { Sink, Terminal } from './terminal.ts';

/**
 * The one door through which text leaves: what is written to stdout and stderr holds no control but
 * our own few. Renderers clean what they show; what one of them forgets cannot steer a terminal.
 */
export function throughTheDoor(terminal: Terminal): Terminal {
  const { stdout, stderr } = terminal;
  const guarded = (sink: Sink): Sink => ({
    ...sink,
    write: (text) => sink.write(plainOutput(text)),
  });
  return {
    ...terminal,
    stdout: guarded(stdout),
    stderr: guarded(stderr),
    toFile: (text) => stdout.write(text),
  };
}
