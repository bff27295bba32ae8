/** A conversation at a terminal in this process: a real folder, a model that is a function. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import type { Terminal } from '../../../src/cli/process/terminal.ts';
import { createEngine } from '../../../src/host/create-engine.ts';
import type { Engine } from '../../../src/host/engine-port.ts';
import { onQuickMachine } from '../../support/quick-machine.ts';
import { LARGE, type Script, scriptedProvider } from '../../support/scripted-provider.ts';
import { fakeTerminal, type MemorySink } from '../support.ts';

export function chatFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chat-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Talking {
  readonly folder: string;
  readonly model: ReturnType<typeof scriptedProvider>;
  /** Types a line and Enter. */
  say(line: string): void;
  type(keys: string): void;
  /** Resolves once stdout, or stderr, holds it. */
  sees(text: string | RegExp): Promise<void>;
  /** All that was written so far, colours and cursor moves apart. */
  all(): string;
  readonly ended: Promise<number>;
  readonly terminal: ReturnType<typeof fakeTerminal>;
}

export interface TalkOptions {
  readonly folder?: string;
  readonly argv?: readonly string[];
  readonly isTerminal?: boolean;
  readonly input?: string;
  readonly engine?: (engine: Engine) => Engine;
  /** What the terminal does otherwise. */
  readonly terminal?: Partial<Terminal>;
}

/** What a conversation notes for its user is noted here, and not for who runs the tests. */
const HOME_FOLDER = mkdtempSync(join(tmpdir(), 'chat-home-'));
afterAll(() => rmSync(HOME_FOLDER, { recursive: true, force: true }));

/** Far more than anything here takes, also on a busy machine. */
const LONGEST_MS = 20_000;

/** Until something more was written and all that follows at once is done. False: nothing came for too long. */
export const more = (sinks: readonly MemorySink[]): Promise<boolean> =>
  new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), LONGEST_MS);
    for (const sink of sinks)
      sink.onNext(() => {
        clearTimeout(late);
        setImmediate(() => resolve(true));
      });
  });

export function talk(script: Script, options: TalkOptions = {}): Talking {
  const { folder = chatFolder(), argv = ['chat'], isTerminal = true, input = '' } = options;
  const model = scriptedProvider(script, LARGE);
  const made = fakeTerminal({ isTerminal, cwd: folder, input });
  const { env = { LANG: 'C.UTF-8', PATH: process.env.PATH }, ...others } = options.terminal ?? {};
  const own = { ...others, env: { HOME: HOME_FOLDER, ...env } };
  const terminal = onQuickMachine(Object.assign(made, own));
  const ended = main([...argv], terminal, async () => {
    const engine: Engine = {
      ...createEngine(terminal),
      openModel: async ({ choice }) => ({
        ...{ provider: model, model: choice.model ?? 'scripted:1b', where: 'here', notice: '' },
      }),
    };
    return options.engine?.(engine) ?? engine;
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor is no text
  const CONTROLS = /\u001b\[[?\d;]*[A-Za-z]/g;
  const all = (): string =>
    `${terminal.stdout.text()}\n${terminal.stderr.text()}`.replace(CONTROLS, '');
  return {
    ...{ folder, model, terminal, ended, all },
    type: (keys) => void terminal.type(keys),
    say: (line) => {
      terminal.type(line);
      terminal.type('\r');
    },
    sees: async (text) => {
      const isThere = (): boolean =>
        typeof text === 'string' ? all().includes(text) : text.test(all());
      while (!isThere())
        if (!(await more([terminal.stdout, terminal.stderr])))
          throw new Error(`It never said ${text}:\n${all()}`);
    },
  };
}

export const write = (path: string, content: string) => ({
  calls: [{ name: 'write_file', args: { path, content } }],
});

export const lastOf = ({
  messages,
}: {
  readonly messages: readonly { readonly content: string }[];
}): string => messages.at(-1)?.content ?? '';

/** Once it has begun. */
export async function ready(...options: Parameters<typeof talk>): Promise<Talking> {
  const talking = talk(...options);
  await talking.sees('/help shows the commands');
  return talking;
}

/** To its end, as a person leaves it. */
export async function left(talking: Talking): Promise<number> {
  talking.say('/quit');
  return talking.ended;
}
