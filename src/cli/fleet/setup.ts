/**
 * `agent setup fleet`: installs the SDK of its engine into the user's data folder, with npm and without running package
 * scripts.
 */

import { loadSdk, SDK_PACKAGE, SDK_VERSION } from '../../fleet/restate/sdk.ts';
import { temporalPlace } from '../../fleet/temporal/address.ts';
import { loadWorkerSdk, SDK_PACKAGES } from '../../fleet/temporal/sdk.ts';
import type { Download } from '../../host/providers/download.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { ensureDirectory, readFileIfPresent, replaceFile } from '../../lib/files/durable-files.ts';
import { withoutSecrets } from '../../llm/secrets/scrub.ts';
import type { CommandContext } from '../command-context.ts';
import { addressOf } from './engine.ts';
import { fillInPromises } from './promises.ts';
import { fleetFolder, sdkPlaces } from './sdk-places.ts';

/** A worker reports its traces through this package if the process has set up an OpenTelemetry SDK. */
const WATCHING = '@opentelemetry/api@1.10.0';
const INSTALL_MS = 10 * 60_000;
const MAX_OUTPUT = 64_000;
const MAX_SHOWN = 300;

/** Resolves with its location. */
export async function setupFleet(
  context: CommandContext,
  { report, signal }: Download,
): Promise<string> {
  const { terminal } = context;
  const { machine, fs } = userResources(terminal);
  const folder = fleetFolder(context);
  ensureDirectory(fs, folder);
  const manifest = pathsOf(terminal.platform).join(folder, 'package.json');
  // Keeps the SDK of the other engine.
  if (readFileIfPresent(fs, manifest) === null)
    replaceFile(fs, manifest, Buffer.from('{ "private": true }\n'));
  const isTemporal = temporalPlace(addressOf(context)) !== null;
  const packages = isTemporal ? SDK_PACKAGES : [`${SDK_PACKAGE}@${SDK_VERSION}`];
  const processes = machine.processes(terminal.cwd, []);
  const npm = await processes.outside.find('npm');
  if (npm.kind !== 'found')
    throw failed('npm was not found', 'Install Node.js with npm from https://nodejs.org');
  report({ text: `installing ${packages.join(', ')} into ${folder}`, isReplaced: false });
  const outcome = await processes.run(
    {
      file: npm.file,
      args: [
        ...[...npm.prefix, 'install', '--prefix', folder, '--ignore-scripts', '--save-exact'],
        ...['--no-audit', '--no-fund', '--loglevel=error', ...packages, WATCHING],
      ],
      cwd: folder,
      // A private registry may need its token.
      env: withoutSecrets(terminal.env, (name) => /^(npm_|NODE_AUTH_TOKEN$)/i.test(name)),
      timeoutMs: INSTALL_MS,
      maxOutputBytes: MAX_OUTPUT,
    },
    { signal, onOutput: () => {} },
  );
  if (outcome.kind !== 'exited' || outcome.exitCode !== 0)
    throw failed(
      `npm could not install it: ${outcome.output.trim().slice(-MAX_SHOWN)}`,
      'See what npm says, then try again',
    );
  fillInPromises();
  if ((isTemporal ? loadWorkerSdk : loadSdk)(sdkPlaces(context)) === null)
    throw failed('it was installed and cannot be found', 'Try again');
  return folder;
}

const failed = (why: string, hint: string): TardigradeError =>
  new TardigradeError('E_PROVIDER', `The SDK of the fleet is not there: ${why}.`, `${hint}.`);
