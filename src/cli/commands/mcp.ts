import { PROJECT_SERVERS } from '../../host/config/find.ts';
import type { ProjectServer } from '../../host/config/project-servers.ts';
import { misuse } from '../../lib/errors.ts';
import { inLine } from '../../lib/text/plain-text.ts';
import type { CommandContext } from '../command-context.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { refuseInsideRun } from '../questions/person-there.ts';
import { commandOrAddress, formatServerVariables } from '../questions/server-words.ts';
import { approveServerCommand } from '../questions/servers-for.ts';
import { printFolded } from '../render/text/fold.ts';
import { agrees, nobodyToAsk } from './agree.ts';
import { printJson, wantsJson } from './print.ts';

/**
 * `agent mcp list|add|remove|approve|reset`: MCP servers, and what a person decided about those of the project.
 * `mcp serve` is such a server itself.
 */
export async function mcpCommand(context: CommandContext): Promise<number> {
  const { servers: verb } = context.invocation;
  refuseElsewhere(context);
  switch (verb) {
    case 'add':
      refuseInsideRun(context.terminal);
      return (await import('./mcp-edit.ts')).mcpAdd(context);
    case 'remove':
      refuseInsideRun(context.terminal);
      return (await import('./mcp-edit.ts')).mcpRemove(context);
    case 'approve':
      return await approve(context);
    case 'reset':
      return reset(context);
    case 'serve':
      return (await import('../serve/mcp-serve.ts')).mcpServeCommand(context);
    default:
      return (await import('./mcp-list.ts')).mcpList(context);
  }
}

function refuseElsewhere({ invocation }: CommandContext): void {
  const { servers: verb, roots, maxRuns, mayAnswer } = invocation;
  const { serverEnv, serverHeaders, inProject } = invocation;
  if (verb !== 'serve' && (roots ?? maxRuns ?? mayAnswer) !== undefined)
    throw usageError(
      'Those options are for a server.',
      `For another agent to begin runs here: ${AGENT} mcp serve`,
    );
  const isChange = verb === 'add' || verb === 'remove';
  if (verb !== 'add' && (serverEnv ?? serverHeaders ?? (isChange ? undefined : inProject)))
    throw usageError(
      'Those options are for a server that is added.',
      `To add one: ${AGENT} mcp add NAME -- COMMAND`,
    );
}

async function approve(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { workspace } = invocation;
  refuseInsideRun(context.terminal);
  const server = selectedServer(context);
  const { name, definition } = server;
  const isAgreed = await agrees(context, {
    text: `${formatServer(server, workspace)}\n`,
    question: 'Use it in this folder, until its definition changes?',
    unasked: nobodyToAsk(
      'E_USAGE',
      '"mcp approve" asks before a server is approved',
      `If that is what you want: ${approveServerCommand(context, name)} --yes`,
    ),
  });
  if (!isAgreed) return 0;
  engine.serverConsents.save({ workspace, name, definition }, true);
  if (wantsJson(context)) return printJson(context, { name, approved: true });
  printFolded(terminal.stdout, `Approved: ${name}. Each call of its tools still asks.\n`);
  return 0;
}

function formatServer(server: ProjectServer, workspace: string): string {
  const { name, fields, line } = server;
  const where = fields.command === undefined ? [] : [`started in ${inLine(workspace)}, as you`];
  const lines = [...where, ...formatServerVariables(server)].map((one) => `  ${one}`);
  return [`${name} (${PROJECT_SERVERS}:${line})`, `  ${commandOrAddress(fields)}`, ...lines].join(
    '\n',
  );
}

function selectedServer({ invocation, configured }: CommandContext): ProjectServer {
  const name = invocation.server ?? '';
  const all = configured.projectServers?.servers ?? [];
  const server = all.find((one) => one.name === name);
  if (server === undefined && Object.hasOwn(configured.servers, name))
    throw usageError(
      `${name} stands in your own settings, and needs no approval.`,
      `See them all: ${AGENT} mcp list`,
    );
  if (server === undefined) {
    const names = all.map((one) => one.name).join(', ');
    const hint = names === '' ? `There is no ${PROJECT_SERVERS} here.` : `There is: ${names}.`;
    throw misuse(`The project has no server "${inLine(name)}".`, hint);
  }
  if (server.entry === null)
    throw usageError(`${name} cannot be used: ${server.fault}.`, `See them all: ${AGENT} mcp list`);
  return server;
}

function reset(context: CommandContext): number {
  const { invocation, terminal, engine } = context;
  refuseInsideRun(context.terminal);
  const forgotten = engine.serverConsents.forget(invocation.workspace, invocation.server);
  if (wantsJson(context)) return printJson(context, { forgotten });
  const text =
    forgotten.length === 0
      ? 'There was no answer to forget.'
      : `You will be asked again about: ${forgotten.map(inLine).join(', ')}`;
  printFolded(terminal.stdout, `${text}\n`);
  return 0;
}
