import type { Sink, Terminal } from './terminal.ts';

/** A terminal without a person; everything written there goes to these functions. */
export function unattended(
  { toFile: _itself, ...terminal }: Terminal,
  stdout: (text: string) => void,
  stderr: (text: string) => void,
): Terminal {
  const sink = (write: Sink['write']): Sink => ({
    isTerminal: false,
    size: () => ({ columns: 100, rows: 40 }),
    isClosed: () => false,
    write,
  });
  return {
    ...terminal,
    stdout: sink(stdout),
    stderr: sink(stderr),
    draw: () => {},
    readKeys: null,
    stdinIsTerminal: false,
    onSignal: () => () => {},
    onExit: () => () => {},
  };
}
