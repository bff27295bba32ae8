import { ENGINE_VERSION, installEmbedded } from '../../llm/embedded/install.ts';
import { engineFolder, isEmbeddedInstalled } from '../../llm/embedded/installed.ts';
import { withoutSecrets } from '../../llm/secrets/scrub.ts';
import type { Machine } from '../../round/machine.ts';
import type { EmbeddedStatus, SetupRequest } from '../engine-port.ts';
import type { Terminal } from '../terminal.ts';
import { dataFolderOf } from './user-folders.ts';

export async function embeddedStatus({ fs }: Machine, terminal: Terminal): Promise<EmbeddedStatus> {
  const dataFolder = dataFolderOf(terminal);
  return {
    installed: isEmbeddedInstalled(fs, dataFolder),
    where: engineFolder(dataFolder, terminal.platform),
    version: ENGINE_VERSION,
  };
}

/** With a model, an engine that is there is left as it is; without one it is installed again. */
export async function setupEmbedded(
  machine: Machine,
  terminal: Terminal,
  request: SetupRequest,
): Promise<EmbeddedStatus> {
  const before = await embeddedStatus(machine, terminal);
  if (request.model === null || !before.installed) await install(machine, terminal, request);
  if (request.model !== null) {
    const { download } = await import('./embedded-model.ts');
    await download(request.model, terminal, request);
  }
  return await embeddedStatus(machine, terminal);
}

/** Installs with the npm that belongs to this machine. */
async function install(
  machine: Machine,
  terminal: Terminal,
  { report, signal }: SetupRequest,
): Promise<void> {
  const processes = machine.processes(terminal.cwd, () => false);
  const npm = await processes.programs.find('npm');
  await installEmbedded({
    dataFolder: dataFolderOf(terminal),
    npm: npm.kind === 'found' ? { file: npm.file, prefix: npm.prefix } : null,
    nodeExecutable: machine.nodePath,
    platform: terminal.platform,
    arch: process.arch,
    fs: machine.fs,
    processes,
    // A registry of one's own may want its token.
    env: withoutSecrets(terminal.env, (name) => /^(npm_|NODE_AUTH_TOKEN$)/i.test(name)),
    signal,
    onProgress: (text) => report({ text, isPassing: false }),
  });
}
