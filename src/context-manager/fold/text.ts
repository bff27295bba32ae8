import type { AssistantReply } from '../../schema/messages.ts';
import { StoredText } from '../../schema/text.ts';

/** Characters of a stored text, spilled or not. */
export const lengthOf = (text: StoredText): number => text.length;

/** Characters of a reply as it stands in the next prompt: its words and its calls. */
export const lengthOfReply = ({ content, toolCalls = [] }: AssistantReply): number =>
  toolCalls.reduce(
    (sum, call) => sum + CALL_FRAME + call.name.length + lengthOfArguments(call.args),
    lengthOf(content),
  );

/** What a chat template puts around a call, in characters. */
const CALL_FRAME = 40;

const lengthOfArguments = (args: { readonly [name: string]: unknown }): number =>
  Object.entries(args).reduce((sum, [name, value]) => {
    const text = StoredText.safeParse(value);
    return (
      sum +
      name.length +
      (text.success ? lengthOf(text.data) : JSON.stringify(value ?? null).length)
    );
  }, 0);

/** The first `count` characters, on one line; a spilled text keeps enough of its start for that. */
export const headOf = (text: StoredText, count = 120): string =>
  (typeof text === 'string' ? text : text.head).slice(0, count).replace(/\s+/g, ' ').trim();

/** A string argument of a call, spilled or not. */
export const argumentText = (args: { readonly [name: string]: unknown }, name: string): string => {
  const value = args[name];
  return typeof value === 'string' ? value : '';
};

/** The same as it is stored; `null` where there is none. */
export function storedArgument(
  args: { readonly [name: string]: unknown },
  name: string,
): StoredText | null {
  const parsed = StoredText.safeParse(args[name]);
  return parsed.success && parsed.data !== '' ? parsed.data : null;
}

/** The arguments of a call on one line, cut short; of a spilled one as much as its head holds. */
export function headOfArguments(args: { readonly [name: string]: unknown }, count = 120): string {
  const shown = Object.entries(args).map(([name, value]) => {
    const text = StoredText.safeParse(value);
    return [name, text.success ? headOf(text.data, count) : value];
  });
  return JSON.stringify(Object.fromEntries(shown)).slice(0, count);
}
