import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { acquireLock } from '../../context-manager/lock/lock.ts';
import { systemClock } from '../../lib/clock.ts';
import { nodeFileSystem } from '../../lib/file-system.ts';
import { downloadedModel, downloadModel } from '../../llm/embedded/download.ts';
import type { OnDownload } from '../../llm/embedded/download-progress.ts';
import { embeddedProvider } from '../../llm/embedded/embedded-provider.ts';
import { DEFAULT_HUB } from '../../llm/embedded/hub.ts';
import { type HubFile, hubName, isHubName, parseHubName } from '../../llm/embedded/hub-file.ts';
import { isEmbeddedInstalled } from '../../llm/embedded/installed.ts';
import { engineStarter } from '../../llm/embedded/start-engine.ts';
import { ProviderError } from '../../llm/provider.ts';
import { withoutSecrets } from '../../llm/secrets/scrub.ts';
import { systemMachine } from '../../round/machine.ts';
import { TardigradeError } from '../../schema/errors.ts';
import type { Download, OpenedModel, OpenModelRequest, ProgressLine } from '../engine-port.ts';
import { noHubFile } from '../model-spec.ts';
import type { Terminal } from '../terminal.ts';
import { downloadReporter } from './download-reporter.ts';
import { dataFolderOf } from './user-folders.ts';

/** A GGUF file; one with a name on Hugging Face is downloaded first if it is not here. */
export async function openEmbedded(
  request: OpenModelRequest,
  terminal: Terminal,
): Promise<OpenedModel> {
  const dataFolder = dataFolderOf(terminal);
  const modelFile = await fileOf(request, dataFolder, terminal);
  const provider = embeddedProvider({
    modelFile,
    dataFolder,
    threads: availableParallelism(),
    gpu: terminal.platform === 'darwin' && process.arch === 'arm64',
    fs: nodeFileSystem,
    clock: systemClock,
    startEngine: engineStarter({
      nodeExecutable: process.execPath,
      childScript: join(terminal.programFolder, 'embedded-child.js'),
      cwd: terminal.cwd,
      env: withoutSecrets(terminal.env),
    }),
  });
  return { provider, model: modelFile, where: modelFile, notice: '' };
}

async function fileOf(
  { choice, report, signal }: OpenModelRequest,
  dataFolder: string,
  terminal: Terminal,
): Promise<string> {
  const model = choice.model ?? '';
  if (!isHubName(model)) return model;
  const hub = parseHubName(model);
  if (hub === null) throw noHubFile(model);
  const here = downloadedModel(nodeFileSystem, dataFolder, hub);
  if (here !== null) return here;
  const setup = `agent setup embedded --model ${hubName(hub)}`;
  if (!isEmbeddedInstalled(nodeFileSystem, dataFolder)) {
    throw notReady('the embedded engine is not installed', `install it with the model: ${setup}`);
  }
  if (report === null) throw notReady(`${hubName(hub)} is not downloaded yet`, `get it: ${setup}`);
  const told = ({ text }: ProgressLine) => report(text);
  return await download(hub, terminal, { report: told, everyMs: REPORT_MS, signal });
}

const REPORT_MS = 5000;

const notReady = (message: string, hint: string): ProviderError =>
  new ProviderError({ kind: 'model_error', retryable: false }, message, hint);

/** The path of the model's file. `HF_ENDPOINT` and `HF_TOKEN` are honoured. */
export async function download(
  hub: HubFile,
  terminal: Terminal,
  { report, everyMs, signal }: Download,
): Promise<string> {
  const fs = nodeFileSystem;
  const { identity } = systemMachine({ env: terminal.env, nodePath: process.execPath });
  const onProgress: OnDownload = downloadReporter({ report, everyMs }, systemClock);
  return await downloadModel({
    hub,
    dataFolder: dataFolderOf(terminal),
    access: { endpoint: hubEndpoint(terminal.env), token: (terminal.env.HF_TOKEN ?? '').trim() },
    fs,
    clock: systemClock,
    lock: (directory) => acquireLock({ fs, directory, identity, clock: systemClock }),
    freeBytes,
    signal,
    onProgress,
  });
}

export function hubEndpoint(env: Terminal['env']): string {
  const text = (env.HF_ENDPOINT ?? '').trim().replace(/\/+$/, '');
  if (text === '') return DEFAULT_HUB;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new TardigradeError(
    'E_USAGE',
    'HF_ENDPOINT is no web address.',
    'Give it as https://HOST, or leave it out for huggingface.co',
  );
}

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
