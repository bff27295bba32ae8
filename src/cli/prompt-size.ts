// Pure: the size of what every request contains before any work: the system prompt and the tools.
import { estimateTokens } from '../context-manager/prompt-size.ts';
import { driverForMode, driverNamed } from '../drivers/driver-of.ts';
import { type InstructionText, instructionsText } from '../prompts/instructions.ts';
import { instructionRoom } from '../round/model/system-prompt.ts';
import { type DriverName, driverNameOf } from '../schema/driver.ts';
import type { ToolMode } from '../schema/records.ts';
import type { RunSettings, RunState } from '../schema/state.ts';
import { builtinTools, NO_PROGRAMS, toolDefinitions } from '../tools/registry.ts';
import { toolNamesOf } from '../tools/toolset.ts';

/** The room for instruction files depends on the context window; most models have at least this one. */
const USUAL_WINDOW = 32_768;

/** Estimated tokens: no model counts the parts separately. */
export interface PromptSize {
  /** The program's own part. */
  readonly builtIn: number;
  /** What the project adds. */
  readonly project: number;
}

/** The size at the start of a new run. @param files of the project */
export function promptSize(mode: ToolMode, files: readonly InstructionText[]): PromptSize {
  const { name, systemPrompt } = driverForMode(mode);
  const { text } = instructionsText(files, instructionRoom({ driver: name }, USUAL_WINDOW));
  return sizeOf(name, systemPrompt('', toolNamesOf(tools())).length, text.length);
}

/** The size for this run's requests; `null` before its model is known. */
export const promptSizeOf = ({ settings }: RunState): PromptSize | null =>
  settings === null ? null : sizeOfSettings(settings);

function sizeOfSettings(settings: RunSettings): PromptSize {
  const { systemPrompt, instructions } = settings;
  const projectLength = instructions?.told ?? 0;
  return sizeOf(driverNameOf(settings), systemPrompt.length - projectLength, projectLength);
}

/** @param length of the driver's own text, in characters. @param projectLength of the project's, in characters */
const sizeOf = (driver: DriverName, length: number, projectLength: number): PromptSize => ({
  builtIn: estimateTokens(length + (driverNamed(driver).callsTools ? toolText().length : 0)),
  project: estimateTokens(projectLength),
});

const toolText = (): string => JSON.stringify(toolDefinitions(tools()));

/** Only measured: these tools never run. */
const tools = () => builtinTools(NO_PROGRAMS);
