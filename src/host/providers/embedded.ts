import { acquireLock } from '../../journal/lock/lock.ts';
import { SETUP } from '../../llm/embedded/failures.ts';
import { hubName } from '../../llm/embedded/hub-file.ts';
import { ENGINE_VERSION, installEmbedded } from '../../llm/embedded/install.ts';
import { engineFolder, isEmbeddedInstalled } from '../../llm/embedded/installed.ts';
import { withoutSecrets } from '../../llm/secrets/scrub.ts';
import type { Machine } from '../../run/machine.ts';
import type { EmbeddedStatus, SetupRequest } from '../engine-port.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { dataFolderOf } from '../user/user-folders.ts';
import { download } from './embedded-model.ts';

export async function embeddedStatus(
  { fs }: Machine,
  place: HostEnvironment,
): Promise<EmbeddedStatus> {
  const dataFolder = dataFolderOf(place);
  return {
    installed: isEmbeddedInstalled(fs, dataFolder),
    where: engineFolder(dataFolder, place.platform),
    version: ENGINE_VERSION,
  };
}

/** With a model named, an installed engine is kept; without one it is installed again. */
export async function setupEmbedded(
  machine: Machine,
  place: HostEnvironment,
  request: SetupRequest,
): Promise<EmbeddedStatus> {
  const before = await embeddedStatus(machine, place);
  if (request.model === null || !before.installed) await install(machine, place, request);
  if (request.model !== null) await download(request.model, place, request);
  return await embeddedStatus(machine, place);
}

/** The Node of this machine; '' if there is none. */
async function nodeIn({ outside }: ReturnType<Machine['processes']>): Promise<string> {
  const found = await outside.find('node');
  return found.kind === 'found' ? found.file : '';
}

async function install(
  machine: Machine,
  place: HostEnvironment,
  { model, report, signal }: SetupRequest,
): Promise<void> {
  const processes = machine.processes(place.cwd, []);
  const npm = await processes.outside.find('npm');
  await installEmbedded({
    dataFolder: dataFolderOf(place),
    npm: npm.kind === 'found' ? { file: npm.file, prefix: npm.prefix } : null,
    nodeExecutable: await nodeIn(processes),
    platform: place.platform,
    arch: place.arch,
    fs: machine.fs,
    processes,
    lock: (directory, longestMs) => acquireLock({ ...machine, directory }, { longestMs }),
    // A private registry may need its token.
    env: withoutSecrets(place.env, (name) => /^(npm_|NODE_AUTH_TOKEN$)/i.test(name)),
    signal,
    again: {
      ...SETUP,
      ...(model === null
        ? {}
        : { option: 'model', optionValue: hubName(model), endsInCommand: true }),
    },
    onProgress: (text) => report({ text, isReplaced: false }),
  });
}
