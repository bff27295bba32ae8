/** The list of tools, and how they are described to a model. */
import { isRecord } from '../lib/json-value.ts';
import { lazily } from '../lib/lazily.ts';
import type { ToolDefinition } from '../schema/model/turn.ts';
import { applyPatch } from './builtin/apply-patch.ts';
import { deleteFile } from './builtin/delete-file.ts';
import { editFile } from './builtin/edit-file.ts';
import { findFiles } from './builtin/find-files.ts';
import { giveUp } from './builtin/give-up.ts';
import { listDir } from './builtin/list-dir.ts';
import { markSubtaskComplete } from './builtin/mark-subtask-complete.ts';
import { moveFile } from './builtin/move-file.ts';
import { readFile } from './builtin/read-file.ts';
import { readOutput } from './builtin/read-output.ts';
import { type RunCmdOptions, runCmdTool } from './builtin/run-cmd.ts';
import { searchText } from './builtin/search-text.ts';
import { setPlanTool } from './builtin/set-plan.ts';
import { shellTool } from './builtin/shell.ts';
import { stopProcess } from './builtin/stop-process.ts';
import { writeFile } from './builtin/write-file.ts';
import { writeFiles } from './builtin/write-files.ts';
import { parametersOf } from './calls/parameters.ts';
import { type RuleKind, ruleWordsOf } from './calls/rule-words.ts';
import type { Tool } from './contract.ts';
import { webFetch } from './web/web-fetch.ts';

/** Tools that a run has only with an option. */
interface Optional {
  readonly shell?: boolean;
  readonly web?: boolean;
  /** Plans mark the subtasks that may become runs of their own. */
  readonly parallel?: boolean;
}

const ALL: Required<Optional> = { shell: true, web: true, parallel: false };

/** The tools of a run, in the order in which they are declared to a model. This is the only list. */
export const builtinTools = (
  commands: RunCmdOptions,
  { shell = false, web = false, parallel = false }: Optional = {},
): readonly Tool[] => [
  listDir,
  readFile,
  findFiles,
  searchText,
  writeFile,
  writeFiles,
  editFile,
  applyPatch,
  deleteFile,
  moveFile,
  runCmdTool(commands),
  ...(shell ? [shellTool(commands)] : []),
  ...(web ? [webFetch as Tool] : []),
  readOutput,
  stopProcess,
  markSubtaskComplete,
  setPlanTool(parallel),
  giveUp,
];

/** The names of tools do not depend on these options. */
export const NO_PROGRAMS: RunCmdOptions = {
  programs: {
    find: async () => ({ kind: 'missing', reason: '', hint: '' }),
    environment: () => ({}),
  },
};

/** The words of rules for all tools, whichever a run has. */
export const ruleWords: () => ReadonlyMap<string, RuleKind> = lazily(() =>
  ruleWordsOf(builtinTools(NO_PROGRAMS, ALL)),
);

/** All built-in tools, for naming in a plan; the run decides which of them it has. */
export const everyBuiltinTool = (): readonly Tool[] => builtinTools(NO_PROGRAMS, ALL);

/** The names of the tools that a run with these options has. */
export const builtinNames = (optional: Optional = {}): readonly string[] =>
  builtinTools(NO_PROGRAMS, optional).map(({ name }) => name);

/** Whether this description is one of our tools: another program may have a tool with the same name. */
export const isBuiltin = ({ name, description }: Pick<ToolDefinition, 'name' | 'description'>) =>
  builtinTools(NO_PROGRAMS, ALL).some(
    (tool) => tool.name === name && (!tool.onlyWith || tool.description === description),
  );

let byName: ReadonlyMap<string, Tool> | null = null;

/** For inspection, not for execution: what a tool says about a call does not depend on its options. */
export function builtinTool(name: string): Tool | null {
  byName ??= new Map(builtinTools(NO_PROGRAMS, ALL).map((tool) => [tool.name, tool] as const));
  return byName.get(name) ?? null;
}

/** In a smaller window, every described tool takes room from the work. */
const ROOMY_WINDOW = 8_192;

/** @param callsTools whether the model calls tools itself */
export const offeredOf = (
  tools: readonly Tool[],
  { callsTools, window }: { readonly callsTools: boolean; readonly window: number },
): readonly Tool[] =>
  tools.filter(({ needs }) => {
    if (!callsTools) return needs?.calls !== true;
    return needs?.room !== true || window >= ROOMY_WINDOW;
  });

/** Always the same bytes for the same tools, because they come at the beginning of every prompt. */
export const toolDefinitions = (tools: readonly Tool[]): readonly ToolDefinition[] =>
  tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: parametersOf(tool),
  }));

/** The tools as they are described to such a model. */
export const definitionsFor = (
  tools: readonly Tool[],
  model: Parameters<typeof offeredOf>[1],
): readonly ToolDefinition[] =>
  model.callsTools
    ? toolDefinitions(offeredOf(tools, model))
    : withoutFurtherArgs(offeredOf(tools, model));

/** The same if nothing can run in the background. */
export const definitionsAlone = (
  tools: readonly Tool[],
  model: Parameters<typeof offeredOf>[1],
): readonly ToolDefinition[] =>
  tools
    .filter(({ needs }) => needs?.background !== true)
    .flatMap((tool) =>
      definitionsFor([tool], model).map((definition) => ({
        ...withoutArgs(definition, tool.alone?.leftOut ?? []),
        description: tool.alone?.description ?? definition.description,
      })),
    );

/** The same for a model held to a schema: of the built-in tools, only those with a description for it. */
export const constrainedDefinitions = (tools: readonly Tool[]): readonly ToolDefinition[] =>
  tools.flatMap((tool) => {
    if (tool.constrained !== undefined) return [constrainedDefinition(tool, tool.constrained)];
    return tool.own === undefined && tool.server === undefined ? [] : toolDefinitions([tool]);
  });

function constrainedDefinition(
  tool: Tool,
  { args, optional = [], description = tool.description }: NonNullable<Tool['constrained']>,
): ToolDefinition {
  const { properties } = parametersOf(tool);
  const known = isRecord(properties) ? properties : {};
  const asked = Object.entries(args).map(([name, own]) => [name, known[own] ?? {}]);
  const required = Object.keys(args).filter((name) => !optional.includes(name));
  const parameters = { type: 'object', properties: Object.fromEntries(asked), required };
  return { name: tool.name, description, parameters };
}

/** The tools that every run has had from the beginning. */
export const plainDefinitions = (tools: readonly Tool[]): readonly ToolDefinition[] =>
  withoutFurtherArgs(tools.filter(({ needs }) => needs === undefined));

const withoutFurtherArgs = (tools: readonly Tool[]): readonly ToolDefinition[] =>
  tools.map((tool) => {
    const [definition] = toolDefinitions([tool]) as [ToolDefinition];
    return withoutArgs(definition, tool.argsForCalls ?? []);
  });

function withoutArgs(definition: ToolDefinition, leftOut: readonly string[]): ToolDefinition {
  const { properties } = definition.parameters;
  if (leftOut.length === 0 || !isRecord(properties)) return definition;
  const kept = Object.entries(properties).filter(([name]) => !leftOut.includes(name));
  const parameters = { ...definition.parameters, properties: Object.fromEntries(kept) };
  return { ...definition, parameters };
}
