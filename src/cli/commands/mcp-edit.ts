/** `agent mcp add` and `agent mcp remove`: the servers of tools in the user's settings, or in the project's file. */
import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { addServer, removeServer, serversFile } from '../../host/config/edit-servers.ts';
import { PROJECT_SERVERS } from '../../host/config/find.ts';
import { readProjectServers } from '../../host/config/project-servers.ts';
import type { ServerFields } from '../../host/config/server-form.ts';
import { misuse } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { inLine } from '../../lib/text/plain-text.ts';
import { OPTIONS } from '../../options/table.ts';
import type { CommandContext } from '../command-context.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { printFolded } from '../render/text/fold.ts';
import { printJson, wantsJson } from './print.ts';

/** Adds the server, then asks it, as a run would. */
export async function mcpAdd(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { server = null, workspace, config } = invocation;
  const at = fileFor(context);
  const fields = fieldsOf(context);
  const name = server ?? '';
  const file = serversFile(at);
  const isNew = addServer(at, name, fields);
  if (at.side === 'project') approveOwn(context, file, name);
  const line = isNew
    ? `Added ${name} to ${inLine(file)}`
    : `${name} stands in ${inLine(file)} already`;
  if (!wantsJson(context)) printFolded(terminal.stdout, `${line}\n`);
  for (const warning of warningsOf(context, fields, file))
    printFolded(terminal.stderr, `${warning}\n`);
  const words = ['mcp', 'list', name, '--workspace', workspace];
  const more = [
    ...(config === undefined ? [] : ['--config', config]),
    ...(wantsJson(context) ? ['--json'] : []),
  ];
  return context.again([...words, ...more], terminal, engine);
}

export function mcpRemove(context: CommandContext): number {
  const { invocation, terminal, engine, configured } = context;
  const { workspace } = invocation;
  const name = invocation.server ?? '';
  const at = fileFor(context);
  const file = serversFile(at);
  const isRemoved = removeServer(at, name);
  if (!isRemoved) {
    const isOther =
      at.side === 'project'
        ? Object.hasOwn(configured.servers, name)
        : configured.projectServers?.servers.some((one) => one.name === name) === true;
    const other = at.side === 'project' ? 'your settings' : `the project's ${PROJECT_SERVERS}`;
    throw usageError(
      `${inLine(file)} has no server "${inLine(name)}".`,
      isOther
        ? `It stands in ${other}: ${AGENT} mcp remove ${name}${at.side === 'project' ? '' : ' --project'}`
        : `See them all: ${AGENT} mcp list`,
    );
  }
  if (at.side === 'project') engine.serverConsents.forget(workspace, name);
  if (wantsJson(context)) return printJson(context, { name, file, removed: true });
  printFolded(terminal.stdout, `Removed ${name} from ${inLine(file)}\n`);
  return 0;
}

function fileFor({ invocation, terminal, configured, engine }: CommandContext) {
  const { workspace, inProject = false, config = null } = invocation;
  if (configured.begin.ignoreSettings === true && (inProject || config === null))
    throw misuse(
      `Settings files are left out (${OPTIONS.ignoreSettings.variable}), so none is changed.`,
      'Unset that variable, and give the command again.',
    );
  const side = inProject ? 'project' : 'user';
  const edit = engine.editSettings;
  return { fs: nodeFileSystem, place: terminal, edit, side, workspace, named: config } as const;
}

function fieldsOf({ invocation }: CommandContext): ServerFields {
  const { serverPlace, serverEnv = [], serverHeaders = [] } = invocation;
  const env = Object.fromEntries(serverEnv.map(variableIn));
  const headers = Object.fromEntries(serverHeaders.map(headerIn));
  const more = {
    ...(serverEnv.length === 0 ? {} : { env }),
    ...(serverHeaders.length === 0 ? {} : { headers }),
  };
  if (serverPlace === null) return more;
  if ('words' in serverPlace) {
    const [command, ...args] = serverPlace.words;
    return { command, ...(args.length === 0 ? {} : { args }), ...more };
  }
  const { address } = serverPlace;
  const [, host, port] = /^tcp:\/\/(.+):(\d+)$/i.exec(address) ?? [];
  return host === undefined
    ? { type: 'http', url: address, ...more }
    : { host, port: Number(port), ...more };
}

/** `NAME=VALUE`; for a name alone, the environment gives the value at each start: '' if it has none. */
function variableIn(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, `\${${text}:-}`] : [text.slice(0, at), text.slice(at + 1)];
}

function headerIn(text: string): readonly [name: string, value: string] {
  const at = text.indexOf(':');
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw misuse(
    `"${inLine(text)}" is not a header.`,
    `Give it as 'NAME: VALUE', for example 'Authorization: Bearer \${TOKEN}'.`,
  );
}

/** Records consent: a person who writes a definition has agreed to it. */
function approveOwn({ invocation, terminal, engine }: CommandContext, file: string, name: string) {
  const { workspace } = invocation;
  const { servers } = readProjectServers(nodeFileSystem, terminal, file);
  const definition = servers.find((one) => one.name === name)?.definition;
  if (definition !== undefined) engine.serverConsents.save({ workspace, name, definition }, true);
}

/** Warnings about effects of the new entry that a person may not expect. */
function warningsOf(
  { invocation, terminal }: CommandContext,
  { env = {}, headers = {}, command, args = [] }: ServerFields,
  file: string,
): readonly string[] {
  const { inProject = false } = invocation;
  const all = Object.entries({ ...env, ...headers });
  const plain = all.flatMap(([name, value]) => (value.includes('${') ? [] : [name]));
  const unset = Object.entries(env).flatMap(([name, value]) =>
    value === variableIn(name)[1] && (terminal.env[name] ?? '') === '' ? [name] : [],
  );
  const isHere = (word: string): boolean =>
    !isAbsolute(word) && existsSync(resolve(terminal.cwd, word));
  const relative = command === undefined || inProject ? [] : [command, ...args].filter(isHere);
  return [
    ...(plain.length === 0 ? [] : [plainText(plain, inLine(file), inProject)]),
    ...unset.map((name) => `${name} is not set here, so the server gets an empty one.`),
    ...relative.map(
      (word) =>
        `"${inLine(word)}" is looked for in your home folder, where your servers start. For the one here, give its whole path, or --project.`,
    ),
  ];
}

function plainText(names: readonly string[], file: string, isShared: boolean): string {
  const [noun, verb] = names.length === 1 ? ['value', 'stands'] : ['values', 'stand'];
  const where = isShared ? `${file}, which goes wherever the folder goes` : file;
  return `The ${noun} of ${names.join(', ')} ${verb} as typed in ${where}. A secret is better named: \${NAME} takes it from the environment, and so does --env NAME.`;
}
