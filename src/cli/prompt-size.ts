// What stands in every request before any work: the system prompt and the tools. Pure.
import { estimateTokens } from '../context-manager/prompt-size.ts';
import { driverMeantBy } from '../drivers/driver-of.ts';
import { type DriverName, traitsOf } from '../schema/driver.ts';
import type { ToolMode } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { builtinTools, toolDefinitions } from '../tools/registry.ts';
import { namesOf } from '../tools/toolset.ts';

/** Tokens, estimated: no model counts them apart. */
export interface PromptSize {
  /** Of the program itself. */
  readonly builtIn: number;
  /** Of what the project adds to it. */
  readonly project: number;
}

/** What a new run begins with. */
export function promptSize(mode: ToolMode): PromptSize {
  const { name, systemPrompt } = driverMeantBy(mode);
  return sizeOf(name, systemPrompt('', namesOf(tools())));
}

/** What the requests of this run begin with; `null` before its model is known. */
export const promptSizeOf = ({ settings }: RunState): PromptSize | null =>
  settings === null ? null : sizeOf(settings.driver, settings.systemPrompt);

/** A project adds nothing yet: there are neither instruction files nor tools of its own. */
const sizeOf = (driver: DriverName, { length }: { readonly length: number }): PromptSize => ({
  builtIn: estimateTokens(length + (traitsOf({ driver }).callsTools ? toolText().length : 0)),
  project: 0,
});

const toolText = (): string => JSON.stringify(toolDefinitions(tools()));

/** Only looked at: they are never run. */
const tools = () =>
  builtinTools({
    programs: {
      find: async () => ({ kind: 'missing', reason: '', hint: '' }),
      environment: () => ({}),
    },
  });
