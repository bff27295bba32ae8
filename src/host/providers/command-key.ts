/** A key that a program of the user prints, such as a key store; the program runs when a request needs the key. */

import { TardigradeError } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { ProcessOutcome } from '../../processes/contract.ts';
import { systemMachine } from '../../run/machine.ts';
import { NO_ACCOUNTS } from '../config/accounts.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { homeFolderOf } from '../user/user-folders.ts';
import { isKeyFromCommand } from './hosted-account.ts';
import type { HostedRow } from './provider-row.ts';
import { PROVIDER_NAMES, rowOf } from './providers.ts';

const LIMIT_MS = 10_000;
const MAX_BYTES = 16_384;
const MAX_SHOWN = 200;

/**
 * The same environment with the key in it; unchanged if the key is there or no program is set. If the program prints no
 * key, throws E_PROVIDER, which names the setting.
 */
export async function withCommandKey(
  row: HostedRow,
  place: HostEnvironment,
  signal: AbortSignal,
): Promise<HostEnvironment> {
  const { name } = row;
  const { accounts = NO_ACCOUNTS } = place;
  const command = accounts.providers[name]?.apiKeyCommand;
  if (command === undefined || !isKeyFromCommand(row, place)) return place;
  const apiKey = await printedKey(row, command, place, signal);
  const own = { ...accounts.providers[name], apiKey, apiKeyCommand: undefined };
  return { ...place, accounts: { ...accounts, providers: { ...accounts.providers, [name]: own } } };
}

async function printedKey(
  { name, label }: HostedRow,
  [program = '', ...args]: readonly string[],
  place: HostEnvironment,
  signal: AbortSignal,
): Promise<string> {
  const { cwd, platform } = place;
  const setting = `providers.${name}.apiKeyCommand (${oneLine(program)})`;
  const fail = (why: string, next: string): TardigradeError =>
    new TardigradeError('E_PROVIDER', `${label} needs a key, and ${setting} ${why}.`, next);
  // The program must not come from the workspace.
  const processes = systemMachine(place).processes(cwd, []);
  const file = pathsOf(platform).isAbsolute(program) ? program : processes.resolve(program);
  if (file === null)
    throw fail(
      'was not found',
      'Name a program on PATH, or give its whole path, as the first word.',
    );
  const home = homeFolderOf(place);
  const outcome = await processes.run(
    {
      file,
      args,
      cwd: home,
      env: environmentOf(place.env),
      timeoutMs: LIMIT_MS,
      maxOutputBytes: MAX_BYTES,
      maxStreamBytes: MAX_BYTES,
    },
    { signal, onOutput: () => {} },
  );
  signal.throwIfAborted();
  const key = outcome.streams?.stdout.text.trim() ?? '';
  const why = faultOf(outcome, key);
  if (why === null) return key;
  throw fail(why, 'Run it yourself to see what it says: it must print the key and nothing else.');
}

function faultOf({ kind, exitCode, signal, streams, error }: ProcessOutcome, key: string) {
  if (kind === 'timeout') return `gave no key within ${LIMIT_MS / 1000} s`;
  if (kind === 'spawn_failed') return `could not be started: ${oneLine(error ?? '')}`;
  // The program's output, which may contain the key, is never shown.
  const said = oneLine(streams?.stderr.text.trim().split('\n')[0] ?? '').slice(0, MAX_SHOWN);
  if (exitCode !== 0)
    return `ended with ${exitCode ?? signal ?? kind}${said === '' ? '' : `: ${said}`}`;
  if (key === '') return 'printed nothing';
  return /^[!-~]+$/.test(key) ? null : 'printed more than one word';
}

/** A key store has variables of its own; the keys of models are removed. */
function environmentOf(env: HostEnvironment['env']): { readonly [name: string]: string } {
  const keys = PROVIDER_NAMES.map(rowOf).flatMap((row) =>
    row.kind === 'hosted' ? [row.keyVariable] : [],
  );
  const isKey = (name: string): boolean =>
    keys.some((key) => name === key || name.startsWith(`${key}_`));
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || isKey(name) ? [] : [[name, value]],
    ),
  );
}
