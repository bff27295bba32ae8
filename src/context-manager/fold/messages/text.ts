import { partsText } from '../../../prompts/message-parts.ts';
import type { MessagePart } from '../../../schema/model/message-parts.ts';
import type { AssistantReply } from '../../../schema/model/messages.ts';
import { StoredText } from '../../../schema/text.ts';

/** About 1,500 tokens, which models count for an image of usual size. */
const LENGTH_OF_IMAGE = 4_800;

export const lengthOf = (text: StoredText, parts: readonly MessagePart[] = []): number =>
  text.length + partsText(parts).length;

/** The length of a text whose parts may be sent as images. */
export const lengthWithImages = (text: StoredText, parts: readonly MessagePart[] = []): number =>
  text.length + parts.length * LENGTH_OF_IMAGE;

/** Characters of a reply in the next prompt: its text and its calls. */
export const lengthOfReply = ({ content, toolCalls = [] }: AssistantReply): number =>
  toolCalls.reduce(
    (sum, call) => sum + CALL_FRAME + call.name.length + lengthOfArguments(call.args),
    lengthOf(content),
  );

/** Characters that a chat template puts around a call. */
const CALL_FRAME = 40;

const lengthOfArguments = (args: { readonly [name: string]: unknown }): number =>
  Object.entries(args).reduce((sum, [name, value]) => {
    const text = storedText(value);
    const length = text === null ? JSON.stringify(value ?? null).length : lengthOf(text);
    return sum + name.length + length;
  }, 0);

/** `null` for anything that is not a text. The common case, a plain string, needs no further check. */
export function storedText(value: unknown): StoredText | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || !('blob' in value)) return null;
  return StoredText.safeParse(value).data ?? null;
}

/** Characters of a head. */
const HEAD = 120;

/** The first `count` characters on one line; a spilled text keeps enough of its start. */
export function textHead(text: StoredText, count = HEAD): string {
  const head = (typeof text === 'string' ? text : text.head).slice(0, count).trim();
  return SPACED_OUT.test(head) ? head.replace(/\s+/g, ' ') : head;
}

/** White space other than single spaces. */
const SPACED_OUT = /[^\S ]|\s\s/;

export const argumentText = (args: { readonly [name: string]: unknown }, name: string): string => {
  const value = args[name];
  return typeof value === 'string' ? value : '';
};

/** The arguments of a call on one line, shortened; for a spilled text, as much as its head contains. */
export function headOfArguments(args: { readonly [name: string]: unknown }): string {
  const shown = Object.entries(args).map(([name, value]) => {
    const text = storedText(value);
    return [name, text === null ? value : textHead(text)];
  });
  return JSON.stringify(Object.fromEntries(shown)).slice(0, HEAD);
}
