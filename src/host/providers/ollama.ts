/** Opens and lists Ollama for a host. */
import { chooseModel } from '../../llm/models/choose-model.ts';
import { parseOllamaHost } from '../../llm/ollama/ollama-host.ts';
import { ollamaProvider } from '../../llm/ollama/ollama-provider.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { described } from '../models/described.ts';
import { firstStepOf } from '../models/first-model.ts';
import { infosOf, listedModel } from '../models/list-infos.ts';
import type { Listing, ListOptions, MakeModelOptions, OpenedModel } from './provider-row.ts';

/** The address of Ollama: as typed, else from the environment, else from the user's settings. */
export const ollamaAddress = (
  host: string | null,
  { env, accounts }: Pick<HostEnvironment, 'env' | 'accounts'>,
): string =>
  parseOllamaHost(
    host ?? (env.OLLAMA_HOST || accounts?.providers.ollama?.baseUrl || env.OLLAMA_HOST),
  );

export async function openOllama(
  { model, host, signal }: MakeModelOptions,
  place: HostEnvironment,
): Promise<OpenedModel> {
  const { env } = place;
  const where = ollamaAddress(host, place);
  const provider = ollamaProvider({ host: where });
  const requested = model ?? (env.OLLAMA_MODEL || undefined);
  try {
    const info = await chooseModel({
      provider,
      requested,
      signal,
      firstModel: firstStepOf(provider.name),
    });
    const given = host === null ? {} : { baseUrl: where };
    const opened = { provider: described(provider, info), model: info.model, where, notice: '' };
    return { ...opened, ...given };
  } catch (error) {
    await provider.close();
    throw error;
  }
}

export async function listOllama(
  { host, signal }: ListOptions,
  place: HostEnvironment,
): Promise<Listing> {
  const where = ollamaAddress(host, place);
  const infos = await infosOf(ollamaProvider({ host: where }), signal);
  const models = infos.map((info) => listedModel(info.model, info, 'free'));
  return { where, models, problem: '', next: '' };
}
