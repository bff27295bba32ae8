/**
 * Adds servers of tools (MCP) to the user's settings or to a project's `.mcp.json`, and removes them. A file that a
 * start could not read afterwards is not written.
 */
import stableStringify from 'fast-json-stable-stringify';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { fileKindAt } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { isRecord } from '../../lib/json-value.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { checkForm } from './check.ts';
import { configFault, parseDocument } from './document.ts';
import type { EditSettings } from './edit-settings.ts';
import { serversIn } from './fill-servers.ts';
import { projectServersPath, type SettingsOwner, usersSettingsFile } from './find.ts';
import { withMember, withoutMember } from './json-edit.ts';
import { serverOf } from './project-servers.ts';
import { settingsText } from './read-config.ts';
import { SERVER_NAME, type ServerFields } from './server-form.ts';

export interface ServersFile {
  readonly fs: FileSystem;
  readonly place: Pick<HostEnvironment, 'env' | 'platform' | 'cwd'>;
  readonly edit: EditSettings;
  readonly side: SettingsOwner;
  readonly workspace: string;
  /** Replaces the user's own file; as typed. */
  readonly named: string | null;
}

/** The mode of a new file of a project. */
const SHARED_MODE = 0o644;
const SECTION = 'mcpServers';

/** Absolute. */
export const serversFile = ({ side, place, workspace, named }: ServersFile): string =>
  side === 'project' ? projectServersPath(place, workspace) : usersSettingsFile(place, named);

/**
 * Adds a server; false if it is there already. Throws E_USAGE for another server of that name, and for
 * invalid fields.
 */
export function addServer(at: ServersFile, name: string, fields: ServerFields): boolean {
  if (!SERVER_NAME.test(name))
    throw misuse(
      `"${name}" cannot be the name of a server.`,
      'Give up to 32 letters, digits, - and _.',
    );
  const file = serversFile(at);
  let isNew = true;
  const edit = (text: string): string => {
    checkReadable(at);
    const before = serversOf(file, text);
    const there = before[name];
    if (there !== undefined && stableStringify(there) === stableStringify(fields)) {
      isNew = false;
      return text;
    }
    if (there !== undefined) throw nameTaken(at, text, name);
    const after = withMember(text, [SECTION, name], fields);
    checkWhole(file, after, { ...before, [name]: fields });
    checkServer(at, file, after, name);
    return after;
  };
  at.edit(file, edit, ...(at.side === 'project' ? [SHARED_MODE] : []));
  return isNew;
}

/** Removes a server; false if there is none of that name. Throws E_USAGE. */
export function removeServer(at: ServersFile, name: string): boolean {
  const file = serversFile(at);
  let isThere = false;
  at.edit(file, (text) => {
    checkReadable(at);
    const { [name]: gone, ...others } = serversOf(file, text);
    isThere = gone !== undefined;
    if (!isThere) return text;
    const after = withoutMember(text, [SECTION, name]);
    checkWhole(file, after, others);
    return after;
  });
  return isThere;
}

/** Refuses a link: in a project it may lead anywhere, so neither a start nor a change follows it. */
function checkReadable(at: ServersFile): void {
  const file = serversFile(at);
  if (at.side === 'project' && fileKindAt(at.fs, file) !== null) settingsText(at.fs, file, true);
}

function serversOf(file: string, text: string): { readonly [name: string]: unknown } {
  const { value, lineOf } = parseDocument(file, text);
  const section = isRecord(value) ? (value[SECTION] ?? {}) : null;
  if (isRecord(section)) return section;
  throw configFault(file, lineOf([SECTION]), `"${SECTION}" is no object.`, 'Mend it first.');
}

/** Guards the file against a fault of our own; a person can then make the change by hand. */
function checkWhole(
  file: string,
  after: string,
  servers: { readonly [name: string]: unknown },
): void {
  if (stableStringify(serversOf(file, after)) === stableStringify(servers)) return;
  throw misuse(
    `${file} cannot be changed by a program without harm, so nothing was written.`,
    `Make the change under "${SECTION}" by hand.`,
  );
}

/** Reads the server as the next start will. */
function checkServer(
  { fs, place, side }: ServersFile,
  file: string,
  after: string,
  name: string,
): void {
  const document = parseDocument(file, after);
  if (side === 'user') {
    const { mcpServers = {} } = checkForm(document);
    const own = mcpServers[name];
    if (own !== undefined) serversIn(document, { mcpServers: { [name]: own } }, place);
    return;
  }
  const line = document.lineOf([SECTION, name]);
  const value = serversOf(file, after)[name];
  const { fault } = serverOf({ fs, file, line, env: place.env }, name, value);
  if (fault !== null) throw misuse(`${name} cannot be added: ${fault}.`, NOTHING_WRITTEN);
}

const NOTHING_WRITTEN = 'Nothing was written. Correct the command, and give it again.';

function nameTaken(at: ServersFile, text: string, name: string): TardigradeError {
  const file = serversFile(at);
  const line = parseDocument(file, text).lineOf([SECTION, name]);
  return misuse(
    `${file}:${line}: There is another server called ${name}.`,
    'Give yours another name, or remove that one first.',
    {
      command: [
        'mcp',
        'remove',
        name,
        ...(at.side === 'project' ? [longFlag(OPTIONS.inProject)] : []),
      ],
    },
  );
}
