/** Chooses the server tools of a run: those that its model was told of, with the same descriptions. */
import { shortened } from '../../lib/text/shortened.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { ToolDefinition } from '../../schema/model/turn.ts';
import type { StoredText } from '../../schema/text.ts';
import { toolLabel } from '../../shown/calls.ts';
import type { Tool } from '../../tools/contract.ts';
import { goneTool } from '../../tools/mcp/server-tool.ts';
import { toolDefinitions } from '../../tools/registry.ts';

export type EmitNotice = (event: Extract<RunEvent, { readonly type: 'notice' }>) => void;

/** What the journal says about the tools that the model was told of. */
export interface OfferedToolsPort {
  readonly context: {
    readonly state: { readonly settings: { readonly tools: StoredText | null } | null };
    textOf(text: StoredText): string;
  };
}

/** The share of the window for all descriptions together. */
const SHARE = 1 / 8;
const CHARS_PER_TOKEN = 3.2;
const MAX_WORDS = 600;

const MARK = 'mcp__';
/** The name that a model calls shows whether a server provides the tool. */
export const isOfServer = ({ name }: { readonly name: string }): boolean => name.startsWith(MARK);

/** The tools of one kind that the model was told of, from the journal. */
export function offeredBefore(
  { context }: OfferedToolsPort,
  isWanted: (one: ToolDefinition) => boolean = isOfServer,
): readonly ToolDefinition[] {
  const { settings } = context.state;
  if (settings === null || settings.tools === null) return [];
  const all = JSON.parse(context.textOf(settings.tools)) as readonly ToolDefinition[];
  return all.filter(isWanted);
}

/**
 * Keeps tools whose description is unchanged. Others are replaced by a stand-in that reports the change.
 * @param found today's tools
 */
export function asOfferedBefore(
  found: readonly Tool[],
  offered: readonly ToolDefinition[],
  emit: EmitNotice,
  whose = OF_SERVERS,
): readonly Tool[] {
  const now = new Map(
    toolDefinitions(found).map((definition) => [definition.name, JSON.stringify(definition)]),
  );
  const names = new Set(offered.map(({ name }) => name));
  const gone = offered.filter(({ name }) => !now.has(name));
  const changed = offered.filter((one) => {
    const definition = now.get(one.name);
    return definition !== undefined && definition !== JSON.stringify(one);
  });
  const more = found.filter(({ name }) => !names.has(name));
  reportDifference({ gone, changed, more }, emit, whose);
  return offered.map((definition) => {
    const { name } = definition;
    if (gone.includes(definition))
      return goneTool(definition, { status: 'connection_error', text: `${name} ${whose.gone}` });
    if (changed.includes(definition))
      return goneTool(definition, { status: whose.status, text: `${name} ${whose.changed}` });
    return found.find((one) => one.name === name) as Tool;
  });
}

/** Who brings the tools, and the words about a tool that is missing or has changed. */
export interface Whose {
  readonly tools: string;
  /** The status of a tool that has changed. */
  readonly status: 'mcp_error' | 'connection_error';
  readonly gone: string;
  readonly changed: string;
  /** What a person can do about it; `null`: nothing. */
  readonly next: string | null;
}

const OF_SERVERS: Whose = {
  tools: 'MCP servers',
  status: 'mcp_error',
  gone: 'cannot be called now: its server is not there, or does not offer it any more. Use another tool.',
  changed:
    'was not called: its server describes it otherwise than when this run was told of it. Use another tool.',
  next: 'To have it told of them, resume it with the tools refreshed.',
};

interface Difference {
  readonly gone: readonly ToolDefinition[];
  readonly changed: readonly ToolDefinition[];
  readonly more: readonly Tool[];
}

function reportDifference(
  { gone, changed, more }: Difference,
  emit: EmitNotice,
  { tools: whose, next }: Whose,
): void {
  const part = (words: string, tools: readonly { readonly name: string }[]): string[] =>
    tools.length === 0 ? [] : [`${words}: ${tools.map(({ name }) => toolLabel(name)).join(', ')}.`];
  const parts = [
    ...part('Not there', gone),
    ...part('Changed, and not called', changed),
    ...part('New, and not told', more),
  ];
  if (parts.length === 0) return;
  const what = shortened(parts.join(' '), MAX_WORDS);
  const text = `The tools of ${whose} are not those that this run was told of. ${what}`;
  const notice = { type: 'notice', level: 'warning' } as const;
  if (next === null || changed.length + more.length === 0) emit({ ...notice, text });
  else emit({ ...notice, text: `${text} ${next}`, option: 'refreshTools' });
}

/** As many tools as there is room for. @param window in tokens */
export function toolsWithinWindow(
  found: readonly Tool[],
  window: number,
  emit: EmitNotice,
): readonly Tool[] {
  let room = window * SHARE * CHARS_PER_TOKEN;
  const kept = found.filter((tool) => {
    room -= JSON.stringify(toolDefinitions([tool])).length;
    return room >= 0;
  });
  if (kept.length < found.length) {
    const left = found.filter((tool) => !kept.includes(tool)).map(({ name }) => toolLabel(name));
    const text = `There was no room to tell the model about ${left.length} tools of MCP servers: ${left.join(', ')}`;
    emit({ type: 'notice', level: 'warning', text: shortened(text, MAX_WORDS) });
  }
  return kept;
}

/** The list that the model was told, with the servers' current tools in place of the earlier ones. */
export const offeredAnew = (
  offered: readonly ToolDefinition[],
  tools: readonly Tool[],
): readonly ToolDefinition[] => [
  ...offered.filter((definition) => !isOfServer(definition)),
  ...toolDefinitions(tools.filter(({ server }) => server !== undefined)),
];
