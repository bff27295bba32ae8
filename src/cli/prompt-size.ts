// What stands in every request before any work: the system prompt and the tools. Pure.
import { estimateTokens } from '../context-manager/prompt-size.ts';
import { driverForMode, driverNamed } from '../drivers/driver-of.ts';
import { type InstructionText, instructionsText } from '../prompts/instructions.ts';
import { instructionRoom } from '../round/model/system-prompt.ts';
import { type DriverName, driverNameOf } from '../schema/driver.ts';
import type { ToolMode } from '../schema/records.ts';
import type { RunSettings, RunState } from '../schema/state.ts';
import { builtinTools, toolDefinitions } from '../tools/registry.ts';
import { namesOf } from '../tools/toolset.ts';

/** What instruction files may take depends on the window; most models have at least this one. */
const USUAL_WINDOW = 32_768;

/** Tokens, estimated: no model counts them apart. */
export interface PromptSize {
  /** Of the program itself. */
  readonly builtIn: number;
  /** Of what the project adds to it. */
  readonly project: number;
}

/** What a new run begins with. @param files of the project */
export function promptSize(mode: ToolMode, files: readonly InstructionText[]): PromptSize {
  const { name, systemPrompt } = driverForMode(mode);
  const { text } = instructionsText(files, instructionRoom({ driver: name }, USUAL_WINDOW));
  return sizeOf(name, systemPrompt('', namesOf(tools())).length, text.length);
}

/** What the requests of this run begin with; `null` before its model is known. */
export const promptSizeOf = ({ settings }: RunState): PromptSize | null =>
  settings === null ? null : sizeOfSettings(settings);

function sizeOfSettings(settings: RunSettings): PromptSize {
  const { systemPrompt, instructions } = settings;
  const told = instructions?.told ?? 0;
  return sizeOf(driverNameOf(settings), systemPrompt.length - told, told);
}

/** @param length of the driver's own words; all in characters */
const sizeOf = (driver: DriverName, length: number, told: number): PromptSize => ({
  builtIn: estimateTokens(length + (driverNamed(driver).callsTools ? toolText().length : 0)),
  project: estimateTokens(told),
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
