/** Pure: which driver suits a model, with how large a window, and why. */
import { chooseContextWindow, LARGEST_FREE_WINDOW } from '../llm/models/choose-model.ts';
import { dayOf, type Lesson } from '../llm/models/lessons.ts';
import { parametersText, sizeInName } from '../llm/models/model-size.ts';
import type { ModelInfo } from '../llm/provider.ts';
import type { DriverName } from '../schema/driver.ts';
import { driverNamed } from './driver-of.ts';

/**
 * From this size on a model leads by itself. A 1.5B reached two of thirteen unseen goals that way, and six of nine when
 * it was led; between 7 and 14 billion nothing has been measured.
 */
const LARGE = 14e9;
/** Tools, a tree of the folder and the findings of a survey do not fit into less. */
const MIN_FREE_WINDOW = 16_384;

export type Described = ModelInfo & { readonly isHosted?: boolean };

export interface ModelKnowledge {
  readonly info: Described;
  /** Tokens, if a person set them. */
  readonly requested?: number | undefined;
  readonly lesson: Lesson | null;
}

export interface SuitingDriver {
  readonly name: DriverName;
  /** Whether the model's behaviour may move the run to the other driver. */
  readonly mayChange: boolean;
  readonly why: string;
}

export function chooseDriver(known: ModelKnowledge): SuitingDriver {
  const { info, lesson } = known;
  const { tools, schema } = info.capabilities;
  if (!tools) return guided(`${shortName(info)} cannot call tools`, false);
  if (lesson?.callsUnusable)
    return guided(`learnt on ${dayOf(lesson)} that its calls cannot be used`, false);
  if (!schema) return free('its server does not hold its answers to a schema');
  if (lesson?.leavesSchema)
    return free(`learnt on ${dayOf(lesson)} that its server does not hold its answers to a schema`);
  const window = widest(known);
  if (window !== null && window < MIN_FREE_WINDOW)
    return guided(`a window of ${window} tokens is small for working with tools`);
  if (info.isPublic) return free('it is hosted and can call tools');
  if (info.isKnownByName) return free('its name is that of a hosted model that can call tools');
  const parameters = parametersOf(info);
  if (parameters === null) return guided('nobody tells how large it is');
  return parameters >= LARGE
    ? free(`it has ${parametersText(parameters)} and can call tools`)
    : guided(`it has ${parametersText(parameters)}, which is small for working with tools`);
}

const free = (why: string): SuitingDriver => ({
  name: 'free',
  mayChange: true,
  why: `free: ${why}`,
});

const guided = (why: string, mayChange = true): SuitingDriver => ({
  name: 'guided',
  mayChange,
  why: `guided: ${why}`,
});

/** For a model that is a file, its name is enough. */
const shortName = ({ model }: ModelInfo): string =>
  model.split(/[\\/](?=[^\\/]*\.gguf$)/i).at(-1) ?? '';

const parametersOf = (info: ModelInfo): number | null =>
  info.parameters ?? sizeInName(shortName(info));

const isLarge = (info: ModelInfo): boolean => (parametersOf(info) ?? 0) >= LARGE;

/** The largest window that the model could have; `null` for a hosted model whose window is unknown. */
function widest({ info, requested, lesson }: ModelKnowledge): number | null {
  if (info.isPublic && info.contextWindow === null && requested === undefined) return null;
  const { tokens } = chooseContextWindow(info, requested, LARGEST_FREE_WINDOW);
  return withLesson(tokens, requested, lesson);
}

/** Tokens to request: a large model that works with tools gets room for their output. */
export function windowFor(driver: DriverName, { info, requested, lesson }: ModelKnowledge): number {
  const isRoomy = driverNamed(driver).callsTools && isLarge(info);
  const { tokens } = chooseContextWindow(
    info,
    requested,
    isRoomy ? LARGEST_FREE_WINDOW : undefined,
  );
  return withLesson(tokens, requested, lesson);
}

/** A person's setting counts more than an earlier lesson. */
const withLesson = (
  tokens: number,
  requested: number | undefined,
  lesson: Lesson | null,
): number => (requested === undefined ? Math.min(tokens, lesson?.window ?? tokens) : tokens);
