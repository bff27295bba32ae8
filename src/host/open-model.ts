import { readFileIfPresent } from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import { nodeFileSystem } from '../lib/file-system.ts';
import { systemErrorCode } from '../lib/system-error.ts';
import { chooseModel } from '../llm/models/choose-model.ts';
import { described } from './described.ts';
import type { OpenedModel, OpenModelRequest } from './engine-port.ts';
import type { HostEnvironment } from './host-environment.ts';

/** Loads the one provider that is asked for and lets it say which model it will be. */
export async function openModel(
  request: OpenModelRequest,
  place: HostEnvironment,
): Promise<OpenedModel> {
  const { provider, model } = request.choice;
  switch (provider) {
    case 'ollama':
      return await openOllama(request);
    case 'anthropic':
    case 'openai':
    case 'openrouter': {
      const { hostedAccount } = await import('./hosted-account.ts');
      const { openHosted } = await import('./open-hosted.ts');
      const account = hostedAccount(provider, request.baseUrl, place);
      return await openHosted(account, request);
    }
    case 'embedded':
      return await (await import('./embedded-model.ts')).openEmbedded(request, place);
    case 'recorded':
      return await openRecorded(model ?? '');
    default:
      return provider satisfies never;
  }
}

async function openOllama({ choice, host, env, signal }: OpenModelRequest): Promise<OpenedModel> {
  const { parseOllamaHost } = await import('../llm/ollama/ollama-host.ts');
  const { ollamaProvider } = await import('../llm/ollama/ollama-provider.ts');
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

async function openRecorded(file: string): Promise<OpenedModel> {
  const { parseRecording } = await import('../llm/recorded/recording.ts');
  const { recordedCandidates } = await import('../llm/recorded/recorded-provider.ts');
  const recording = parseRecording(readRecording(file), file);
  const [first, ...fallbacks] = recordedCandidates(recording);
  return {
    ...first,
    ...(fallbacks.length > 0 ? { fallbacks } : {}),
    where: file,
    notice: `The model's turns are recorded (${file}).`,
  };
}

function readRecording(file: string): string {
  try {
    const bytes = readFileIfPresent(nodeFileSystem, file);
    if (bytes !== null) return bytes.toString('utf8');
  } catch (error) {
    throw unreadable(file, systemErrorCode(error), error);
  }
  throw unreadable(file, 'ENOENT', undefined);
}

const unreadable = (file: string, code: string, cause: unknown): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    `The recording ${file} cannot be read (${code}).`,
    'Give the path of a recording: --model recorded:FILE',
    { cause },
  );
