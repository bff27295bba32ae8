/** The MCP servers of a run: the user's own, and those of the project that a person agreed to. */
import { PROJECT_SERVERS } from '../../host/config/find.ts';
import type { ProjectServer } from '../../host/config/project-servers.ts';
import { keep } from '../../host/user/program-consents.ts';
import type { ServerEntries, ServerEntry } from '../../schema/servers.ts';
import type { CommandContext } from '../command-context.ts';
import { inPlace } from '../command-line/resume-command.ts';
import { commandToPaste } from '../process/program-name.ts';
import { type AskedServer, askForServer, type ServerAnswer } from './ask-server.ts';
import { isPersonThere } from './person-there.ts';

interface ServerPrompt {
  readonly signal: AbortSignal;
  /** Reports in a sentence what is left out. */
  warn(text: string): void;
  /** See `Renderer.hold`. */
  hold(): () => void;
  /** Asks somebody other than the person at the terminal. */
  ask?(asked: AskedServer): Promise<ServerAnswer>;
}

export async function serversFor(
  context: CommandContext,
  place: ServerPrompt,
): Promise<ServerEntries> {
  const { projectServers: theirs, servers: own } = context.configured;
  if (theirs === null) return own;
  if (theirs.fault !== null) place.warn(`Of the project's ${PROJECT_SERVERS}: ${theirs.fault}`);
  const agreed: [name: string, entry: ServerEntry][] = [];
  for (const server of theirs.servers) {
    const { name, entry, fault } = server;
    // The user's own server of that name takes precedence.
    if (Object.hasOwn(own, name)) continue;
    if (entry === null) place.warn(`${leftOut(name)}: ${fault}.`);
    else if (await isAgreed(context, server, place)) agreed.push([name, entry]);
  }
  return { ...Object.fromEntries(agreed), ...own };
}

const leftOut = (name: string): string =>
  `The MCP server ${name} of the project's ${PROJECT_SERVERS} is left out`;

async function isAgreed(
  context: CommandContext,
  server: ProjectServer,
  { warn: say, hold, signal, ask }: ServerPrompt,
): Promise<boolean> {
  const { invocation, terminal, engine } = context;
  const { workspace } = invocation;
  const { name, definition } = server;
  const which = { workspace, name, definition };
  const consent = engine.serverConsents.of(which);
  if (consent === 'yes' || consent === 'no') return consent === 'yes';
  const key = `${name} ${definition}`;
  if (context.refusedServers?.has(key)) return false;
  const isChanged = consent === 'changed';
  if (ask === undefined && !isPersonThere(terminal, invocation)) {
    const why = isChanged ? 'it is not what you approved' : 'you have not approved it';
    say(`${leftOut(name)}: ${why}. To see and approve it: ${approveServerCommand(context, name)}`);
    return false;
  }
  const asked = { server, folder: workspace, isChanged };
  const release = hold();
  const answer = await (ask?.(asked) ?? askForServer(terminal, asked, signal));
  release();
  if (answer === 'not_now') context.refusedServers?.add(key);
  if (answer === 'yes' || answer === 'never')
    keep(() => engine.serverConsents.save(which, answer === 'yes'), say);
  return answer === 'yes';
}

export const approveServerCommand = (
  { invocation, terminal }: CommandContext,
  name: string,
): string => commandToPaste(terminal, ['mcp', 'approve', name, ...inPlace(invocation)]);
