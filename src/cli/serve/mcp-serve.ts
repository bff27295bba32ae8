/** `agent mcp serve`: lets another agent begin runs here, over stdin and stdout. */
import { escapedJson } from '../../lib/text/plain-text.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { Holdings } from '../../server/holdings.ts';
import { refusalAnswer } from '../../server/http/problem.ts';
import { RunTools } from '../../server/mcp/run-tools.ts';
import type { CommandContext } from '../command-context.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { refuseInsideRun } from '../questions/person-there.ts';
import { serverPlace } from './server-place.ts';

const ABOUT =
  'Runs work on goals by themselves in folders of this machine, survive being killed, and end with what is proved and what is not. Begin one with start_goal, then wait_run until it is over. A run that asks waits for a person.';

export async function mcpServeCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  refuseHere(context);
  const place = await serverPlace(context);
  const mayAnswer = invocation.mayAnswer === true;
  const tools = new RunTools(new Holdings(place, { isLasting: false }), { mayAnswer });
  const { serveTools } = await import('../../server/mcp/wire.ts');
  const { gone, close } = serveTools(
    { input: terminal.input(), write: (line) => terminal.stdout.write(escapedJson(line)) },
    {
      version: place.version,
      tools: tools.all,
      instructions: ABOUT,
      wordsOf: (error) => {
        const { detail, hint } = refusalAnswer(error, place.keepError).problem;
        return `${detail} ${hint}`.trim();
      },
    },
  );
  const interrupt = listenForInterrupt(terminal, EXIT.achieved);
  try {
    await Promise.race([gone, interrupt.stopped]);
  } finally {
    tools.close();
    await close();
    interrupt.dispose();
  }
  return EXIT.achieved;
}

function refuseHere({ terminal }: CommandContext): void {
  refuseInsideRun(terminal, 'begin runs', 'Let the calling agent start it.');
  if (terminal.stdinIsTerminal)
    throw usageError(
      'Another agent starts this command; it is not for typing.',
      `In the settings of that agent, the command is ${AGENT} and its arguments are mcp serve.`,
    );
}
