/**
 * The servers that a project's `.mcp.json` asks for. Each is used only with a person's consent to exactly its
 * definition.
 * 1. An error in the file, or in one of its servers, is reported; it ends no run.
 * 2. Environment variables are filled into `env` and `headers` only, and their names are shown beforehand.
 * 3. A file of the folder that a command line names is part of the consent, with its content.
 * 4. Nothing of a definition is hidden from the person: a definition that cannot be shown in full is not used.
 */
import stableStringify from 'fast-json-stable-stringify';
import * as z from 'zod';
import { TardigradeError } from '../../lib/errors.ts';
import { isInside, pathsOf } from '../../lib/files/absolute-paths.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { oneLine, sanitize } from '../../lib/text/plain-text.ts';
import { shortened } from '../../lib/text/shortened.ts';
import type { ServerEntry } from '../../schema/servers.ts';
import { hashIfReadable } from '../../workspace/files.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { parseDocument } from './document.ts';
import { expand, variablesIn } from './expand.ts';
import { entryOf } from './fill-servers.ts';
import { settingsText } from './read-config.ts';
import { faultIn, faultInAddress, SERVER_NAME, ServerFields } from './server-form.ts';

export interface ProjectServer {
  readonly name: string;
  /** What a consent is bound to: the entry as written, without unused fields, and the hashes of its files. */
  readonly definition: string;
  readonly fields: ServerFields;
  /** With its variables filled in; `null` if it cannot be used. */
  readonly entry: ServerEntry | null;
  /** Why it cannot be used. */
  readonly fault: string | null;
  /** The environment variables that it would get. */
  readonly variables: readonly string[];
  readonly line: number;
}

export interface ProjectServers {
  /** Absolute. */
  readonly file: string;
  readonly servers: readonly ProjectServer[];
  /** Why the file is unusable. */
  readonly fault: string | null;
}

const File = z.object({ mcpServers: z.record(z.string(), z.unknown()) });
const Fields = z.object(ServerFields);

const MAX_SERVERS = 50;
/** Of a larger file only the size is compared, since it would be read at every start. */
const LARGEST_READ = 64 * 1024 * 1024;
/** A person has to read it. */
const LONGEST_DEFINITION = 4000;

/** Throws only E_IO. @param file absolute */
export function readProjectServers(
  fs: FileSystem,
  { env }: Pick<HostEnvironment, 'env'>,
  file: string,
): ProjectServers {
  try {
    const document = parseDocument(file, settingsText(fs, file, true));
    const parsed = File.safeParse(document.value);
    if (!parsed.success) return { file, servers: [], fault: 'it has no object "mcpServers"' };
    const all = Object.entries(parsed.data.mcpServers);
    const servers = all
      .slice(0, MAX_SERVERS)
      .map(([name, value]) =>
        serverOf({ fs, file, env, line: document.lineOf(['mcpServers', name]) }, name, value),
      );
    const beyond = all.length - MAX_SERVERS;
    const fault =
      beyond > 0 ? `${beyond} servers beyond the first ${MAX_SERVERS} are not read` : null;
    return { file, servers, fault };
  } catch (error) {
    if (!(error instanceof TardigradeError) || error.code !== 'E_USAGE') throw error;
    return { file, servers: [], fault: error.message };
  }
}

interface ServerParseContext {
  readonly fs: FileSystem;
  /** Absolute; files of its folder that a command line names are part of the definition. */
  readonly file: string;
  readonly line: number;
  readonly env: HostEnvironment['env'];
}

/** Reads one server in the common form. */
export function serverOf(
  { fs, file, line, env }: ServerParseContext,
  name: string,
  value: unknown,
): ProjectServer {
  const parsed = Fields.safeParse(value);
  const fields = parsed.success ? parsed.data : {};
  const shown = stableStringify(fields);
  const files = filesNamed(fs, file, fields);
  const definition = Object.keys(files).length === 0 ? shown : stableStringify([fields, files]);
  const shownName = shortened(oneLine(name), 40);
  const base = { name: shownName, definition, fields, line };
  const variables = [
    ...new Set(
      [fields.env, fields.headers].flatMap((all = {}) => Object.values(all).flatMap(variablesIn)),
    ),
  ];
  const [issue] = parsed.success ? [] : parsed.error.issues;
  const fault =
    issue === undefined
      ? faultOf(name, fields, shown)
      : `${issue.path.join('.')}: ${issue.message}`.replace(/^: /, '');
  if (fault !== null) return { ...base, variables, entry: null, fault: oneLine(fault) };
  const filled = filledIn(fields, env);
  return { ...base, variables, ...filled };
}

/** The sha256 of each word of its command line that is a file of the folder. */
function filesNamed(
  fs: FileSystem,
  file: string,
  { command, args = [] }: ServerFields,
): { readonly [word: string]: string } {
  if (command === undefined) return {};
  const { dirname, resolve } = pathsOf(fs.platform);
  const folder = dirname(file);
  const words = [command, ...args].map((word) => word.replace(/^-[^=]*=/, ''));
  const found = words.flatMap((word): readonly (readonly [string, string])[] => {
    const path = resolve(folder, word);
    if (word === '' || !isInside(folder, path, fs.platform)) return [];
    const held = contentHash(fs, path);
    return held === null ? [] : [[word, held]];
  });
  return Object.fromEntries(found);
}

/** Follows links; `null` if there is no file. */
function contentHash(fs: FileSystem, path: string): string | null {
  return orNull(() => {
    const real = fs.realpath(path);
    const { kind, size } = fs.stat(real);
    if (kind !== 'file') return null;
    return size > LARGEST_READ ? `${size} bytes` : hashIfReadable(fs, real);
  });
}

function faultOf(name: string, fields: ServerFields, shown: string): string | null {
  if (!SERVER_NAME.test(name)) return 'its name has other than letters, digits, - and _';
  const fault = faultIn(fields);
  if (fault !== null) return `${fault.at}: ${fault.why}`.replace(/^: /, '');
  if (shown.length > LONGEST_DEFINITION) return 'its definition is too long to be shown';
  if (textsIn(fields).some((text) => sanitize(text) !== text || text.includes('\n')))
    return 'it has characters that cannot be shown';
  const { command = '', args = [], url = '', host = '' } = fields;
  if ([command, ...args, url, host].some((text) => text.includes('${')))
    return 'variables are filled in only in env and headers';
  return url === '' ? null : faultInAddress(url);
}

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
};

function filledIn(
  fields: ServerFields,
  env: HostEnvironment['env'],
): Pick<ProjectServer, 'entry' | 'fault'> {
  let fault: string | null = null;
  const entry = entryOf(fields, (text, [part]) => {
    if (part !== 'env' && part !== 'headers') return text;
    const expanded = expand(text, env);
    if (expanded.kind === 'text') return expanded.text;
    fault ??= expanded.fault;
    return '';
  });
  return fault === null ? { entry, fault: null } : { entry: null, fault };
}
