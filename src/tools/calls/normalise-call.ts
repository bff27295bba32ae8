/** Reads a call as it was meant: near-miss names and types, where only one reading is left. Pure. */

import { shortened } from '../../lib/text/shortened.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import { nearNames } from '../../workspace/near-names.ts';
import { MAX_PATH } from '../../workspace/path-rules.ts';
import type { Tool } from '../contract.ts';
import { toolNamed } from '../toolset.ts';
import { type Args, isObject } from './args-schema.ts';
import { parametersOf } from './parameters.ts';
import { usageOf } from './usage.ts';

export type NormalisedCall =
  | {
      readonly kind: 'call';
      readonly tool: Tool;
      /** As the model meant them, not yet validated. */
      readonly args: Args;
    }
  | { readonly kind: 'unknown_tool'; readonly message: string };

/** Extra arguments in which models talk to themselves; leaving them out changes nothing. */
const CHATTER = new Set(
  'because purpose reason description explanation thought thoughts comment note notes summary'.split(
    ' ',
  ),
);

/** `own`: of a call that was found in a text, where a name of other agents may be an example's. */
type NamesTaken = 'all' | 'own';

/** Done once, before a call is recorded: what is normalised stays as it is when it is done again. */
export function normaliseCall(
  call: ToolCall,
  tools: readonly Tool[],
  names: NamesTaken = 'all',
): NormalisedCall {
  const tool = toolMeant(call.name, tools, names) ?? toolBeforeItsArgument(call, tools);
  if (tool === null) return { kind: 'unknown_tool', message: unknownTool(call.name, tools) };
  const properties = propertiesOf(tool);
  const given = unwrapped(call.args, properties);
  if (isTooMany(given)) return { kind: 'call', tool, args: given };
  const named = withNames(given, tool, properties);
  const args = withTypes(tool.correctArgs?.(named) ?? named, properties);
  return { kind: 'call', tool, args };
}

/** Far more than any tool has. */
export const MOST_ARGUMENTS = 100;

/** They are not even looked at: validation refuses the call. */
export const isTooMany = (args: Args): boolean => Object.keys(args).length > MOST_ARGUMENTS;

/** The call as it is recorded and carried out; one to no tool that is known stays as it came. */
export function normalisedCall(
  call: ToolCall,
  tools: readonly Tool[],
  names: NamesTaken = 'all',
): ToolCall {
  const meant = normaliseCall(call, tools, names);
  return meant.kind === 'call' ? { id: call.id, name: meant.tool.name, args: meant.args } : call;
}

export const MAX_NAME = 100;

function toolMeant(name: string, tools: readonly Tool[], names: NamesTaken): Tool | null {
  const exact = toolNamed(tools, name);
  if (exact !== null) return exact;
  const wanted = flat(withoutFrame(name));
  const matches = tools.filter((tool) => wanted !== '' && flat(tool.name) === wanted);
  if (matches.length > 0 || names === 'own')
    return matches.length === 1 ? (matches[0] ?? null) : null;
  if (name.length > MAX_NAME) return null;
  const alias = flat(name);
  return tools.find((tool) => tool.aliases?.called?.includes(alias)) ?? null;
}

/** `write_file a.py` with `a.py` as an argument too: a subtask's whole line taken for a name. */
function toolBeforeItsArgument({ name, args }: ToolCall, tools: readonly Tool[]): Tool | null {
  if (name.length > MAX_PATH) return null;
  const [first = '', ...rest] = name.split(' ');
  const isRepeated = Object.values(args).includes(rest.join(' '));
  return isRepeated ? toolNamed(tools, first) : null;
}

/** `functions.read_file:0` and `read_file<|channel|>commentary` are read_file. */
const withoutFrame = (name: string): string =>
  (name.slice(0, MAX_NAME).split('<|', 1)[0] ?? '')
    .replace(/:\d+\s*$/, '')
    .replace(/^\s*(?:functions?|tools?|default_api|multi_tool_use)(?:[.:/]+|_(?=[a-z]+_))/i, '');

/** `Read-File`, `readFile` and `read_file` are one name. */
const flat = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** What a model is told that called a tool there is not. */
export function unknownTool(name: string, tools: readonly Tool[]): string {
  const names = tools.map((tool) => tool.name);
  const near = nearestTool(withoutFrame(name), tools);
  const hint = near === null ? '' : ` Did you mean ${usageOf(near)}?`;
  return `There is no tool ${JSON.stringify(shortened(name, MAX_NAME))}.${hint} The tools are: ${names.join(', ')}.`;
}

/** Only to say which one may be meant; it is never run for another name. */
function nearestTool(name: string, tools: readonly Tool[]): Tool | null {
  const known = tools.find((tool) => tool.aliases?.names?.includes(flat(name)));
  const [near] = nearNames(
    name,
    tools.map((tool) => tool.name),
  );
  return known ?? (near === undefined ? null : toolNamed(tools, near));
}

type Properties = ReadonlyMap<string, string>;

/** Names of the arguments with their JSON types. */
function propertiesOf(tool: Tool): Properties {
  const { properties } = parametersOf(tool);
  if (!isObject(properties)) return new Map();
  return new Map(
    Object.entries(properties).map(([name, property]) => [
      name,
      isObject(property) && typeof property.type === 'string' ? property.type : '',
    ]),
  );
}

/** `{"arguments": {...}}` around the arguments, also more than once. */
function unwrapped(args: Args, properties: Properties): Args {
  const [entry, ...others] = Object.entries(args);
  if (entry === undefined || others.length > 0 || properties.has(entry[0])) return args;
  const isWrapper = ['arguments', 'parameters', 'args', 'params', 'input'].includes(entry[0]);
  return isWrapper && isObject(entry[1]) ? unwrapped(entry[1], properties) : args;
}

function withNames(args: Args, tool: Tool, properties: Properties): Args {
  const named = new Map<string, unknown>();
  const strangers: { name: string; value: unknown; meaning: string | null }[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (value === null) continue;
    if (properties.has(name)) named.set(name, value);
    else strangers.push({ name, value, meaning: meaningOf(name, tool, properties) });
  }
  for (const stranger of strangers) {
    const { name, value, meaning } = stranger;
    // What is left out below leaves the others the only ones.
    const isOnly = !strangers.some(
      (other) => other !== stranger && other.meaning === meaning && !isChatter(other.name),
    );
    if (meaning !== null && isOnly && !named.has(meaning)) named.set(meaning, value);
    else if (!isChatter(name)) named.set(name, value);
  }
  return Object.fromEntries(named);
}

const isChatter = (name: string): boolean => CHATTER.has(name.toLowerCase());

function meaningOf(name: string, tool: Tool, properties: Properties): string | null {
  for (const known of properties.keys()) if (flat(known) === flat(name)) return known;
  for (const known of properties.keys()) {
    if (tool.aliases?.args?.[known]?.some((alias) => flat(alias) === flat(name))) return known;
  }
  return null;
}

const withTypes = (args: Args, properties: Properties): Args =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typed(value, properties.get(name) ?? '')]),
  );

function typed(value: unknown, type: string): unknown {
  if (typeof value === 'string') {
    const word = value.trim().toLowerCase();
    if (type === 'boolean' && ['true', 'yes'].includes(word)) return true;
    if (type === 'boolean' && ['false', 'no'].includes(word)) return false;
    const isNumber = type === 'number' || type === 'integer';
    return isNumber && /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : value;
  }
  if (type === 'boolean' && (value === 0 || value === 1)) return value === 1;
  // A boolean is no text that anybody meant: as a command it would be the program of that name.
  return type === 'string' && typeof value === 'number' ? String(value) : value;
}
