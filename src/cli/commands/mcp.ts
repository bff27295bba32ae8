import { PROJECT_SERVERS, userConfigPath } from '../../host/config/find.ts';
import type { ProjectServer } from '../../host/config/project-servers.ts';
import type { Consent } from '../../host/engine-port.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { inLine } from '../../lib/text/plain-text.ts';
import { INSIDE_A_RUN } from '../../processes/environment.ts';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../process/program-name.ts';
import { formatServerVariables, placeOf, placeOfOwn } from '../questions/server-words.ts';
import { approveCommand } from '../questions/servers-for.ts';
import { printFolded } from '../render/text/fold.ts';
import { cut } from '../render/text/text.ts';
import { agrees, nobodyToAsk } from './agree.ts';
import { printJson, wantsJson } from './print.ts';

/** `agent mcp list|approve|reset`: servers of tools, and what a person said of those of the project; `serve` is one itself. */
export async function mcpCommand(context: CommandContext): Promise<number> {
  const { servers: verb, roots, maxRuns, mayAnswer } = context.invocation;
  if (verb !== 'serve' && (roots ?? maxRuns ?? mayAnswer) !== undefined)
    throw usageError(
      'Those options are for a server.',
      (agent) => `For another agent to begin runs here: ${agent} mcp serve`,
    );
  switch (verb) {
    case 'approve':
      return await approve(context);
    case 'reset':
      return reset(context);
    case 'serve':
      return (await import('../serve/mcp-serve.ts')).mcpServeCommand(context);
    default:
      return list(context);
  }
}

interface Row {
  readonly name: string;
  readonly from: 'user' | 'project';
  /** Its command line or its address. */
  readonly place: string;
  /** `null` for the user's own, which needs none. */
  readonly consent: Consent | null;
  /** What it gets of the environment. */
  readonly variables: readonly string[];
  /** Why it cannot be used. */
  readonly fault: string | null;
}

function rowsOf({ invocation, configured, engine }: CommandContext): readonly Row[] {
  const { workspace } = invocation;
  const { servers: own, projectServers } = configured;
  const theirs = projectServers?.servers ?? [];
  return [
    ...Object.entries(own).map(
      ([name, entry]): Row => ({
        ...{ name, from: 'user', place: placeOfOwn(entry) },
        ...{ consent: null, variables: [], fault: null },
      }),
    ),
    ...theirs.map(({ name, definition, fields, variables, fault }): Row => {
      const isHidden = Object.hasOwn(own, name);
      return {
        ...{ name, from: 'project', place: placeOf(fields), variables },
        consent: engine.serverConsents.of({ workspace, name, definition }),
        fault: isHidden ? 'your settings have one of this name' : fault,
      };
    }),
  ];
}

function list(context: CommandContext): number {
  const { terminal, configured } = context;
  const { file = null, fault = null } = configured.projectServers ?? {};
  const rows = rowsOf(context);
  if (wantsJson(context)) return printJson(context, { file, fault, servers: rows });
  const widest = Math.max(0, ...rows.map(({ name }) => name.length));
  for (const row of rows) {
    const { name, from, place } = row;
    const line = `${name.padEnd(widest)}  ${from.padEnd(7)}  ${stateOf(row, context)}`;
    printFolded(terminal.stdout, `${line}\n${place === '' ? '' : `  ${cut(place, MOST_SHOWN)}\n`}`);
  }
  if (rows.length === 0) printFolded(terminal.stderr, nothingText(context));
  if (fault !== null) printFolded(terminal.stderr, `Of ${PROJECT_SERVERS}: ${inLine(fault)}\n`);
  return 0;
}

const nothingText = ({ terminal }: CommandContext): string =>
  `No servers of tools are set up here. A project lists its own in ${PROJECT_SERVERS}, you list yours under mcpServers in ${userConfigPath(terminal)}\n`;

const MOST_SHOWN = 200;

function stateOf({ name, consent, fault }: Row, context: CommandContext): string {
  if (fault !== null) return `cannot be used: ${inLine(fault)}`;
  switch (consent) {
    case null:
      return 'used';
    case 'yes':
      return 'approved';
    case 'no':
      return `refused; to approve it: ${approveCommand(context, name)}`;
    case 'changed':
      return `changed since it was approved: ${approveCommand(context, name)}`;
    default:
      return `not approved: ${approveCommand(context, name)}`;
  }
}

async function approve(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { workspace } = invocation;
  refuseInside(context);
  const server = selectedServer(context);
  const { name, definition } = server;
  const isAgreed = await agrees(context, {
    text: `${formatServer(server, workspace)}\n`,
    question: 'Use it in this folder, until its definition changes?',
    unasked: nobodyToAsk(
      'E_USAGE',
      '"mcp approve" asks before a server is approved',
      () => `If that is what you want: ${approveCommand(context, name)} --yes`,
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
  return [`${name} (${PROJECT_SERVERS}:${line})`, `  ${placeOf(fields)}`, ...lines].join('\n');
}

function selectedServer({ invocation, configured }: CommandContext): ProjectServer {
  const name = invocation.server ?? '';
  const all = configured.projectServers?.servers ?? [];
  const server = all.find((one) => one.name === name);
  if (server === undefined && Object.hasOwn(configured.servers, name))
    throw usageError(
      `${name} stands in your own settings, and needs no approval.`,
      (agent) => `See them all: ${agent} mcp list`,
    );
  if (server === undefined) {
    const names = all.map((one) => one.name).join(', ');
    const hint = names === '' ? `There is no ${PROJECT_SERVERS} here.` : `There is: ${names}.`;
    throw usage(`The project has no server "${inLine(name)}".`, hint);
  }
  if (server.entry === null)
    throw usageError(
      `${name} cannot be used: ${server.fault}.`,
      (agent) => `See them all: ${agent} mcp list`,
    );
  return server;
}

const usage = (message: string, hint: string): TardigradeError =>
  new TardigradeError('E_USAGE', message, hint);

function reset(context: CommandContext): number {
  const { invocation, terminal, engine } = context;
  refuseInside(context);
  const forgotten = engine.serverConsents.forget(invocation.workspace, invocation.server);
  if (wantsJson(context)) return printJson(context, { forgotten });
  const text =
    forgotten.length === 0
      ? 'There was no answer to forget.'
      : `You will be asked again about: ${forgotten.map(inLine).join(', ')}`;
  printFolded(terminal.stdout, `${text}\n`);
  return 0;
}

/** A program that the model started must not answer for a person. */
function refuseInside({ terminal }: CommandContext): void {
  if (terminal.env[INSIDE_A_RUN] === undefined) return;
  throw usage(
    'A program that a run has started cannot answer for a person.',
    'Answer from a terminal of your own.',
  );
}
