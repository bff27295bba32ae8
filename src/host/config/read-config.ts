/** Reads and checks settings files. Loaded only if there is one. */

import { misuse, TardigradeError } from '../../lib/errors.ts';
import { errorCode, readRange } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { secretsOfServers } from '../../llm/secrets/server-secrets.ts';
import type { OptionValues } from '../../options/option-values.ts';
import { OPTIONS, pathOf, rowsIn } from '../../options/table.ts';
import type { ServerEntries } from '../../schema/servers.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { type Accounts, NO_ACCOUNTS } from './accounts.ts';
import { checkForm } from './check.ts';
import { type ConfigDocument, configFault, parseDocument } from './document.ts';
import { accountsIn } from './fill-accounts.ts';
import { serversIn } from './fill-servers.ts';
import { type ConfigFile, userConfigPath } from './find.ts';
import { type ConfigForm, optionsInFile } from './form.ts';
import { readKeyFile, withKeys } from './key-file.ts';

/** The content of one file. */
export interface Layer<Form> {
  readonly document: ConfigDocument;
  readonly form: Form;
  readonly options: OptionValues;
}

export interface Configuration {
  readonly user: Layer<ConfigForm> | null;
  readonly project: Layer<ProjectForm> | null;
  readonly accounts: Accounts;
  readonly servers: ServerEntries;
}

/** Throws E_USAGE with file and line; E_IO for an unreadable file. @param keys the file of pasted keys */
export function readConfig(
  fs: FileSystem,
  place: Pick<HostEnvironment, 'env' | 'platform'>,
  files: readonly ConfigFile[],
  keys: string | null = null,
): Configuration {
  let user: Configuration['user'] = null;
  let project: Configuration['project'] = null;
  for (const { side, path } of files) {
    const document = parseDocument(path, settingsText(fs, path, side === 'project'));
    const form = checkForm(document);
    const options = optionsInFile(form);
    if (side === 'user') user = { document, form, options };
    else project = { document, form: checkProject(document, form, userConfigPath(place)), options };
  }
  const servers = user === null ? {} : serversIn(user.document, user.form, place);
  const named = user === null ? NO_ACCOUNTS : accountsIn(user.document, user.form, place.env);
  const pasted = keys === null ? named : withKeys(named, readKeyFile(fs, keys));
  const accounts = { ...pasted, others: secretsOfServers(servers) };
  return { user, project, accounts, servers };
}

const MAX_BYTES = 256 * 1024;

/** Throws E_USAGE. @param isForeign whether the file came with a folder: its link may lead anywhere */
export function settingsText(fs: FileSystem, path: string, isForeign: boolean): string {
  const refuse = (why: string, cause?: unknown) =>
    misuse(`The settings in ${path} cannot be read: ${why}.`, 'Fix the file, or move it away.', {
      cause,
    });
  try {
    if (isForeign && fs.lstat(path).kind !== 'file') throw refuse('it is not a plain file');
    if (fs.stat(path).kind !== 'file') throw refuse('it is not a file');
    return withFile(fs, path, (fd) => {
      const bytes = readRange(fs, fd, 0, Math.min(fs.size(fd), MAX_BYTES + 1));
      if (bytes.length > MAX_BYTES) throw refuse(`it has more than ${MAX_BYTES / 1024} KB`);
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    });
  } catch (error) {
    if (error instanceof TardigradeError) throw error;
    if (error instanceof TypeError) throw refuse('it is not UTF-8', error);
    if (errorCode(error) === 'ENOENT')
      throw misuse(`There is no settings file ${path}.`, 'Check the path that was given.', {
        cause: error,
      });
    throw refuse(`the system answered ${errorCode(error)}`, error);
  }
}

/**
 * A project's file comes with the folder, so it may narrow and suggest, but must never redirect a request or a key,
 * or raise a permission or a limit. It may set only what is named here.
 */
const MAY_SET: ReadonlySet<string> = new Set([
  ...(['$schema', 'permissions'] satisfies (keyof ConfigForm)[]),
  ...rowsIn(OPTIONS).flatMap(([, { setting = '', project }]) =>
    project === undefined ? [] : pathOf(setting).slice(0, 1),
  ),
]);

/** `permissions.allow` is excluded, too. */
type ProjectForm = Omit<ConfigForm, 'providers' | 'profiles' | 'mcpServers'>;

/** Throws E_USAGE with the line. @param userFile the file in which it may be set */
function checkProject(document: ConfigDocument, form: ConfigForm, userFile: string): ProjectForm {
  const refuse = (path: readonly string[]) =>
    configFault(
      document.file,
      document.lineOf(path),
      `A project may not set "${path.join('.')}": what comes with a folder moves no request, no key and no permission.`,
      `Take it out, or set it for yourself in ${userFile}.`,
    );
  const key = Object.keys(form).find((name) => !MAY_SET.has(name));
  if (key !== undefined) throw refuse([key]);
  if (form.permissions?.allow !== undefined) throw refuse(['permissions', 'allow']);
  return form;
}
