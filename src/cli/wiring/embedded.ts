import { ENGINE_VERSION, installEmbedded } from '../../llm/embedded/install.ts';
import { engineFolder, isEmbeddedInstalled } from '../../llm/embedded/installed.ts';
import type { Machine } from '../../round/machine.ts';
import type { EmbeddedStatus, SetupRequest } from '../engine-port.ts';
import type { Terminal } from '../terminal.ts';
import { dataFolderOf, definedIn } from './open-model.ts';

export async function embeddedStatus({ fs }: Machine, terminal: Terminal): Promise<EmbeddedStatus> {
  const dataFolder = await dataFolderOf(terminal);
  return {
    installed: isEmbeddedInstalled(fs, dataFolder),
    where: engineFolder(dataFolder, terminal.platform),
    version: ENGINE_VERSION,
  };
}

/** Installs with the npm that belongs to this machine. */
export async function setupEmbedded(
  machine: Machine,
  terminal: Terminal,
  { report, signal }: SetupRequest,
): Promise<EmbeddedStatus> {
  const processes = machine.processes(terminal.cwd, () => false);
  const npm = await processes.programs.find('npm');
  await installEmbedded({
    dataFolder: await dataFolderOf(terminal),
    npm: npm.kind === 'found' ? { file: npm.file, prefix: npm.prefix } : null,
    nodeExecutable: machine.nodePath,
    platform: terminal.platform,
    arch: process.arch,
    fs: machine.fs,
    processes,
    env: definedIn(terminal.env),
    signal,
    onProgress: report,
  });
  return await embeddedStatus(machine, terminal);
}
