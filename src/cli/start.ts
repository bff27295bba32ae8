import { fileURLToPath } from 'node:url';
import { main } from './main.ts';
import { errorText, explainError } from './show-error.ts';
import { nodeTerminal } from './terminal.ts';

/** How long a finished program waits for stray timers and sockets before it ends itself. */
const LINGER_MS = 1500;

/** Joins the command line to this process. `entry` is the URL of the program's first file. */
export async function start(
  argv: readonly string[],
  version: string,
  entry: string,
): Promise<number> {
  const terminal = nodeTerminal({
    version,
    self: [process.execPath, ...process.execArgv, fileURLToPath(entry)],
    programFolder: fileURLToPath(new URL('./', entry)),
  });
  // What nobody awaited is our bug too; it ends the process, but not with a stack on the screen.
  process.on('uncaughtException', (error) => {
    const isVerbose = argv.includes('--verbose') || argv.includes('-v');
    const shown = explainError(error);
    terminal.stderr.write(`\n${errorText(shown, error, isVerbose)}`);
    process.exit(shown.exitCode);
  });
  const loadEngine = async () => (await import('./dispatch.ts')).createEngine(terminal);
  const exitCode = await main(argv, terminal, loadEngine);
  setTimeout(() => {
    if (process.stdout.writableLength === 0) process.exit(exitCode);
  }, LINGER_MS).unref();
  return exitCode;
}
