import { fileURLToPath } from 'node:url';
import { defined } from '../lib/defined.ts';
import { isCommandName } from '../options/commands.ts';
import { EXIT } from '../run/exit-codes.ts';
import type { SingleProgram } from '../run/machine.ts';
import { type LoadEngine, main } from './main.ts';
import { watchOutput, whenWritten } from './process/output.ts';
import { typedProgramName } from './process/program-name.ts';
import { nodeTerminal } from './process/terminal.ts';
import { printFolded } from './render/text/fold.ts';
import { explainError, shownErrorText } from './show-error.ts';

/** How long a finished program waits for stray timers and sockets before it exits by force. */
const LINGER_MS = 1500;
const LOOK_MS = 20;

/** Connects the command line to this process. `entry` is the URL of the program's first file. */
export async function startProgram(
  argv: readonly string[],
  version: string,
  entry: string,
  keepCompiled: (hasUsedMuch: boolean) => void,
  single?: SingleProgram,
): Promise<number> {
  const script = process.argv[1] ?? fileURLToPath(entry);
  const typed = single === undefined ? {} : { typed: process.argv0 };
  const terminal = nodeTerminal({
    version,
    program: typedProgramName({ script, ...typed, env: process.env }),
    self: single === undefined ? [process.execPath, ...process.execArgv, script] : [single.file],
    programFolder: fileURLToPath(new URL('./', entry)),
    ...defined({ single }),
  });
  const { stdout, stderr } = process;
  const output = watchOutput(stdout, terminal.program, (text) => {
    terminal.stderr.write(text);
    // The error may arrive after everything else has ended.
    process.exitCode = EXIT.state;
  });
  const endWith = (exitCode: number) => process.exit(output.exitCode(exitCode));
  // An unhandled rejection is our bug, too; it ends the process, but without a stack on the screen.
  process.on('uncaughtException', (error) => {
    const isDebug = argv.includes('--debug');
    const shown = explainError(error, terminal.program);
    printFolded(terminal.stderr, `\n${shownErrorText(shown, error, isDebug, terminal.program)}`);
    if (stdout.writableLength === 0) endWith(shown.exitCode);
    whenWritten([stdout], LOOK_MS, () => endWith(shown.exitCode));
    setTimeout(() => endWith(shown.exitCode), LINGER_MS);
  });
  const loadEngine: LoadEngine = async (accounts) => {
    process.once('exit', () => keepCompiled(usesMuch(argv)));
    const { createEngine } = await import('./dispatch.ts');
    return createEngine(accounts === null ? terminal : { ...terminal, accounts });
  };
  const exitCode = await main(argv, terminal, loadEngine);
  whenWritten([stdout, stderr], LINGER_MS, () => endWith(exitCode));
  return output.exitCode(exitCode);
}

/** A run, a conversation or a server has used much of its code when it ends; any other command little. */
function usesMuch([first = '']: readonly string[]): boolean {
  return !isCommandName(first) || ['run', 'ask', 'resume', 'chat', 'acp', 'serve'].includes(first);
}
