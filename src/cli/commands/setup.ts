import type { CommandContext } from '../command-context.ts';
import { EXIT } from '../exit-codes.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { oneLine } from '../render/text.ts';

/** `agent setup embedded`: installs llama.cpp for Node into the user's data folder. */
export async function setupCommand({
  invocation,
  terminal,
  engine,
}: CommandContext): Promise<number> {
  const isQuiet = invocation.verbosity === 'quiet';
  const say = (line: string): void => {
    if (!isQuiet) terminal.stderr.write(`  ${oneLine(line)}\n`);
  };
  const interrupt = listenForInterrupt(terminal, EXIT.interrupted, {
    onFirst: () => say('stopping'),
    onSecond: () => {},
  });
  try {
    const installed = await engine.setupEmbedded({ report: say, signal: interrupt.signal });
    terminal.stdout.write(
      `Embedded models are ready (version ${installed.version}, in ${installed.where}).\n`,
    );
    terminal.stderr.write('  Next: agent "goal" --model embedded:FILE.gguf\n');
    return 0;
  } catch (error) {
    if (interrupt.signal.aborted) {
      terminal.stderr.write('Stopped. Start again with: agent setup embedded\n');
      return EXIT.interrupted;
    }
    throw error;
  } finally {
    interrupt.dispose();
  }
}
