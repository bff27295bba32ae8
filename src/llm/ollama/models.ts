// Pure: what Ollama reports about its models in /api/show, /api/tags and /api/ps.
import { parametersIn } from '../models/model-size.ts';
import type { ModelInfo } from '../provider.ts';
import type { ThinkSupport } from './chat-request.ts';
import type { PsResponse, ShowResponse, TagsResponse } from './wire.ts';

type Tag = NonNullable<TagsResponse['models']>[number];

/** `qwen3` means `qwen3:latest`. */
export const fullName = (model: string): string =>
  /:[^/]+$/.test(model) ? model : `${model}:latest`;

const isSameModel = (a: string, b: string): boolean =>
  fullName(a).toLowerCase() === fullName(b).toLowerCase();

/** Capabilities come from /api/show: /api/tags leaves `tools` out. */
export function modelInfo(model: string, show: ShowResponse, tags: TagsResponse): ModelInfo {
  const capabilities = show.capabilities ?? guessCapabilities(show);
  const tag = (tags.models ?? []).find((one) => isSameModel(one.name, model));
  const parameters = countOf(show) ?? (tag ? parametersOf(tag) : 0);
  return {
    model,
    digest: tag?.digest ?? null,
    contextWindow: trainedLength(show),
    capabilities: {
      tools: capabilities.includes('tools'),
      schema: !isGptOss(show),
      thinking: capabilities.includes('thinking'),
      ...(show.capabilities == null ? {} : { images: capabilities.includes('vision') }),
    },
    ...(parameters > 0 ? { parameters } : {}),
    ...(tag && isRemote(tag) ? { isPublic: true } : {}),
  };
}

function countOf({ model_info: info, details }: ShowResponse): number | null {
  const count = info?.['general.parameter_count'];
  return typeof count === 'number' && count > 0
    ? count
    : parametersIn(details?.parameter_size ?? '');
}

/** True for gpt-oss, whose own answer format knows no schema: the server silently ignores one. */
const isGptOss = (show: ShowResponse): boolean => /^gpt-?oss/.test(architecture(show));

export function thinkingOf(show: ShowResponse): ThinkSupport {
  if (!show.capabilities?.includes('thinking')) return 'none';
  return isGptOss(show) ? 'always' : 'switchable';
}

/**
 * The server's default punishes repetition by 1.1. Code repeats itself, so a 1.5B model then leaves out
 * fences and file names. `null`: the model's author has set a penalty, which stays.
 */
export const penaltyOf = ({ parameters = '' }: ShowResponse): number | null =>
  /^repeat_penalty\s/m.test(parameters) ? null : 1;

/** Servers before 0.6.4 report nothing, but a template that supports tools mentions them. */
const guessCapabilities = (show: ShowResponse): readonly string[] =>
  /\.Tools|\btools\b/.test(show.template ?? '') ? ['completion', 'tools'] : ['completion'];

const architecture = (show: ShowResponse): string =>
  String(show.model_info?.['general.architecture'] ?? show.details?.family ?? '');

function trainedLength(show: ShowResponse): number | null {
  const length = show.model_info?.[`${architecture(show)}.context_length`];
  return typeof length === 'number' && length > 0 ? length : null;
}

/** Models that can talk, largest first; those that run on somebody else's machine last. */
export function usableModels(tags: TagsResponse): readonly string[] {
  return (tags.models ?? [])
    .filter(canTalk)
    .sort(
      (a, b) =>
        Number(isRemote(a)) - Number(isRemote(b)) ||
        parametersOf(b) - parametersOf(a) ||
        (b.size ?? 0) - (a.size ?? 0) ||
        (a.name < b.name ? -1 : 1),
    )
    .map((tag) => tag.name);
}

const canTalk = (tag: Tag): boolean =>
  tag.capabilities?.length
    ? tag.capabilities.includes('completion')
    : !/bert|embed/i.test(`${tag.details?.family ?? ''} ${tag.name}`);

const isRemote = (tag: Tag): boolean => tag.remote_host !== undefined || /-?cloud$/.test(tag.name);

const parametersOf = (tag: Tag): number => parametersIn(tag.details?.parameter_size ?? '') ?? 0;

export const loadedWindow = (ps: PsResponse, model: string): number | null =>
  (ps.models ?? []).find((loaded) => isSameModel(loaded.name, model))?.context_length ?? null;
