/** Asks whether a server of the project may be used. As with a call, earlier typing does not answer it. */
import type { ProjectServer } from '../../host/config/project-servers.ts';
import { visible } from '../../lib/text/visible.ts';
import type { Terminal } from '../process/terminal.ts';
import { printFolded } from '../render/text/fold.ts';
import { pressedKey, quietKeys, REFUSING_KEYS, untilSettled } from './quiet-keys.ts';
import { commandOrAddress, formatServerVariables } from './server-words.ts';

/** `none`: the question was withdrawn. */
export type ServerAnswer = 'yes' | 'not_now' | 'never' | 'none';

export interface AskedServer {
  readonly server: ProjectServer;
  /** Absolute: where it would start. */
  readonly folder: string;
  /** The person agreed to another definition of this name before. */
  readonly isChanged: boolean;
}

const SAID: { readonly [answer in ServerAnswer]: string } = {
  yes: 'yes',
  not_now: 'no',
  never: 'no, and do not ask again',
  none: '(not answered)',
};

export async function askForServer(
  terminal: Pick<Terminal, 'stderr' | 'clock' | 'keys'>,
  asked: AskedServer,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  if (signal.aborted) return 'none';
  printFolded(terminal.stderr, serverQuestion(asked));
  const pressed = await untilSettled<ServerAnswer>(signal, (settle) =>
    quietKeys(terminal, (key, isQuiet) => {
      const answer = isQuiet ? answerBy(pressedKey(key)) : null;
      if (answer !== null) settle(answer);
    }),
  );
  const answer = pressed ?? 'none';
  terminal.stderr.write(`${SAID[answer]}\n`);
  return answer;
}

function answerBy(key: string): ServerAnswer | null {
  switch (key.toLowerCase()) {
    case 'y':
      return 'yes';
    case 'd':
      return 'never';
    default:
      return REFUSING_KEYS.has(key.toLowerCase()) ? 'not_now' : null;
  }
}

/** The whole definition; nothing is left out. */
export function serverFacts({ server, folder }: AskedServer): readonly string[] {
  const { name, fields } = server;
  const isStarted = fields.command !== undefined;
  return [
    `${name}: ${commandOrAddress(fields)}`,
    ...(isStarted ? [`in ${visible(folder)}, as you, before any of its tools is called`] : []),
    ...formatServerVariables(server),
  ];
}

export function serverQuestion(asked: AskedServer): string {
  const isStarted = asked.server.fields.command !== undefined;
  const change = asked.isChanged ? ' It is not what you approved before.' : '';
  const lines = [
    `${isStarted ? 'Start' : 'Contact'} this project's MCP server?${change}`,
    ...serverFacts(asked).map((line) => `  ${line}`),
    '  y  yes, in this folder, until its definition changes',
    '  n  not this time (Enter)',
    '  d  no, and do not ask again',
  ];
  return `${lines.join('\n')}\n> `;
}
