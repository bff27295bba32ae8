/**
 * A conversation with a model that is held to a schema: each answer is one object, either words for the person or one
 * call. Its first key decides which, so that a model knows what it does before it writes the details. Some servers sort
 * keys alphabetically, so no other key may sort before it.
 */
import { isRecord } from '../../lib/json-value.ts';
import { own } from '../../lib/own.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { JsonSchema, ToolDefinition } from '../../schema/model/turn.ts';
import { choiceReader, DECIDES, SAYS, WORDS } from './choice-reader.ts';
import { parseObject } from './json.ts';

/** Wraps the arguments of a tool if one of them would sort before the deciding key. */
const ARGUMENTS = 'args';

/** The most characters of an argument, by its name, so that a runaway answer ends. */
const MAX: { readonly [argument: string]: number } = {
  file: 160,
  path: 160,
  pattern: 160,
  cmd: 240,
  stdin: 240,
  instead_of: 480,
  write: 960,
};

/** @param tools what may be called now; none if only an answer is wanted */
export function choiceSchema(tools: readonly ToolDefinition[]): JsonSchema {
  const words = { type: 'string', minLength: 1 };
  const says = closed({ [DECIDES]: { const: SAYS }, [WORDS]: words }, [DECIDES, WORDS]);
  return tools.length > 0 ? { anyOf: [says, ...tools.map(callSchema)] } : says;
}

function callSchema(tool: ToolDefinition): JsonSchema {
  const decides = { [DECIDES]: { const: tool.name } };
  const { properties, required } = argumentsOf(tool);
  return isInside(tool)
    ? closed({ ...decides, [ARGUMENTS]: closed(properties, required) }, [DECIDES, ARGUMENTS])
    : closed({ ...decides, ...properties }, [DECIDES, ...required]);
}

const closed = (properties: object, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

interface Arguments {
  readonly properties: { readonly [name: string]: JsonSchema };
  readonly required: readonly string[];
}

function argumentsOf({ parameters }: ToolDefinition): Arguments {
  const { properties = {}, required = [] } = parameters as Partial<Arguments>;
  const names = Object.keys(properties).sort();
  return {
    properties: Object.fromEntries(names.map((name) => [name, plain(name, properties[name])])),
    required: names.filter((name) => required.includes(name)),
  };
}

/** A foreign tool's schema may contain what no grammar knows; the tool checks its arguments itself. */
function plain(name: string, { type, enum: choices }: JsonSchema = {}): JsonSchema {
  if (Array.isArray(choices)) return { enum: choices };
  if (type === 'string')
    return argumentSchema(name) === undefined ? { type } : { type, ...argumentSchema(name) };
  return ['integer', 'number', 'boolean'].includes(String(type)) ? { type } : {};
}

const argumentSchema = (name: string): JsonSchema | undefined => {
  const maxLength = own(MAX, name);
  return maxLength === undefined ? undefined : { maxLength };
};

/** Whether the arguments of a tool are wrapped in an object of their own. */
const isInside = (tool: ToolDefinition): boolean =>
  Object.keys(argumentsOf(tool).properties).some((name) => name <= DECIDES);

/** A call as it is written, for the model to see: `{"action":"read_file","file":"..."}`. */
export function choiceShape(tool: ToolDefinition): string {
  const { required } = argumentsOf(tool);
  const args = Object.fromEntries(required.map((name) => [name, '...']));
  return choiceText({ name: tool.name, args }, isInside(tool));
}

/** What the model would have written for a call. @param inside whether its arguments are wrapped */
export const choiceText = ({ name, args }: Pick<ToolCall, 'name' | 'args'>, inside = false) =>
  JSON.stringify({ [DECIDES]: name, ...(inside ? { [ARGUMENTS]: args } : args) });

export const answerText = (words: string): string =>
  JSON.stringify({ [DECIDES]: SAYS, [WORDS]: words });

export type WordsOrCall =
  | { readonly kind: 'says'; readonly words: string }
  | { readonly kind: 'calls'; readonly name: string; readonly args: ToolCall['args'] }
  | { readonly kind: 'invalid'; readonly error: string }
  /** The answer did not follow the schema, and contains no such object. */
  | { readonly kind: 'other' };

export function readChoice(content: string, tools: readonly ToolDefinition[]): WordsOrCall {
  const answer = parseObject(content);
  if (answer === null || typeof answer[DECIDES] !== 'string') return { kind: 'other' };
  const { [DECIDES]: name, ...rest } = answer;
  const tool = tools.find((one) => one.name === name);
  const words = rest[WORDS];
  if (name === SAYS && (tool === undefined || typeof words === 'string'))
    return { kind: 'says', words: typeof words === 'string' ? words : '' };
  if (tool === undefined) {
    const names = [SAYS, ...tools.map((one) => one.name)].join(', ');
    return {
      kind: 'invalid',
      error: `"${name.slice(0, 60)}" is no action. Choose one of: ${names}.`,
    };
  }
  const inner = rest[ARGUMENTS];
  const args = isInside(tool) && isRecord(inner) ? inner : rest;
  return { kind: 'calls', name: tool.name, args };
}

/** The part of an answer's words that arrived before the cut; '' if it was to be a call. */
export const wordsBeforeCut = (content: string): string => choiceReader()(content).words;
