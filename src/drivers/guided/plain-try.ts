/**
 * The plain try: one question with the goal and all small files of the folder, in a conversation of its own. The answer
 * is all files, each in a fenced block after its name, or a sentence.
 */
import { normalPath } from '../../decompose/planned-work.ts';
import { TRY_EXAMPLES } from '../../languages/try-examples.ts';
import { readNamedBlocks } from '../../llm/tool-modes/code-block.ts';
import { parseObject } from '../../llm/tool-modes/json.ts';
import { filesNamed } from '../../probe/files-that-matter.ts';
import { goalToTell } from '../../prompts/goal.ts';
import type { Message, ToolCall } from '../../schema/model/messages.ts';
import type { ModelQuestion } from '../../schema/model/question.ts';
import type { Decoded } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import { settingsOf } from '../../steps/select.ts';
import type { Step } from '../../steps/step.ts';
import type { DriverView, DriverWords, FinishedReply, ReadingView } from '../driver.ts';
import { excerptOf, type FileExcerpts, withheldBecause } from './file-excerpts.ts';
import { SYSTEM_PROMPT } from './words.ts';

const ORDER =
  'You carry out goals in a folder. Answer with every file that is new or changes, whole, each in a fenced block behind a line with its name. Answer a question with one sentence.';

/** A third of the window, at three characters per token. */
const chars = (numCtx: number): number => numCtx;
const MAX_FILES = 200;
/** Characters: a larger file is left out. */
const LARGEST_FILE = 12_000;

/** Before any plan; `null` if a plan is next. */
export function tryStep({ guided, plan, replan, conversation }: RunState): Step | null {
  if (guided.plainTry?.is !== 'due' || plan !== null || replan !== null) return null;
  return conversation.at(-1)?.cause === 'try_question'
    ? { do: 'ask', question: { kind: 'try' }, cause: null, tries: guided.plainTry.failed ?? 0 }
    : { do: 'begin_try' };
}

/** The driver's own words are dropped; notes and the project's instructions stay. */
export function opening({ kind }: ModelQuestion, system: string): readonly Message[] {
  if (kind !== 'try') return [{ role: 'system', content: system }];
  const examples = TRY_EXAMPLES.flatMap(({ asked, answer }): Message[] => [
    { role: 'user', content: asked },
    { role: 'assistant', content: answer },
  ]);
  return [{ role: 'system', content: system.replace(SYSTEM_PROMPT, ORDER) }, ...examples];
}

const EXAMPLES_LENGTH = TRY_EXAMPLES.reduce(
  (sum, { asked, answer }) => sum + asked.length + answer.length,
  ORDER.length,
);

/** Returns `null` if the small texts do not fit, or if the goal names a file that is not a small text. */
export function plainTry(view: DriverView): DriverWords | null {
  const { settings } = view.state;
  const { numCtx } = settingsOf(view.state);
  const files = filesToShow(view);
  if (files === null) return null;
  const shown = files.map(({ path, text }) => `\n\n${path}\n\`\`\`\n${text}\n\`\`\``);
  const text = `Goal: ${goalToTell(view.state)}${shown.join('')}`;
  const length = text.length + EXAMPLES_LENGTH + (settings?.instructions?.told ?? 0);
  if (length > chars(numCtx)) return null;
  return { text, shows: files.flatMap(({ records }) => records) };
}

function filesToShow({ state: { goal }, world }: DriverView): readonly FileExcerpts[] | null {
  const listed = world.files(MAX_FILES);
  if (listed.length >= MAX_FILES) return null;
  // A log is not listed, but shown if the goal names it.
  const named = filesNamed(goal, { ...world, files: listed });
  const shown: FileExcerpts[] = [];
  for (const path of [...new Set([...listed, ...named])].sort()) {
    const file = smallText(path, world);
    if (file !== null) shown.push(file);
    else if (named.includes(path) && world.size(path) !== 0) return null;
  }
  return shown;
}

/** `null` for a file that is large, not text, or not to be shown. */
function smallText(path: string, world: DriverView['world']): FileExcerpts | null {
  if ((world.size(path) ?? 0) > LARGEST_FILE) return null;
  const text = world.readText(path);
  if (text === null || text.trim() === '' || withheldBecause(path, text, world) !== null)
    return null;
  const shown = excerptOf({ path, text }, LARGEST_FILE, { words: '', lines: [] });
  return { ...shown, text: text.replaceAll('\r\n', '\n').trimEnd() };
}

/** The answer is used whole or not at all. */
export function readTry({ message, isCut }: FinishedReply, view: ReadingView): Decoded {
  const isName = (line: string): boolean => isFileName(line, view);
  const { blocks, isInBlock, hasFence } = readNamedBlocks(message.content, isName);
  if (isCut || isInBlock) return invalid('it was cut off');
  const contents = new Map(blocks.map(({ name, code }) => [normalPath(name), code]));
  const changed = [...contents].filter(([path, code]) => isOther(path, code, view));
  const calls = changed.map(
    ([path, content], index): ToolCall => ({
      id: `${view.onWire.callId}_${index}`,
      name: view.names.writes_whole_files,
      args: { path, content },
    }),
  );
  if (calls.length > 0) return { kind: 'calls', calls, recovered: false };
  if (contents.size > 0) return invalid('every file came back as it was');
  const isSentence = message.content.trim() !== '' && parseObject(message.content) === null;
  return isSentence && !hasFence
    ? { kind: 'text' }
    : invalid('it holds neither a file with its name nor a sentence');
}

const invalid = (error: string): Decoded => ({ kind: 'invalid', error });

/** The name must stay inside the workspace; the tool decides what else it may mean. */
function isFileName(line: string, { world }: ReadingView): boolean {
  const path = normalPath(line);
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..')) return false;
  return /^\S+\.\w+$/.test(path) || world.readText(path) !== null;
}

/** A final line end does not count as content. */
const isOther = (path: string, code: string, { world }: ReadingView): boolean =>
  world.readText(path)?.replaceAll('\r\n', '\n').trimEnd() !== code.trimEnd();
