/**
 * Assembles tool calls from the fragments of a stream.
 *
 * Owns the calls of one answer. A fragment belongs to the call with its `index`, else with its `id`, else to the last
 * call. But a complete call followed by another name or id is never continued: some servers give every call the index
 * 0, and some send each call whole, without an id.
 */
import { jsonIn } from '../../lib/json-value.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { ModelEvent, ModelRequest } from '../../schema/model/turn.ts';
import { invalidAnswer } from '../provider.ts';
import { callIds } from '../wire/answered-calls.ts';
import { BOUNDS, tooManyCalls } from '../wire/bounds.ts';
import { type JsonShape, jsonShape } from '../wire/json-shape.ts';
import { notAnObject, refuseTooDeep } from '../wire/nesting.ts';
import type { CallDelta } from './wire.ts';

interface Slot {
  readonly index: number;
  readonly wireIndex: number | null;
  id: string;
  name: string;
  text: string;
  /** Tells whether the text so far is complete, without reading it again for each fragment. */
  readonly shape: JsonShape;
  extra: unknown;
}

export interface CallAssembler {
  add(fragment: CallDelta): ModelEvent[];
  /** The complete calls, in order. Throws if the arguments of one are not a JSON object. */
  finish(): readonly ToolCall[];
  /** For an answer that was cut off: the calls before the last one, up to the first incomplete one. */
  beforeCut(): readonly ToolCall[];
  /** Data that servers need back with a call, by its id; `null` if none was sent. */
  extras(): Readonly<Record<string, unknown>> | null;
}

export function callAssembler(
  request: ModelRequest,
  toolName: (wireName: string) => string,
): CallAssembler {
  const slots: Slot[] = [];
  const extras: Record<string, unknown> = {};
  const read = (some: readonly Slot[]): readonly ToolCall[] => {
    const idOf = callIds(request.messages);
    return some.map((slot) => {
      const id = idOf(slot.id);
      if (slot.extra !== undefined && slot.extra !== null) extras[id] = slot.extra;
      const name = toolName(slot.name);
      return { id, name, args: argumentsOf(name, slot.text) };
    });
  };
  return {
    add(fragment) {
      const { name, text } = { name: fragment.function?.name ?? '', text: textOf(fragment) };
      const known = slotFor(slots, fragment, name, text);
      if (known !== null && isRepeated(known, fragment, text)) return [];
      const slot = known ?? open(slots, fragment);
      if (slot.id === '') slot.id = fragment.id ?? '';
      slot.extra ??= fragment.extra_content;
      const events: ModelEvent[] = [];
      if (slot.name === '' && name !== '') {
        slot.name = name;
        events.push({ type: 'tool_call_started', index: slot.index, name: toolName(name) });
      }
      slot.text += text;
      slot.shape.add(text);
      if (text !== '') events.push({ type: 'tool_call_arguments', index: slot.index, text });
      return events;
    },
    finish: () => read(slots),
    // The last call was cut even if it looks complete: some servers close what was left open.
    beforeCut() {
      const earlier = slots.slice(0, -1);
      const broken = earlier.findIndex((slot) => slot.text.trim() !== '' && !isWhole(slot));
      return read(broken < 0 ? earlier : earlier.slice(0, broken));
    },
    extras: () => (Object.keys(extras).length > 0 ? extras : null),
  };
}

function open(slots: Slot[], fragment: CallDelta): Slot {
  if (slots.length >= BOUNDS.calls) throw invalidAnswer(tooManyCalls(), '');
  const slot: Slot = {
    index: slots.length,
    wireIndex: fragment.index ?? null,
    id: '',
    name: '',
    text: '',
    shape: jsonShape(),
    extra: undefined,
  };
  slots.push(slot);
  return slot;
}

/** The call that a fragment continues, or `null` if it begins one. */
function slotFor(
  slots: readonly Slot[],
  { id, index }: CallDelta,
  name: string,
  text: string,
): Slot | null {
  const named = id ? slots.find((slot) => slot.id === id) : undefined;
  if (named) return named;
  const last =
    typeof index === 'number'
      ? slots.findLast((slot) => slot.wireIndex === index)
      : id
        ? undefined
        : slots.at(-1);
  if (last === undefined) return null;
  const isOther =
    name !== last.name || (isWhole(last) && (text !== '' || (Boolean(id) && last.id !== '')));
  return name !== '' && last.name !== '' && isOther ? null : last;
}

/** A server that repeats its calls at the end means the same ones. */
const isRepeated = (slot: Slot, { id }: CallDelta, text: string): boolean =>
  Boolean(id) && slot.id === id && text !== '' && text === slot.text && isWhole(slot);

const isWhole = ({ text, shape }: Slot): boolean =>
  shape.mayBeWhole() && jsonIn(text) !== undefined;

function textOf({ function: called }: CallDelta): string {
  const value = called?.arguments;
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  refuseTooDeep(called?.name ?? '', value);
  return JSON.stringify(value);
}

/** A missing value means no arguments; some servers send an object as text inside a text. */
function argumentsOf(name: string, text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  const value = jsonIn(text);
  const inner = typeof value === 'string' ? jsonIn(value) : value;
  if (inner === null) return {};
  if (typeof inner === 'object' && !Array.isArray(inner)) return inner as Record<string, unknown>;
  throw notAnObject(name, text.slice(0, 120));
}
