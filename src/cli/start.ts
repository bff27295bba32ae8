import { fileURLToPath } from 'node:url';
import { main } from './main.ts';
import { nodeTerminal } from './terminal.ts';

/** How long a finished program waits for stray timers and sockets before it ends itself. */
const LINGER_MS = 1500;

/** Joins the command line to this process. `entry` is the URL of the program's first file. */
export async function start(
  argv: readonly string[],
  version: string,
  entry: string,
): Promise<number> {
  // A reader that went away (`agent history | head`) is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const terminal = nodeTerminal({
    version,
    self: [process.execPath, ...process.execArgv, fileURLToPath(entry)],
    programFolder: fileURLToPath(new URL('./', entry)),
  });
  const loadEngine = async () => (await import('./wiring.ts')).createEngine(terminal);
  const exitCode = await main(argv, terminal, loadEngine);
  setTimeout(() => {
    if (process.stdout.writableLength === 0) process.exit(exitCode);
  }, LINGER_MS).unref();
  return exitCode;
}
