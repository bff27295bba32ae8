/** Reads a call as it was meant: near-miss names and types, where only one reading is left. Pure. */
import { contentOf } from '../languages/languages.ts';
import type { ToolCall } from '../schema/messages.ts';
import { nearNames } from '../workspace/near-names.ts';
import type { Tool } from './contract.ts';
import { isObject, parametersOf } from './parameters.ts';
import { usageOf } from './usage.ts';

export type NormalisedCall =
  | {
      readonly kind: 'call';
      readonly tool: Tool;
      /** As the model meant them, not yet validated. */
      readonly args: { readonly [name: string]: unknown };
    }
  | { readonly kind: 'unknown_tool'; readonly message: string };

type Args = { readonly [name: string]: unknown };

/** What models write for our names. */
const ALIASES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    path: ['filename', 'file', 'file_path', 'filepath', 'file_name', 'dir', 'directory', 'folder'],
    content: ['contents', 'file_content', 'text', 'code', 'body'],
    cmd: ['command', 'command_line', 'shell_command'],
    old_text: ['old_string', 'old_str', 'old', 'search', 'find'],
    new_text: ['new_string', 'new_str', 'new', 'replace', 'replacement'],
    timeout_sec: ['timeout', 'timeout_seconds', 'timeout_s'],
    stdin: ['input'],
    success: ['succeeded', 'completed'],
    reason: ['message', 'summary'],
    answer: ['result', 'output'],
  }),
);

/** Extra arguments in which models talk to themselves; leaving them out changes nothing. */
const CHATTER = new Set(
  'because purpose reason description explanation thought thoughts comment note notes summary'.split(
    ' ',
  ),
);

/** What tools of that kind are called elsewhere. */
const MEANINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    write_file: 'createfile savefile writetofile newfile write',
    edit_file: 'strreplace strreplaceeditor replaceinfile applydiff edit updatefile',
    read_file: 'cat viewfile openfile getfile read view',
    list_dir: 'ls listfiles listdirectory readdir dir',
    run_cmd: 'bash shell sh exec execute executecommand runcommand runshellcommand terminal',
    mark_subtask_complete: 'done finish complete attemptcompletion submit taskcomplete',
  }).flatMap(([tool, names]) => names.split(' ').map((name) => [name, tool] as const)),
);

export function normaliseCall(call: ToolCall, tools: readonly Tool[]): NormalisedCall {
  const tool = toolNamed(call.name, tools) ?? toolBeforeItsArgument(call, tools);
  if (tool === null) return { kind: 'unknown_tool', message: unknownTool(call.name, tools) };
  const properties = propertiesOf(tool);
  const named = withNames(unwrapped(call.args, properties), properties);
  return { kind: 'call', tool, args: withTypes(named, properties) };
}

function toolNamed(name: string, tools: readonly Tool[]): Tool | null {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const wanted = flat(withoutFrame(name));
  const matches = tools.filter((tool) => wanted !== '' && flat(tool.name) === wanted);
  return matches.length === 1 ? (matches[0] ?? null) : null;
}

/** `write_file a.py` with `a.py` as an argument too: a subtask's whole line taken for a name. */
function toolBeforeItsArgument({ name, args }: ToolCall, tools: readonly Tool[]): Tool | null {
  const [first = '', ...rest] = name.split(' ');
  const isRepeated = Object.values(args).includes(rest.join(' '));
  return isRepeated ? (tools.find((tool) => tool.name === first) ?? null) : null;
}

const MAX_NAME = 100;

/** `functions.read_file:0` and `read_file<|channel|>commentary` are read_file. */
const withoutFrame = (name: string): string =>
  (name.slice(0, MAX_NAME).split('<|', 1)[0] ?? '')
    .replace(/:\d+\s*$/, '')
    .replace(/^\s*(?:functions?|tools?|default_api|multi_tool_use)(?:[.:/]+|_(?=[a-z]+_))/i, '');

/** `Read-File`, `readFile` and `read_file` are one name. */
const flat = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function unknownTool(name: string, tools: readonly Tool[]): string {
  const names = tools.map((tool) => tool.name);
  const near = nearestTool(withoutFrame(name), tools);
  const hint = near === null ? '' : ` Did you mean ${usageOf(near)}?`;
  const said = name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}…`;
  return `There is no tool ${JSON.stringify(said)}.${hint} The tools are: ${names.join(', ')}.`;
}

/** Only to say which one may be meant; it is never run for another name. */
function nearestTool(name: string, tools: readonly Tool[]): Tool | null {
  const known = MEANINGS.get(flat(name));
  const [near] = nearNames(
    name,
    tools.map((tool) => tool.name),
  );
  return tools.find((tool) => tool.name === (known ?? near)) ?? null;
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

/** `{"arguments": {...}}` around the arguments. */
function unwrapped(args: Args, properties: Properties): Args {
  const [entry, ...others] = Object.entries(args);
  if (entry === undefined || others.length > 0 || properties.has(entry[0])) return args;
  const isWrapper = ['arguments', 'parameters', 'args', 'params', 'input'].includes(entry[0]);
  return isWrapper && isObject(entry[1]) ? entry[1] : args;
}

function withNames(args: Args, properties: Properties): Args {
  const named = new Map<string, unknown>();
  const strangers: [string, unknown][] = [];
  for (const [name, value] of Object.entries(args)) {
    if (value === null) continue;
    if (properties.has(name)) named.set(name, value);
    else strangers.push([name, value]);
  }
  const meanings = strangers.map(([name]) => meaningOf(name, properties));
  strangers.forEach(([name, value], index) => {
    const meaning = meanings[index] ?? null;
    const isOnly = meanings.filter((other) => other === meaning).length === 1;
    if (meaning !== null && isOnly && !named.has(meaning)) named.set(meaning, value);
    else if (!CHATTER.has(name.toLowerCase())) named.set(name, value);
  });
  return Object.fromEntries(named);
}

function meaningOf(name: string, properties: Properties): string | null {
  for (const known of properties.keys()) if (flat(known) === flat(name)) return known;
  for (const known of properties.keys()) {
    if (ALIASES.get(known)?.some((alias) => flat(alias) === flat(name))) return known;
  }
  return null;
}

function withTypes(args: Args, properties: Properties): Args {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      // The content of a data file comes as the value itself now and then.
      (name === 'content' && typeof value === 'object' && value !== null
        ? contentOf(String(args.path), value)
        : null) ?? typed(value, properties.get(name) ?? ''),
    ]),
  );
}

function typed(value: unknown, type: string): unknown {
  if (typeof value === 'string') {
    const word = value.trim().toLowerCase();
    if (type === 'boolean' && ['true', 'yes'].includes(word)) return true;
    if (type === 'boolean' && ['false', 'no'].includes(word)) return false;
    const isNumber = type === 'number' || type === 'integer';
    return isNumber && /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : value;
  }
  if (type === 'boolean' && (value === 0 || value === 1)) return value === 1;
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    return String(value);
  }
  return value;
}
