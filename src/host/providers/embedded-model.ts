import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { acquireLock } from '../../journal/lock/lock.ts';
import { systemClock } from '../../lib/clock.ts';
import { misuse } from '../../lib/errors.ts';
import { fileKindAt } from '../../lib/files/durable-files.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { freeBytes } from '../../lib/files/free-bytes.ts';
import { orNull } from '../../lib/or-null.ts';
import { downloadedModel, downloadModel } from '../../llm/embedded/download.ts';
import { embeddedProvider } from '../../llm/embedded/embedded-provider.ts';
import { SETUP } from '../../llm/embedded/failures.ts';
import { DEFAULT_HUB } from '../../llm/embedded/hub.ts';
import {
  DEFAULT_EMBEDDED_MODEL,
  type HubFile,
  hubName,
  isHubName,
  parseHubName,
} from '../../llm/embedded/hub-file.ts';
import { isEmbeddedInstalled } from '../../llm/embedded/installed.ts';
import { modelFault, type ProviderError } from '../../llm/provider.ts';
import { withoutSecrets } from '../../llm/secrets/scrub.ts';
import { systemMachine } from '../../run/machine.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { dataFolderOf } from '../user/user-folders.ts';
import type { Download, ProgressLine } from './download.ts';
import { downloadReporter } from './download-reporter.ts';
import { noHubFile } from './embedded-name.ts';
import type { MakeModelOptions, OpenedModel } from './provider-row.ts';

/** Opens a GGUF file; one that is named on Hugging Face is downloaded first if missing. */
export async function openEmbedded(
  request: MakeModelOptions,
  place: HostEnvironment,
): Promise<OpenedModel> {
  const dataFolder = dataFolderOf(place);
  const modelFile = await fileOf(request, dataFolder, place);
  const provider = embeddedProvider({
    modelFile,
    dataFolder,
    threads: availableParallelism(),
    gpu: place.platform === 'darwin' && place.arch === 'arm64',
    fs: nodeFileSystem,
    clock: systemClock,
    program: { ...engineProgram(place), cwd: place.cwd, env: withoutSecrets(place.env) },
  });
  return { provider, model: modelFile, where: modelFile, notice: '' };
}

const engineProgram = ({ nodePath, single, programFolder }: HostEnvironment) =>
  single === undefined
    ? { nodeExecutable: nodePath ?? '', script: join(programFolder, 'embedded-child.js') }
    : { nodeExecutable: single.file, script: single.engine };

async function fileOf(
  { model, report, signal }: MakeModelOptions,
  dataFolder: string,
  place: HostEnvironment,
): Promise<string> {
  if (model === null || !isHubName(model)) {
    if (model !== null && fileKindAt(nodeFileSystem, model) === 'file') return model;
    throw noSuchFile(model ?? '');
  }
  const hub = parseHubName(model);
  if (hub === null) throw noHubFile(model);
  const here = downloadedModel(nodeFileSystem, dataFolder, hub);
  if (here !== null) return here;
  const name = hubName(hub);
  if (!isEmbeddedInstalled(nodeFileSystem, dataFolder))
    throw notReady('The embedded engine is not installed.', 'Install it with the model', name);
  if (report === null) throw notReady(`${name} is not downloaded yet.`, 'Download it', name);
  const reportLine = ({ text }: ProgressLine) => report(text);
  return await download(hub, place, { report: reportLine, everyMs: REPORT_MS, signal });
}

const noSuchFile = (path: string): ProviderError =>
  modelFault(
    `There is no model file ${path}.`,
    `Name a GGUF file that is there, or one that can be downloaded, such as embedded:${DEFAULT_EMBEDDED_MODEL}.`,
    { option: 'model' },
  );

const REPORT_MS = 5000;

const notReady = (message: string, hint: string, model: string): ProviderError =>
  modelFault(message, hint, {
    ...SETUP,
    option: 'model',
    optionValue: model,
    endsInCommand: true,
  });

/** Returns the path of the model's file. Honours `HF_ENDPOINT` and `HF_TOKEN`. */
export async function download(
  hub: HubFile,
  place: HostEnvironment,
  { report, everyMs, signal }: Download,
): Promise<string> {
  const fs = nodeFileSystem;
  const { identity } = systemMachine(place);
  return await downloadModel({
    hub,
    dataFolder: dataFolderOf(place),
    access: { endpoint: hubEndpoint(place.env), token: (place.env.HF_TOKEN ?? '').trim() },
    fs,
    clock: systemClock,
    lock: (directory, longestMs) =>
      acquireLock({ fs, directory, identity, clock: systemClock }, { longestMs }),
    freeBytes: (folder) => orNull(() => freeBytes(folder)),
    signal,
    onProgress: downloadReporter({ report, everyMs }, systemClock),
  });
}

export function hubEndpoint(env: HostEnvironment['env']): string {
  const text = (env.HF_ENDPOINT ?? '').trim().replace(/\/+$/, '');
  if (text === '') return DEFAULT_HUB;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw misuse(
    'HF_ENDPOINT is not a web address.',
    'Give it as https://HOST, or leave it out for huggingface.co',
  );
}
