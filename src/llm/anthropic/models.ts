// What is known of a model: from /v1/models, and from a small table where the server does not tell; pure.
import type { ModelInfo } from '../provider.ts';
import type { WireModel } from './wire.ts';

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

interface Known {
  readonly name: RegExp;
  readonly contextWindow: number;
  readonly longestAnswer: number;
}

/** The least a model of the line has. Lines are looked for from the top. */
const KNOWN: readonly Known[] = [
  { name: /^claude-3-(opus|sonnet|haiku)/, contextWindow: 200_000, longestAnswer: 4096 },
  { name: /^claude-3-5/, contextWindow: 200_000, longestAnswer: 8192 },
  { name: /^claude-opus-4(-0|-1|-2\d{7})?\b/, contextWindow: 200_000, longestAnswer: 32_000 },
  { name: /^claude-/, contextWindow: 200_000, longestAnswer: 64_000 },
];

/** Models from before the API could hold an answer to a schema. */
const WITHOUT_SCHEMA = /^claude-(3-|opus-4-(0|2\d{7})|sonnet-4-(0|2\d{7})|(opus|sonnet)-4$)/;

/** Names may come with a prefix, as `anthropic/` or `us.anthropic.`. */
const plainName = (model: string): string => model.slice(Math.max(0, model.indexOf('claude-')));

export function modelFacts(model: string, told: WireModel | null): ModelFacts {
  const name = plainName(told?.id ?? model);
  const known = KNOWN.find((line) => line.name.test(name));
  const capabilities = told?.capabilities;
  return {
    id: told?.id ?? model,
    contextWindow: told?.max_input_tokens ?? known?.contextWindow ?? null,
    longestAnswer: told?.max_tokens ?? known?.longestAnswer ?? null,
    takesSchema: capabilities?.structured_outputs?.supported ?? !WITHOUT_SCHEMA.test(name),
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
    },
  };
}

/** Newest first, as the API gives them; those on their way out last. */
export function usableModels(models: readonly WireModel[]): readonly string[] {
  const isLeaving = ({ lifecycle }: WireModel): boolean => lifecycle === 'deprecated';
  return [...models]
    .filter((model) => model.lifecycle !== 'retired')
    .sort((a, b) => Number(isLeaving(a)) - Number(isLeaving(b)))
    .map((model) => model.id);
}
