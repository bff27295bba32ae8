/** Finds tools by what they say of themselves. Pure. */
import { type ActionClass, Capability, type ToolNames } from '../schema/actions.ts';
import type { ToolCall } from '../schema/model/messages.ts';
import type { Args } from './calls/args-schema.ts';
import type { CommandRequest, Target, Tool } from './contract.ts';

/** The tool of exactly that name, `null` where there is none. */
export const toolNamed = (tools: readonly Tool[], name: string): Tool | null =>
  tools.find((tool) => tool.name === name) ?? null;

/**
 * The first tool that does it, so that nobody needs to know its name:
 * `toolThat(tools, 'writes_whole_files')`. `null`: this run has none.
 */
export const toolThat = (tools: readonly Tool[], does: Capability): Tool | null =>
  tools.find((tool) => tool.does === does) ?? null;

/** A call of the tool that runs commands, not yet validated; arguments that are `undefined` are left out. */
export function commandCall(
  tools: readonly Tool[],
  args: CommandRequest,
): Omit<ToolCall, 'id'> | null {
  const tool = toolThat(tools, 'runs_commands');
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return tool === null ? null : { name: tool.name, args: Object.fromEntries(given) };
}

/** What a call is about, for people, facts and policies; `null` where its tool does not say. */
export const targetOf = (tools: readonly Tool[], name: string, args: Args): Target | null =>
  toolNamed(tools, name)?.target?.(args) ?? null;

/** The class of a tool's intents on disk. */
export function classOf({ afterCrash, touches }: Tool): ActionClass {
  switch (afterCrash) {
    case 'repeat':
      return touches === 'nothing' ? 'control' : 'read';
    case 'compare_files':
      return 'write';
    case 'unknown':
      return 'command';
  }
}

/** What the tools are called, for words and questions that are about what they do. */
export const namesOf = (tools: readonly Tool[]): ToolNames =>
  Object.fromEntries(
    Capability.options.map((does) => [does, toolThat(tools, does)?.name ?? '']),
  ) as ToolNames;

/** In one line; a command in another folder is another command. */
export function formatTarget(target: Target | null): string {
  if (target === null) return '';
  const { text, folder, isLeftRunning } = target;
  const where = [
    folder === undefined ? '' : `in ${folder}`,
    isLeftRunning ? 'in the background' : '',
  ];
  const more = where.filter((one) => one !== '').join(', ');
  return more === '' ? text : `${text} (${more})`;
}

/** What to use instead of a program, by its name. */
export const programHints = (tools: readonly Tool[]): ReadonlyMap<string, string> =>
  new Map(tools.flatMap((tool) => Object.entries(tool.replacesPrograms ?? {})));

/** The target that one argument names, for tools that are about one thing. */
export const targetIn =
  (argument: string, kind: Target['kind']) =>
  (args: Args): Target | null => {
    const text = args[argument];
    return typeof text === 'string' ? { kind, text } : null;
  };
