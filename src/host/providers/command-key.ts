/** A key that a program of the user's own prints, such as that of a key store: run where a request needs it. */

import { TardigradeError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { ProcessOutcome } from '../../processes/contract.ts';
import { systemMachine } from '../../run/machine.ts';
import { pathsOf } from '../../workspace/jail.ts';
import { NO_ACCOUNTS } from '../config/accounts.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { homeOf } from '../user/user-folders.ts';
import { isKeyFromCommand } from './hosted-account.ts';
import type { HostedRow } from './provider-row.ts';
import { PROVIDER_NAMES, rowOf } from './providers.ts';

const LIMIT_MS = 10_000;
const MOST_BYTES = 16_384;
const MOST_SHOWN = 200;

/**
 * The same place with the key in it; as it is where the key is there or no program gives it. Throws E_PROVIDER,
 * which names the setting, where the program gives none.
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
  const { env, nodePath, single, cwd, platform } = place;
  const setting = `providers.${name}.apiKeyCommand (${oneLine(program)})`;
  const fail = (why: string, next: string): TardigradeError =>
    new TardigradeError('E_PROVIDER', `${label} needs a key, and ${setting} ${why}.`, next);
  // Nothing of the folder that is worked in is started.
  const processes = systemMachine({ env, nodePath, single }).processes(cwd, []);
  const file = pathsOf(platform).isAbsolute(program) ? program : processes.resolve(program);
  if (file === null)
    throw fail(
      'was not found',
      'Name a program on PATH, or give its whole path, as the first word.',
    );
  const home = homeOf(place);
  const outcome = await processes.run(
    {
      ...{ file, args, cwd: home, env: environmentOf(env) },
      ...{ timeoutMs: LIMIT_MS, maxOutputBytes: MOST_BYTES, maxStreamBytes: MOST_BYTES },
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
  // What it prints where a key would stand is shown to nobody.
  const said = oneLine(streams?.stderr.text.trim().split('\n')[0] ?? '').slice(0, MOST_SHOWN);
  if (exitCode !== 0)
    return `ended with ${exitCode ?? signal ?? kind}${said === '' ? '' : `: ${said}`}`;
  if (key === '') return 'printed nothing';
  return /^[!-~]+$/.test(key) ? null : 'printed more than one word';
}

/** A key store has variables of its own; keys of models are not among them. */
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
