/** How a run's requests begin: the driver's text, then the project's instructions. */
import { driverOf } from '../../drivers/driver-of.ts';
import { type InstructionText, instructionsText } from '../../prompts/instructions.ts';
import type { DriverSettings } from '../../schema/driver.ts';
import type { Instructions } from '../../schema/model/instructions.ts';
import type { RunSettings } from '../../schema/state.ts';
import type { RunPorts } from '../run-ports.ts';

export type PromptWords = Pick<RunPorts, 'notes' | 'names'>;
type TextPort = { readonly context: Pick<RunPorts['context'], 'textOf'> };

/** The share of the window for instruction files. */
const SHARE = 0.25;
/**
 * A low estimate: code and English have more characters per token, and a share slightly below the stated one
 * does no harm.
 */
const CHARS_PER_TOKEN = 3.2;

/** The characters that instruction files may take. */
export function instructionRoom(settings: DriverSettings, numCtx: number) {
  const { mostInstructions } = driverOf(settings);
  const share = Math.floor(numCtx * SHARE);
  const tokens = mostInstructions === null ? share : Math.min(share, mostInstructions);
  return {
    chars: Math.floor(tokens * CHARS_PER_TOKEN),
    headingsFirst: mostInstructions !== null,
  };
}

type Prompt = Pick<RunSettings, 'systemPrompt' | 'instructions'>;

/** The system prompt for new settings, or when another driver takes over. */
export function systemPromptOf(
  { notes, names }: PromptWords,
  settings: DriverSettings & Pick<RunSettings, 'numCtx'>,
  files: readonly InstructionText[],
): Prompt {
  return together(driverOf(settings).systemPrompt(notes, names), settings, files);
}

/** The same from the journalled files. */
export const systemPromptAgain = (
  run: PromptWords & TextPort,
  settings: DriverSettings & Pick<RunSettings, 'numCtx' | 'instructions'>,
): Prompt => systemPromptOf(run, settings, filesOf(run, settings.instructions));

/** Everything that a new driver, or the same driver starting again, tells its model first. */
export const systemPromptAnew = (
  run: PromptWords & TextPort & Pick<RunPorts, 'tools'>,
  settings: DriverSettings & Pick<RunSettings, 'numCtx' | 'instructions'>,
): Prompt & { readonly tools: string } => ({
  ...systemPromptAgain(run, settings),
  tools: JSON.stringify(driverOf(settings).definitions(run.tools, settings.numCtx)),
});

/** After the window became smaller: keeps the driver's text and fits the instructions again. */
export function withinWindow(
  run: TextPort,
  settings: Prompt & DriverSettings & Pick<RunSettings, 'numCtx'>,
): Prompt {
  const { instructions, systemPrompt } = settings;
  const { chars } = instructionRoom(settings, settings.numCtx);
  if (instructions === undefined || instructions.told <= chars) return { systemPrompt };
  const whole = run.context.textOf(systemPrompt);
  const words = whole.slice(0, whole.length - instructions.told).trimEnd();
  return together(words, settings, filesOf(run, instructions));
}

function together(
  words: string,
  settings: DriverSettings & Pick<RunSettings, 'numCtx'>,
  files: readonly InstructionText[],
): Prompt {
  if (files.length === 0) return { systemPrompt: words };
  const { text } = instructionsText(files, instructionRoom(settings, settings.numCtx));
  return {
    systemPrompt: text === '' ? words : `${words}\n\n${text}`,
    instructions: { files: [...files], told: text.length },
  };
}

const filesOf = (
  { context }: TextPort,
  instructions: Instructions | undefined,
): readonly InstructionText[] =>
  (instructions?.files ?? []).map((file) => ({ ...file, text: context.textOf(file.text) }));
