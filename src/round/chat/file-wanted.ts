/** Asks for the content of a file separately from the call that named the file. */

import { contentQuestion, tooLongAnew } from '../../drivers/chat/prompt.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import { isInView } from '../../steps/shown.ts';
import { toolNamesOf } from '../../tools/toolset.ts';
import type { ConversationPorts } from './conversation.ts';

/** The share of the window that a rewritten file may take, because the answer contains it once more. */
const SHARE = 0.25;
/** Models do not return longer content completely in one answer. */
const MAX_TOKENS = 3_072;
const CHARS_PER_TOKEN = 3;

/** Why the whole file is not asked for; `null`: it may be. */
export function whyNotAnew(
  path: string,
  { context, world, tools }: ConversationPorts,
): string | null {
  const window = context.state.settings?.numCtx ?? 0;
  const room = Math.floor(Math.min(window * SHARE, MAX_TOKENS)) * CHARS_PER_TOKEN;
  const length = world.readText(path)?.length ?? world.size(path) ?? 0;
  return length <= room ? null : tooLongAnew(path, toolNamesOf(tools).edits_files);
}

/**
 * True for an edit of a short file whose old text is empty or not in the file. The whole content is then asked
 * for, with the file in view.
 */
export function isGuessed({ args }: ToolCall, live: ConversationPorts): boolean {
  const { path, old_text: before, new_text: after } = args;
  if (typeof path !== 'string' || typeof before !== 'string' || typeof after !== 'string')
    return false;
  const text = live.policy.mayShow(path) ? live.world.readText(path) : null;
  if (text === null || text.trim() === '' || whyNotAnew(path, live) !== null) return false;
  const plain = text.replaceAll('\r\n', '\n');
  const isThere = (words: string): boolean =>
    words.trim() !== '' && plain.includes(words.replaceAll('\r\n', '\n').trim());
  return !isThere(before) && !isThere(after);
}

/** Shows the current file if the conversation does not contain it: a model must not replace what it has not seen. */
export function askForContent(live: ConversationPorts, path: string): void {
  const { context, world, policy } = live;
  const text = policy.mayShow(path) ? world.readText(path) : null;
  const isShown = text !== null && text.trim() !== '' && !isSeen(live, path, text);
  const now = isShown ? text : null;
  context.record({
    type: 'message_added',
    role: 'user',
    cause: 'content_question',
    asksFor: path,
    text: contentQuestion(path, now),
    ...(now === null ? {} : { shows: [{ path, hash: sha256(Buffer.from(now)) }] }),
  });
}

function isSeen({ context: { state } }: ConversationPorts, path: string, text: string): boolean {
  const isKnown = state.files[path]?.hash === sha256(Buffer.from(text));
  return isKnown && isInView(state, path);
}
