/** The tools there are, and how they are described to a model. */
import type { ToolDefinition } from '../schema/turn.ts';
import type { Tool } from './contract.ts';
import { editFile } from './edit-file.ts';
import { listDir } from './list-dir.ts';
import { markSubtaskComplete } from './mark-subtask-complete.ts';
import { parametersOf } from './parameters.ts';
import { readFile } from './read-file.ts';
import { readOutput } from './read-output.ts';
import { type RuleKind, ruleWordsOf } from './rule-words.ts';
import { type RunCmdOptions, runCmdTool } from './run-cmd.ts';
import { searchText } from './search-text.ts';
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
