// Pure: facts about a model, from /v1/models, and from tables where the server is silent.
import { defined } from '../../lib/defined.ts';
import { knownModel } from '../models/known-models.ts';
import type { ModelInfo } from '../provider.ts';
import { PROVIDER } from './signed-blocks.ts';
import type { WireModel } from './wire.ts';

/** What the caller asks for. */
export type ThinkingMode = 'off' | 'adaptive';

/** `switchable`: thinking can be turned off. `always`: it cannot. `unknown`: no source says. */
export type ThinkingKind = 'none' | 'switchable' | 'always' | 'unknown';

export interface ModelFacts {
  readonly id: string;
  /** Tokens of prompt and answer; null if unknown. */
  readonly contextWindow: number | null;
  /** Tokens of the longest answer that may be requested; null if unknown. */
  readonly longestAnswer: number | null;
  readonly takesSchema: boolean;
  readonly thinking: ThinkingKind;
}

/** Tokens of the longest answer, at least. The first matching line counts. */
const LONGEST_ANSWERS: readonly (readonly [RegExp, number])[] = [
  [/^claude-3-(opus|sonnet|haiku)/, 4096],
  [/^claude-3-5/, 8192],
  [/^claude-opus-4($|-[01]\b|-2\d{7})/, 32_000],
  [/^claude-/, 64_000],
];

/** Models from before the API could hold an answer to a schema. */
const WITHOUT_SCHEMA = /^claude-(3-|opus-4-(0|2\d{7})|sonnet-4-(0|2\d{7})|(opus|sonnet)-4$)/;

/** llama.cpp and others offer this API for models of their own, and ignore the schema. */
const isBuiltForSchema = (name: string): boolean =>
  name.startsWith('claude-') && !WITHOUT_SCHEMA.test(name);

/** Names may have a prefix, such as `anthropic/` or `us.anthropic.`. */
const plainName = (model: string): string => model.slice(Math.max(0, model.indexOf('claude-')));

export function modelFacts(model: string, listed: WireModel | null): ModelFacts {
  const name = plainName(listed?.id ?? model);
  const longest = LONGEST_ANSWERS.find(([line]) => line.test(name))?.[1];
  const capabilities = listed?.capabilities;
  return {
    id: listed?.id ?? model,
    contextWindow: listed?.max_input_tokens ?? knownModel(PROVIDER, name)?.window ?? null,
    longestAnswer: listed?.max_tokens ?? longest ?? null,
    takesSchema: capabilities?.structured_outputs?.supported ?? isBuiltForSchema(name),
    thinking: thinkingKind(capabilities),
  };
}

function thinkingKind(capabilities: WireModel['capabilities']): ThinkingKind {
  const thinking = capabilities?.thinking;
  if (!thinking) return 'unknown';
  if (!thinking.supported) return 'none';
  return thinking.types?.disabled?.supported ? 'switchable' : 'always';
}

/** An alias moves on to newer weights, so the id behind it identifies the model. */
export function modelInfo(model: string, listed: WireModel | null): ModelInfo {
  const facts = modelFacts(model, listed);
  return {
    model,
    digest: listed?.id ?? null,
    contextWindow: facts.contextWindow,
    capabilities: {
      tools: true,
      schema: true,
      thinking: facts.thinking === 'switchable' || facts.thinking === 'always',
      ...defined({ images: listed?.capabilities?.image_input?.supported }),
    },
    // Such a model runs elsewhere, even if the user's own gateway describes it.
    ...(listed !== null && plainName(facts.id).startsWith('claude-') ? { isPublic: true } : {}),
  };
}

/** Newest first, as the API lists them; models that will be retired come last. */
export function usableModels(models: readonly WireModel[]): readonly WireModel[] {
  const isLeaving = ({ lifecycle }: WireModel): boolean => lifecycle === 'deprecated';
  return [...models]
    .filter((model) => model.lifecycle !== 'retired')
    .sort((a, b) => Number(isLeaving(a)) - Number(isLeaving(b)));
}
