/**
 * Interprets a call as it was meant: corrects names and types that are nearly right, if only one reading is
 * possible. Pure.
 */

import { isRecord } from '../../lib/json-value.ts';
import { shortened } from '../../lib/text/shortened.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { Decoded } from '../../schema/records.ts';
import { nearNames } from '../../workspace/near-names.ts';
import type { Tool } from '../contract.ts';
import { toolNamed } from '../toolset.ts';
import type { CallArgs } from './args-schema.ts';
import { parametersOf } from './parameters.ts';
import { callUsage } from './usage.ts';

/** Extra arguments in which models comment on their call; dropping them changes nothing. */
const CHATTER = new Set(
  'because purpose reason description explanation thought thoughts comment note notes summary'.split(
    ' ',
  ),
);

/** `own`: for a call found in a text, where a name from another agent may be part of an example. */
type NamesTaken = 'all' | 'own';

/**
 * The call as it is recorded and carried out; a call of an unknown tool stays as it is. Done once, before a call
 * is recorded. Normalising twice gives the same result.
 */
export function normalisedCall(
  call: ToolCall,
  tools: readonly Tool[],
  names: NamesTaken = 'all',
): ToolCall {
  const tool = toolMeant(call.name, tools, names);
  if (tool === null) return call;
  const { id } = call;
  const properties = propertiesOf(tool);
  const args = unwrapped(call.args, properties);
  if (isTooMany(args)) return { id, name: tool.name, args };
  const named = withNames(args, tool, properties);
  const meant = tool.correctArgs?.(named) ?? named;
  return { id, name: tool.name, args: withTypes(meant, properties) };
}

/** Far more than any tool has. */
export const MAX_ARGUMENTS = 100;

/** Such calls are not examined: validation refuses them. */
export const isTooMany = (args: CallArgs): boolean => Object.keys(args).length > MAX_ARGUMENTS;

/** Calls are corrected before they are recorded: the fold reads them as they are, and so does execution. */
export const withNormalisedCalls = (decoded: Decoded, tools: readonly Tool[]): Decoded =>
  decoded.kind === 'calls'
    ? { ...decoded, calls: decoded.calls.map((call) => normalisedCall(call, tools)) }
    : decoded;

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

/** `functions.read_file:0` and `read_file<|channel|>commentary` mean read_file. */
const withoutFrame = (name: string): string =>
  (name.slice(0, MAX_NAME).split('<|', 1)[0] ?? '')
    .replace(/:\d+\s*$/, '')
    .replace(/^\s*(?:functions?|tools?|default_api|multi_tool_use)(?:[.:/]+|_(?=[a-z]+_))/i, '');

/** `Read-File`, `readFile` and `read_file` are the same name. */
const flat = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The message for a model that called an unknown tool. */
export function unknownTool(name: string, tools: readonly Tool[]): string {
  const names = tools.map((tool) => tool.name);
  const near = nearestTool(withoutFrame(name), tools);
  const hint = near === null ? '' : ` Did you mean ${callUsage(near)}?`;
  return `There is no tool ${JSON.stringify(shortened(name, MAX_NAME))}.${hint} The tools are: ${names.join(', ')}.`;
}

/** Only suggests a tool; none is ever run under another name. */
function nearestTool(name: string, tools: readonly Tool[]): Tool | null {
  const known = tools.find((tool) => tool.aliases?.names?.includes(flat(name)));
  const [near] = nearNames(
    name,
    tools.map((tool) => tool.name),
  );
  return known ?? (near === undefined ? null : toolNamed(tools, near));
}

type Properties = ReadonlyMap<string, string>;

/** The arguments' names with their JSON types. */
function propertiesOf(tool: Tool): Properties {
  const { properties } = parametersOf(tool);
  if (!isRecord(properties)) return new Map();
  return new Map(
    Object.entries(properties).map(([name, property]) => [
      name,
      isRecord(property) && typeof property.type === 'string' ? property.type : '',
    ]),
  );
}

/** Removes `{"arguments": {...}}` around the arguments, even if nested. */
function unwrapped(args: CallArgs, properties: Properties): CallArgs {
  const [entry, ...others] = Object.entries(args);
  if (entry === undefined || others.length > 0 || properties.has(entry[0])) return args;
  const isWrapper = ['arguments', 'parameters', 'args', 'params', 'input'].includes(entry[0]);
  return isWrapper && isRecord(entry[1]) ? unwrapped(entry[1], properties) : args;
}

function withNames(args: CallArgs, tool: Tool, properties: Properties): CallArgs {
  const named = new Map<string, unknown>();
  const strangers: { name: string; value: unknown; meaning: string | null }[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (value === null) continue;
    if (properties.has(name)) named.set(name, value);
    else strangers.push({ name, value, meaning: meaningOf(name, tool, properties) });
  }
  for (const stranger of strangers) {
    const { name, value, meaning } = stranger;
    // Arguments that are dropped below do not make this one ambiguous.
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

const withTypes = (args: CallArgs, properties: Properties): CallArgs =>
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
  // A boolean is never converted to text: as a command it would be the program of that name.
  return type === 'string' && typeof value === 'number' ? String(value) : value;
}
