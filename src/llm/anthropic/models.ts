// What is known of a model: from /v1/models, and from tables where the server does not tell; pure.
import { defined } from '../../lib/defined.ts';
import { knownModel } from '../models/known-models.ts';
import type { ModelInfo } from '../provider.ts';
import { PROVIDER } from './signed-blocks.ts';
import type { WireModel } from './wire.ts';

/** What is asked for. */
export type Thinking = 'off' | 'adaptive';

/** `switchable`: it can be told not to think. `always`: it cannot. `unknown`: nobody told. */
export type ThinkingKind = 'none' | 'switchable' | 'always' | 'unknown';

export interface ModelFacts {
  readonly id: string;
  /** Tokens of prompt and answer; null when unknown. */
  readonly contextWindow: number | null;
  /** Tokens of the longest answer it may be asked for; null when unknown. */
  readonly longestAnswer: number | null;
  readonly takesSchema: boolean;
  readonly thinking: ThinkingKind;
}

/** Tokens of the longest answer, at least. Lines are looked for from the top. */
const LONGEST_ANSWERS: readonly (readonly [RegExp, number])[] = [
  [/^claude-3-(opus|sonnet|haiku)/, 4096],
  [/^claude-3-5/, 8192],
  [/^claude-opus-4($|-[01]\b|-2\d{7})/, 32_000],
  [/^claude-/, 64_000],
];

/** Models from before the API could hold an answer to a schema. */
const WITHOUT_SCHEMA = /^claude-(3-|opus-4-(0|2\d{7})|sonnet-4-(0|2\d{7})|(opus|sonnet)-4$)/;

/** llama.cpp and others speak the API's language for models of their own, and ignore the schema. */
const isBuiltForSchema = (name: string): boolean =>
  name.startsWith('claude-') && !WITHOUT_SCHEMA.test(name);

/** Names may come with a prefix, as `anthropic/` or `us.anthropic.`. */
const plainName = (model: string): string => model.slice(Math.max(0, model.indexOf('claude-')));

export function modelFacts(model: string, told: WireModel | null): ModelFacts {
  const name = plainName(told?.id ?? model);
  const longest = LONGEST_ANSWERS.find(([line]) => line.test(name))?.[1];
  const capabilities = told?.capabilities;
  return {
    id: told?.id ?? model,
    contextWindow: told?.max_input_tokens ?? knownModel(PROVIDER, name)?.window ?? null,
    longestAnswer: told?.max_tokens ?? longest ?? null,
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

/** An alias moves on to newer weights: the id it stands for is what tells. */
export function modelInfo(model: string, told: WireModel | null): ModelInfo {
  const facts = modelFacts(model, told);
  return {
    model,
    digest: told?.id ?? null,
    contextWindow: facts.contextWindow,
    capabilities: {
      tools: true,
      schema: true,
      thinking: facts.thinking === 'switchable' || facts.thinking === 'always',
      ...defined({ images: told?.capabilities?.image_input?.supported }),
    },
    // What a gateway of one's own tells of so runs elsewhere all the same.
    ...(told !== null && plainName(facts.id).startsWith('claude-') ? { isPublic: true } : {}),
  };
}

/** Newest first, as the API gives them; those on their way out last. */
export function usableModels(models: readonly WireModel[]): readonly WireModel[] {
  const isLeaving = ({ lifecycle }: WireModel): boolean => lifecycle === 'deprecated';
  return [...models]
    .filter((model) => model.lifecycle !== 'retired')
    .sort((a, b) => Number(isLeaving(a)) - Number(isLeaving(b)));
}
