import { readFileSync } from 'node:fs';
import { TardigradeError } from '../../lib/errors.ts';
import { chooseModel } from '../../llm/models/choose-model.ts';
import type { OpenedModel, OpenModelRequest } from '../engine-port.ts';
import { systemErrorCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { described } from './described.ts';

/** Loads the one provider that is asked for and lets it say which model it will be. */
export async function openModel(
  request: OpenModelRequest,
  terminal: Terminal,
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
      const account = hostedAccount(provider, request.baseUrl, terminal);
      return await openHosted(account, request);
    }
    case 'embedded':
      return await (await import('./embedded-model.ts')).openEmbedded(request, terminal);
    case 'recorded':
      return await openRecorded(model ?? '');
    default:
      return provider satisfies never;
  }
}

async function openOllama({ choice, host, env, signal }: OpenModelRequest): Promise<OpenedModel> {
  const { parseOllamaHost } = await import('../../llm/ollama/ollama-host.ts');
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

async function openRecorded(file: string): Promise<OpenedModel> {
  const { parseRecording } = await import('../../llm/recorded/recording.ts');
  const { recordedCandidates } = await import('../../llm/recorded/recorded-provider.ts');
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
