import { noHubFile } from '../../host/embedded-name.ts';
import { type HubFile, hubName, parseHubName } from '../../llm/embedded/hub-file.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT } from '../exit-codes.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { cut, oneLine } from '../render/text.ts';
import type { Sink } from '../terminal.ts';

/** Between two lines about the bytes of a download: on a terminal the line is written over. */
const LIVE_MS = 250;
const LOG_MS = 10_000;

/**
 * `agent setup embedded`: installs llama.cpp for Node into the user's data folder, and with
 * `--model` downloads a model for it.
 */
export async function setupCommand({
  invocation,
  terminal,
  engine,
}: CommandContext): Promise<number> {
  const model = invocation.model === null ? null : hubFileOf(invocation.model);
  const { say, end } = speaker(terminal.stderr, invocation.verbosity === 'quiet');
  const interrupt = listenForInterrupt(terminal, EXIT.interrupted, {
    onFirst: () => say('stopping'),
    onSecond: () => {},
  });
  try {
    const { signal } = interrupt;
    const everyMs = terminal.stderr.isTerminal ? LIVE_MS : LOG_MS;
    const installed = await engine.setupEmbedded({ model, report: say, everyMs, signal });
    end();
    terminal.stdout.write(
      `Embedded models are ready (version ${installed.version}, in ${installed.where}).\n`,
    );
    const name = model === null ? 'FILE.gguf' : hubName(model);
    terminal.stderr.write(`  Next: agent --model embedded:${name} "goal"\n`);
    return 0;
  } catch (error) {
    end();
    if (interrupt.signal.aborted) {
      const more = model === null ? '' : ` --model ${hubName(model)}`;
      terminal.stderr.write(`Stopped. Continue with: agent setup embedded${more}\n`);
      return EXIT.interrupted;
    }
    throw error;
  } finally {
    interrupt.dispose();
  }
}

/** `embedded:` in front may be left out: nothing else can be meant here. */
function hubFileOf(text: string): HubFile {
  const name = text.trim().replace(/^embedded[:/]/, '');
  const hub = parseHubName(name);
  if (hub === null) throw noHubFile(name);
  return hub;
}

interface Speaker {
  readonly say: (line: string) => void;
  /** What comes next begins on a line of its own. */
  readonly end: () => void;
}

/** Lines about percents take each other's place on a terminal; all others stay. */
function speaker(sink: Sink, isQuiet: boolean): Speaker {
  let isOpen = false;
  const end = (): void => {
    if (isOpen) sink.write('\n');
    isOpen = false;
  };
  const say = (text: string): void => {
    if (isQuiet) return;
    const line = `  ${oneLine(text)}`;
    const isPassing = sink.isTerminal && / \d+ % of /.test(line);
    if (!isPassing) {
      end();
      sink.write(`${line}\n`);
      return;
    }
    sink.write(`\r${cut(line, sink.size().columns - 1)}\u001b[K`);
    isOpen = true;
  };
  return { say, end };
}
