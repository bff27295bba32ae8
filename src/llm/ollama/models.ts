// What Ollama tells about its models, read from /api/show, /api/tags and /api/ps; pure.
import type { ModelInfo } from '../provider.ts';
import type { Thinking } from './chat-request.ts';
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
  return {
    model,
    digest: (tags.models ?? []).find((tag) => isSameModel(tag.name, model))?.digest ?? null,
    contextWindow: trainedLength(show),
    capabilities: {
      tools: capabilities.includes('tools'),
      schema: true,
      thinking: capabilities.includes('thinking'),
    },
  };
}

export function thinkingOf(show: ShowResponse): Thinking {
  if (!show.capabilities?.includes('thinking')) return 'none';
  return architecture(show).startsWith('gptoss') || architecture(show).startsWith('gpt-oss')
    ? 'always'
    : 'switchable';
}

/** Servers before 0.6.4 say nothing, but a template that knows tools names them. */
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
        parameters(b) - parameters(a) ||
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

/** "630.17M" or "20.9B" as a number. */
function parameters(tag: Tag): number {
  const match = /^([\d.]+)\s*([KMBT])/i.exec(tag.details?.parameter_size ?? '');
  const unit = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[match?.[2]?.toUpperCase() ?? ''];
  return unit === undefined ? 0 : Number(match?.[1]) * unit;
}

export const loadedWindow = (ps: PsResponse, model: string): number | null =>
  (ps.models ?? []).find((loaded) => isSameModel(loaded.name, model))?.context_length ?? null;
