/** The tools there are, and how they are described to a model. */
import type { ToolDefinition } from '../schema/turn.ts';
import { isObject } from './args-schema.ts';
import type { Tool } from './contract.ts';
import { editFile } from './edit-file.ts';
import { giveUp } from './give-up.ts';
import { listDir } from './list-dir.ts';
import { markSubtaskComplete } from './mark-subtask-complete.ts';
import { parametersOf } from './parameters.ts';
import { readFile } from './read-file.ts';
import { readOutput } from './read-output.ts';
import { type RuleKind, ruleWordsOf } from './rule-words.ts';
import { type RunCmdOptions, runCmdTool } from './run-cmd.ts';
import { searchText } from './search-text.ts';
import { setPlan } from './set-plan.ts';
import { writeFile } from './write-file.ts';

/** The one list. */
const allTools = (commands: RunCmdOptions): readonly Tool[] => [
  listDir,
  readFile,
  writeFile,
  editFile,
  searchText,
  runCmdTool(commands),
  readOutput,
  markSubtaskComplete,
  setPlan,
  giveUp,
];

/** What tools are called does not depend on what they are made with. */
const NO_PROGRAMS: RunCmdOptions = {
  programs: {
    find: async () => ({ kind: 'missing', reason: '', hint: '' }),
    environment: () => ({}),
  },
};

/** Of every tool there is, whichever a run has. */
export const ruleWords = (): ReadonlyMap<string, RuleKind> => ruleWordsOf(allTools(NO_PROGRAMS));

/**
 * The tools of a run, in the order in which they are declared to a model.
 * @param isRequested says of a tool that is declared on request whether this run has it
 */
export const builtinTools = (
  commands: RunCmdOptions,
  isRequested?: (tool: Tool) => boolean,
): readonly Tool[] => declaredOf(allTools(commands), isRequested);

export const declaredOf = (
  tools: readonly Tool[],
  isRequested: (tool: Tool) => boolean = () => false,
): readonly Tool[] => tools.filter((tool) => tool.declared !== 'on_request' || isRequested(tool));

/** Always the same bytes for the same tools: they stand at the beginning of every prompt. */
export const toolDefinitions = (tools: readonly Tool[]): readonly ToolDefinition[] =>
  tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: parametersOf(tool),
  }));

/** @param isWhole with the tools and arguments that are declared only on request */
export function definitionsFor(
  tools: readonly Tool[],
  isWhole: boolean,
): readonly ToolDefinition[] {
  if (isWhole) return toolDefinitions(tools);
  return declaredOf(tools).map((tool) => {
    const [definition] = toolDefinitions([tool]) as [ToolDefinition];
    return withoutArgs(definition, tool.declaredArgs ?? []);
  });
}

function withoutArgs(definition: ToolDefinition, leftOut: readonly string[]): ToolDefinition {
  const { properties } = definition.parameters;
  if (leftOut.length === 0 || !isObject(properties)) return definition;
  const kept = Object.entries(properties).filter(([name]) => !leftOut.includes(name));
  const parameters = { ...definition.parameters, properties: Object.fromEntries(kept) };
  return { ...definition, parameters };
}
