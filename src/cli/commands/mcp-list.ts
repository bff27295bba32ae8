/**
 * `agent mcp list`: the servers of tools, whether each answers, and what it offers. It asks only servers that
 * a run here would get: a server of the project only with a person's consent. Started by a run, it asks none.
 */

import { PROJECT_SERVERS } from '../../host/config/find.ts';
import type { Consent } from '../../host/engine-port.ts';
import { inLine } from '../../lib/text/plain-text.ts';
import { firstOf } from '../../lib/text/shortened.ts';
import { sandboxMode } from '../../options/option-values.ts';
import { INSIDE_A_RUN } from '../../processes/environment.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { ServerLook } from '../../run/servers/look-at-servers.ts';
import type { ServerEntry } from '../../schema/servers.ts';
import type { CommandContext } from '../command-context.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { commandOrAddress, placeOfOwn } from '../questions/server-words.ts';
import { approveServerCommand } from '../questions/servers-for.ts';
import { printFolded } from '../render/text/fold.ts';
import { cut, plural } from '../render/text/text.ts';
import { printJson, wantsJson } from './print.ts';

interface Row {
  readonly name: string;
  readonly from: 'user' | 'project';
  /** The server's command line or address. */
  readonly place: string;
  /** `null` for the user's own servers, which need no consent. */
  readonly consent: Consent | null;
  readonly variables: readonly string[];
  /** Why it cannot be used. */
  readonly fault: string | null;
}

interface Listed {
  readonly row: Row;
  /** `null`: no run here would get it. */
  readonly entry: ServerEntry | null;
}

export async function mcpList(context: CommandContext): Promise<number> {
  const { terminal, configured } = context;
  const { file = null, fault = null } = configured.projectServers ?? {};
  const all = selectedOf(context);
  const interrupt = listenForInterrupt(terminal, EXIT.interrupted);
  const looks = await looksAt(context, all, interrupt.signal).finally(interrupt.dispose);
  if (interrupt.signal.aborted) return EXIT.interrupted;
  if (wantsJson(context)) {
    const servers = all.map(({ row }) => ({ ...row, ...answerFields(looks.get(row)) }));
    return printJson(context, { file, fault, servers });
  }
  const widest = Math.max(0, ...all.map(({ row }) => row.name.length));
  for (const { row } of all) {
    const { name, from, place } = row;
    const lines = [
      `${name.padEnd(widest)}  ${from.padEnd(7)}  ${stateOf(row, looks.get(row), context)}`,
      ...(place === '' ? [] : [`  ${cut(place, MAX_SHOWN)}`]),
      ...detailsOf(looks.get(row)).map((line) => `  ${line}`),
    ];
    printFolded(terminal.stdout, `${lines.join('\n')}\n`);
  }
  if (all.length === 0) printFolded(terminal.stderr, nothingText(context));
  if (fault !== null) printFolded(terminal.stderr, `Of ${PROJECT_SERVERS}: ${inLine(fault)}\n`);
  return 0;
}

/** All, or the one that is named. */
function selectedOf(context: CommandContext): readonly Listed[] {
  const { server } = context.invocation;
  const all = allOf(context);
  if (server === null) return all;
  const named = all.filter(({ row }) => row.name === server);
  if (named.length > 0) return named;
  const names = all.map(({ row }) => row.name).join(', ');
  throw usageError(
    `There is no server "${inLine(server)}".`,
    names === ''
      ? `To add it: ${AGENT} mcp add ${inLine(server)} -- COMMAND`
      : `There is: ${names}.`,
  );
}

function allOf({ invocation, configured, engine }: CommandContext): readonly Listed[] {
  const { workspace } = invocation;
  const { servers: own, projectServers } = configured;
  const theirs = projectServers?.servers ?? [];
  return [
    ...Object.entries(own).map(([name, entry]): Listed => {
      const row = { name, from: 'user', place: placeOfOwn(entry) } as const;
      return { row: { ...row, consent: null, variables: [], fault: null }, entry };
    }),
    ...theirs.map(({ name, definition, fields, variables, ...server }): Listed => {
      const isHidden = Object.hasOwn(own, name);
      const consent = engine.serverConsents.of({ workspace, name, definition });
      const fault = isHidden ? 'your settings have one of this name' : server.fault;
      const row = { name, from: 'project', place: commandOrAddress(fields), variables } as const;
      const isUsed = consent === 'yes' && !isHidden;
      return { row: { ...row, consent, fault }, entry: isUsed ? server.entry : null };
    }),
  ];
}

async function looksAt(
  context: CommandContext,
  all: readonly Listed[],
  signal: AbortSignal,
): Promise<ReadonlyMap<Row, ServerLook>> {
  const { terminal, invocation, configured, engine } = context;
  const asked = all.flatMap(({ row, entry }) => (entry === null ? [] : [{ row, entry }]));
  if (asked.length === 0 || terminal.env[INSIDE_A_RUN] !== undefined) return new Map();
  if (terminal.stderr.isTerminal && !wantsJson(context))
    printFolded(terminal.stderr, `Asking ${plural(asked.length, 'server')}…\n`);
  const servers = Object.fromEntries(asked.map(({ row, entry }) => [row.name, entry]));
  const { workspace } = invocation;
  const sandbox = sandboxMode(configured.begin);
  const looks = await engine.lookAtServers({ workspace, servers, sandbox, signal });
  return new Map(
    asked.flatMap(({ row }) => {
      const look = looks.find(({ name }) => name === row.name);
      return look === undefined ? [] : [[row, look] as const];
    }),
  );
}

/** `answers: null`: the server was not asked. */
const answerFields = (look: ServerLook | undefined) => ({
  answers: look === undefined ? null : look.tools !== null,
  tools: look?.tools ?? null,
  notes: look?.notes ?? [],
});

const nothingText = ({ terminal }: CommandContext): string =>
  `No servers of tools are set up here. To add one: ${terminal.program} mcp add NAME -- COMMAND\n`;

const MAX_SHOWN = 200;
const MAX_TOOLS_SHOWN = 8;

function stateOf(
  { name, consent, fault }: Row,
  look: ServerLook | undefined,
  context: CommandContext,
): string {
  if (fault !== null) return `cannot be used: ${inLine(fault)}`;
  switch (consent) {
    case null:
      return answerText(look) ?? 'used';
    case 'yes':
      return ['approved', answerText(look) ?? []].flat().join(', ');
    case 'no':
      return `refused; to approve it: ${approveServerCommand(context, name)}`;
    case 'changed':
      return `changed since it was approved: ${approveServerCommand(context, name)}`;
    default:
      return `not approved: ${approveServerCommand(context, name)}`;
  }
}

function answerText(look: ServerLook | undefined): string | null {
  if (look === undefined) return null;
  const { tools } = look;
  return tools === null ? 'does not answer' : `answers with ${plural(tools.length, 'tool')}`;
}

function detailsOf(look: ServerLook | undefined): readonly string[] {
  if (look === undefined) return [];
  const { tools, notes } = look;
  const shown = (tools ?? []).map((tool) => cut(tool, MAX_SHOWN));
  const names = firstOf(shown, MAX_TOOLS_SHOWN);
  const left = tools === null ? notes : notes.map((note) => `left out: ${note}`);
  return [...(names === '' ? [] : [names]), ...left.map(inLine)];
}
