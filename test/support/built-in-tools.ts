/** The tools a run has, for records and plans that a test writes by hand. */
import type { Capability } from '../../src/schema/actions.ts';
import type { SubtaskStep } from '../../src/schema/plan.ts';
import type { RecordOf } from '../../src/schema/records.ts';
import { aboutCall } from '../../src/tools/execute.ts';
import { builtinTools, toolDefinitions } from '../../src/tools/registry.ts';
import { toolNamed, toolNamesOf } from '../../src/tools/toolset.ts';

export const TOOLS = builtinTools({
  programs: {
    find: async () => ({ kind: 'missing', reason: '', hint: '' }),
    environment: () => ({}),
  },
});

/** As a model is told them. */
export const DEFINITIONS = toolDefinitions(TOOLS);

export const NAMES = toolNamesOf(TOOLS);

export const doesOf = (tool: string): { readonly does?: Capability } => {
  const does = toolNamed(TOOLS, tool)?.does;
  return does ? { does } : {};
};

/** What the outcome of a call says of its tool. */
export const aboutOutcome = (
  tool: string,
  args: { readonly [name: string]: unknown } = {},
): Pick<RecordOf<'action_finished'>, 'touches' | 'does' | 'target'> => aboutCall(TOOLS, tool, args);

/** A step as a plan has it: the whole call, but for a file whose content is asked for apart. */
export function stepOf(action: string, target: string, stdin?: string): SubtaskStep {
  const named = { action, ...doesOf(action), target };
  switch (named.does) {
    case 'runs_commands':
      return { ...named, args: { cmd: target, ...(stdin === undefined ? {} : { stdin }) } };
    case 'reads_files':
    case 'lists_folders':
      return { ...named, args: { path: target } };
    default:
      return named;
  }
}
