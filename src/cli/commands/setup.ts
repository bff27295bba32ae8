import type { Download, ProgressLine } from '../../host/providers/download.ts';
import { noHubFile } from '../../host/providers/embedded-name.ts';
import { EMBEDDED_PROVIDER } from '../../host/providers/providers.ts';
import { type HubFile, hubName, parseHubName } from '../../llm/embedded/hub-file.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { verbosityOf } from '../command-line/invocation.ts';
import type { SetupTarget } from '../command-line/operands.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { commandToPaste } from '../process/program-name.ts';
import type { Sink } from '../process/terminal.ts';
import { printFolded } from '../render/text/fold.ts';
import { cut, inLine, oneLine } from '../render/text/text.ts';

/** Milliseconds between two lines about a download: on a terminal each line replaces the one before. */
const LIVE_MS = 250;
const LOG_MS = 10_000;

/** One thing to set up. */
interface Part {
  /** The options that repeat this step for somebody who stopped it. */
  readonly again: readonly string[];
  /** Resolves with what is ready, and what to type next. */
  install(download: Download): Promise<{ readonly ready: string; readonly next: string }>;
}

/**
 * `agent setup embedded`: installs llama.cpp for Node into the user's data folder and, with `--model`, downloads a
 * model for it. `agent setup ollama --model NAME`: lets Ollama download one.
 */
export async function setupCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  const name = invocation.part ?? EMBEDDED_PROVIDER;
  const part = PARTS[name](context);
  const interrupt = listenForInterrupt(terminal, EXIT.interrupted);
  try {
    const { ready, next } = await installed(context, part, interrupt.signal);
    printFolded(terminal.stdout, `${inLine(ready)}\n`);
    printFolded(terminal.stderr, `  Next: ${inLine(next)}\n`);
    return 0;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    const again = commandToPaste(terminal, ['setup', name, ...part.again]);
    printFolded(terminal.stderr, `Stopped. To continue, run the same command again: ${again}\n`);
    return EXIT.interrupted;
  } finally {
    interrupt.dispose();
  }
}

/** The same for a start that needs the model at once. */
export async function install(
  context: CommandContext,
  name: SetupTarget,
  model: string,
  signal: AbortSignal,
): Promise<void> {
  const { invocation } = context;
  const part = PARTS[name]({ ...context, invocation: { ...invocation, model } });
  await installed(context, part, signal);
}

async function installed(
  { invocation, terminal }: CommandContext,
  part: Part,
  signal: AbortSignal,
): ReturnType<Part['install']> {
  const { say, end } = speaker(terminal.stderr, verbosityOf(invocation) === 'quiet');
  const onAbort = (): void => say({ text: 'stopping', isReplaced: false });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const everyMs = terminal.stderr.isTerminal ? LIVE_MS : LOG_MS;
    return await part.install({ report: say, everyMs, signal });
  } finally {
    signal.removeEventListener('abort', onAbort);
    end();
  }
}

const PARTS: Readonly<Record<SetupTarget, (context: CommandContext) => Part>> = {
  embedded: ({ invocation, engine, terminal }) => {
    const model = invocation.model === undefined ? null : hubFileOf(invocation.model);
    const name = model === null ? null : hubName(model);
    return {
      again: name === null ? [] : ['--model', name],
      async install(download) {
        const { version, where } = await engine.setupEmbedded({ model, ...download });
        return {
          ready: `Embedded models are ready (version ${version}, in ${where}).`,
          next: `${terminal.program} --model embedded:${name ?? 'FILE.gguf'} "goal"`,
        };
      },
    };
  },
  fleet: (context) => ({
    again: [],
    async install(download) {
      const where = await (await import('../fleet/setup.ts')).setupFleet(context, download);
      return {
        ready: `Everything a worker of a fleet needs is ready (in ${where}).`,
        next: `${context.terminal.program} worker; docs/fleet.md says how to set up its server`,
      };
    },
  }),
  ollama: ({ invocation, engine, terminal }) => {
    const { host = null } = invocation;
    const model = (invocation.model ?? '').trim().replace(/^ollama\//, '');
    const at = host === null ? [] : ['--host', host];
    return {
      again: ['--model', model, ...at],
      async install(download) {
        const where = await engine.setupOllama({ model, host, ...download });
        return {
          ready: `${model} is ready (Ollama at ${where}).`,
          next: `${commandToPaste(terminal, ['--model', model, ...at])} "goal"`,
        };
      },
    };
  },
};

/** `embedded:` in front is optional: nothing else can be meant here. */
function hubFileOf(text: string): HubFile {
  const name = text.trim().replace(/^embedded[:/]/, '');
  const hub = parseHubName(name);
  if (hub === null) throw noHubFile(name);
  return hub;
}

/** On a terminal, lines of progress replace each other; all others stay. */
function speaker(sink: Sink, isQuiet: boolean) {
  let isOpen = false;
  const end = (): void => {
    if (isOpen) sink.write('\n');
    isOpen = false;
  };
  const say = ({ text, isReplaced }: ProgressLine): void => {
    if (isQuiet) return;
    const line = `  ${oneLine(text)}`;
    if (!isReplaced || !sink.isTerminal) {
      end();
      printFolded(sink, `${line}\n`);
      return;
    }
    sink.write(`\r${cut(line, sink.size().columns - 1)}\u001b[K`);
    isOpen = true;
  };
  return { say, end };
}
