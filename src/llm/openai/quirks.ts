// Pure: what a model behind a server does not accept, known by its name or learnt from a refusal.
import type { ModelRequest } from '../../schema/model/turn.ts';
import { type FailedResponse, readErrorBody } from '../http/error-body.ts';

/** How the form of an answer is requested, the most reliable first. */
const SCHEMA_FORMS = ['json_schema', 'json_object', 'prompt'] as const;

export interface Quirks {
  readonly limitField: 'max_tokens' | 'max_completion_tokens';
  /** The longest answer that a server allows, if it said so. */
  readonly largestLimit: number | null;
  readonly takesTemperature: boolean;
  readonly takesSeed: boolean;
  readonly takesEffort: boolean;
  readonly takesStreamOptions: boolean;
  readonly schemaForm: (typeof SCHEMA_FORMS)[number];
  /** DeepSeek needs the thinking of a tool loop back; others refuse it. */
  readonly wantsThinking: boolean;
  readonly hasShortIds: boolean;
  /** llama.cpp reports how much of the prompt it has read, if asked to. */
  readonly tellsProgress: boolean;
}

const NONE: Quirks = {
  limitField: 'max_tokens',
  largestLimit: null,
  takesTemperature: true,
  takesSeed: true,
  takesEffort: true,
  takesStreamOptions: true,
  schemaForm: 'json_schema',
  wantsThinking: false,
  hasShortIds: false,
  tellsProgress: false,
};

/** OpenAI's thinking models accept no temperature and count their thinking in another limit. */
const THINKS_ALONE = /^(o\d|gpt-(?:[5-9]|\d\d))(?!.*chat)/;

/** A name with a prefix (`openai/gpt-5`) is a gateway's, which translates. */
export const quirksByName = (model: string): Quirks =>
  THINKS_ALONE.test(model)
    ? { ...NONE, limitField: 'max_completion_tokens', takesTemperature: false }
    : NONE;

export interface QuirkLesson {
  readonly quirks: Quirks;
  /** What the user should know about it, or ''. */
  readonly notice: string;
}

/**
 * What a refusal teaches, or `null` if asking in another way would not help. Every lesson removes something for good,
 * so their number is limited.
 */
export function lessonOfRefusal(
  quirks: Quirks,
  request: ModelRequest,
  response: FailedResponse,
): QuirkLesson | null {
  const { text, param, names } = readErrorBody(response.body);
  const code =
    response.status === 200 ? Number(names.find((name) => /^4\d\d$/.test(name))) : response.status;
  const about = (field: RegExp): boolean => field.test(param) || field.test(text);
  if (code === 400 || code === 422) {
    const lesson = fieldLesson(quirks, request.model, text, about);
    if (lesson !== null) return lesson;
  }
  const mayBeSchema = code === 400 || code === 404 || code === 422 || code === 500 || code === 501;
  return mayBeSchema && request.responseSchema && about(SCHEMA_WORDS)
    ? schemaLesson(quirks, request.model)
    : null;
}

const SCHEMA_WORDS =
  /response_?format|json.?schema|json_object|structured.?output|grammar|guided|requested parameters/i;

const LARGEST_LIMIT = /(?:at most|less than or equal to|range of max_tokens is \[1,)\D{0,3}(\d+)/i;

function fieldLesson(
  quirks: Quirks,
  model: string,
  text: string,
  about: (field: RegExp) => boolean,
): QuirkLesson | null {
  const learnt = (change: Partial<Quirks>, notice = ''): QuirkLesson => ({
    quirks: { ...quirks, ...change },
    notice,
  });
  if (quirks.takesStreamOptions && about(/stream_options|include_usage/))
    return learnt({ takesStreamOptions: false });
  if (quirks.tellsProgress && about(/return_progress/)) return learnt({ tellsProgress: false });
  if (about(/max_(completion_)?tokens/)) {
    const largest = Number(LARGEST_LIMIT.exec(text)?.[1] ?? Number.NaN);
    // Only a smaller one: a server that names another number each time is not asked again without end.
    if (largest > 0 && largest < (quirks.largestLimit ?? Infinity))
      return learnt({ largestLimit: largest });
    const other = quirks.limitField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    // The field changes once, away from what the name suggests, so two refusals cannot alternate.
    if (quirks.limitField === quirksByName(model).limitField) return learnt({ limitField: other });
  }
  if (quirks.takesTemperature && about(/\btemperature\b/))
    return learnt({ takesTemperature: false }, `${model} takes no temperature: its own is used.`);
  if (quirks.takesSeed && about(/\bseed\b/))
    return learnt({ takesSeed: false }, `${model} takes no seed: answers do not repeat.`);
  if (quirks.takesEffort && about(/reasoning_?effort|\bthink(?:ing)?\b.*not support/)) {
    const notice = `${model} takes no effort: it thinks as it does by itself.`;
    return learnt({ takesEffort: false }, notice);
  }
  if (!quirks.hasShortIds && about(/tool.?call.?id/i) && /\b9\b/.test(text))
    return learnt({ hasShortIds: true });
  if (!quirks.wantsThinking && about(/reasoning_content/)) return learnt({ wantsThinking: true });
  return null;
}

function schemaLesson(quirks: Quirks, model: string): QuirkLesson | null {
  const schemaForm = SCHEMA_FORMS[SCHEMA_FORMS.indexOf(quirks.schemaForm) + 1];
  if (schemaForm === undefined) return null;
  return {
    quirks: { ...quirks, schemaForm },
    notice: `${model} refuses ${quirks.schemaForm} here: the shape of an answer is asked for by ${schemaForm === 'prompt' ? 'words alone' : schemaForm}.`,
  };
}
