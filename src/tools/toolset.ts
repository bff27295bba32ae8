/** Finds tools by their own descriptions. Pure. */
import { type ActionClass, Capability, type ToolNames } from '../schema/actions.ts';
import type { ToolCall } from '../schema/model/messages.ts';
import type { CallArgs } from './calls/args-schema.ts';
import type { CallTarget, CommandRequest, Tool } from './contract.ts';

/** The tool with exactly that name; `null`: none. */
export const toolNamed = (tools: readonly Tool[], name: string): Tool | null =>
  tools.find((tool) => tool.name === name) ?? null;

/**
 * The first tool with a capability, so that callers need not know its name: `toolThat(tools,
 * 'writes_whole_files')`. `null`: this run has none.
 */
export const toolThat = (tools: readonly Tool[], does: Capability): Tool | null =>
  tools.find((tool) => tool.does === does) ?? null;

/** A call of the tool that runs commands, not yet validated; `undefined` arguments are left out. */
export function commandCall(
  tools: readonly Tool[],
  args: CommandRequest,
): Omit<ToolCall, 'id'> | null {
  const tool = toolThat(tools, 'runs_commands');
  const present = Object.entries(args).filter(([, value]) => value !== undefined);
  return tool === null ? null : { name: tool.name, args: Object.fromEntries(present) };
}

/** The object of a call, for people, facts and policies; `null` if its tool names none. */
export const targetOf = (tools: readonly Tool[], name: string, args: CallArgs): CallTarget | null =>
  toolNamed(tools, name)?.target?.(args) ?? null;

/** The stored class of a tool's intents. */
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

/** The tools' names by capability, for texts and questions about what they do. */
export const toolNamesOf = (tools: readonly Tool[]): ToolNames =>
  Object.fromEntries(
    Capability.options.map((does) => [does, toolThat(tools, does)?.name ?? '']),
  ) as ToolNames;

/** On one line; the same command in another folder gets a different text. */
export function formatTarget(target: CallTarget | null): string {
  if (target === null) return '';
  const { text, folder, isLeftRunning } = target;
  const where = [
    folder === undefined ? '' : `in ${folder}`,
    isLeftRunning ? 'in the background' : '',
  ];
  const more = where.filter((one) => one !== '').join(', ');
  return more === '' ? text : `${text} (${more})`;
}

/** The tool to use instead of a program, by program name. */
export const programHints = (tools: readonly Tool[]): ReadonlyMap<string, string> =>
  new Map(tools.flatMap((tool) => Object.entries(tool.replacesPrograms ?? {})));

/** The target from a single argument, for tools with one object. */
export const targetFromArgument =
  (argument: string, kind: CallTarget['kind']) =>
  (args: CallArgs): CallTarget | null => {
    const text = args[argument];
    return typeof text === 'string' ? { kind, text } : null;
  };
