import { readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/clock.ts';
import { nodeFileSystem } from '../../lib/file-system.ts';
import { chooseModel } from '../../llm/choose-model.ts';
import type { ModelInfo, Provider } from '../../llm/provider.ts';
import { TardigradeError } from '../../schema/errors.ts';
import type { OpenedModel, OpenModelRequest } from '../engine-port.ts';
import { systemErrorCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** Loads the one provider that is asked for and lets it say which model it will be. */
export async function openModel(
  request: OpenModelRequest,
  terminal: Terminal,
): Promise<OpenedModel> {
  const { provider, model } = request.choice;
  switch (provider) {
    case 'ollama':
      return await openOllama(request);
    case 'embedded':
      return await openEmbedded(model ?? '', terminal);
    case 'recorded':
      return await openRecorded(model ?? '');
    default:
      return provider satisfies never;
  }
}

async function openOllama({ choice, host, env, signal }: OpenModelRequest): Promise<OpenedModel> {
  const { parseOllamaHost } = await import('../../llm/ollama-host.ts');
  const { ollamaProvider } = await import('../../llm/ollama/ollama-provider.ts');
  const where = parseOllamaHost(host ?? env.OLLAMA_HOST);
  const provider = ollamaProvider({ host: where });
  const requested = choice.model ?? (env.OLLAMA_MODEL || undefined);
  try {
    const { info, notice } = await chooseModel({ provider, requested, signal });
    return { provider: described(provider, info), model: info.model, where, notice };
  } catch (error) {
    await provider.close();
    throw error;
  }
}

/** The run asks for the chosen model again at once: it gets the answer that is here already. */
const described = (provider: Provider, info: ModelInfo): Provider => ({
  ...provider,
  describe: async (model, signal) =>
    model === info.model ? info : await provider.describe(model, signal),
});

async function openEmbedded(modelFile: string, terminal: Terminal): Promise<OpenedModel> {
  const { embeddedProvider } = await import('../../llm/embedded/embedded-provider.ts');
  const { engineStarter } = await import('../../llm/embedded/start-engine.ts');
  const provider = embeddedProvider({
    modelFile,
    dataFolder: await dataFolderOf(terminal),
    threads: availableParallelism(),
    gpu: terminal.platform === 'darwin' && process.arch === 'arm64',
    fs: nodeFileSystem,
    clock: systemClock,
    startEngine: engineStarter({
      nodeExecutable: process.execPath,
      childScript: join(terminal.programFolder, 'embedded-child.js'),
      cwd: terminal.cwd,
      env: definedIn(terminal.env),
    }),
  });
  return { provider, model: modelFile, where: modelFile, notice: '' };
}

async function openRecorded(file: string): Promise<OpenedModel> {
  const { parseRecording } = await import('../../llm/recorded/recording.ts');
  const { recordedProvider } = await import('../../llm/recorded/recorded-provider.ts');
  const recording = parseRecording(readRecording(file), file);
  return {
    provider: recordedProvider(recording),
    model: recording.model,
    where: file,
    notice: `The model's turns are recorded (${file}).`,
  };
}

function readRecording(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new TardigradeError(
      'E_USAGE',
      `The recording ${file} cannot be read (${systemErrorCode(error)}).`,
      'Give the path of a recording: --model recorded:FILE',
      { cause: error },
    );
  }
}

export async function dataFolderOf({ env, platform }: Terminal): Promise<string> {
  const { userDataFolder } = await import('../../llm/embedded/installed.ts');
  return userDataFolder(env, platform, homedir());
}

export function definedIn(env: Terminal['env']): { readonly [name: string]: string } {
  const defined: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined) defined[name] = value;
  }
  return defined;
}
