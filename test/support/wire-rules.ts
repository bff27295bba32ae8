/**
 * The rules of each API for the calls of a model and their results, as its documentation and its
 * refusals state them: what a server would refuse, or `null`.
 */
import { refusalOf } from './fake-anthropic-validation.ts';

interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: unknown;
  readonly tool_name?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
}

/** Source: the 400s of the chat completions API. One tool message an id, at once, and none besides. */
export function openAiFault(messages: readonly unknown[]): string | null {
  return callFault(messages as readonly WireMessage[]);
}

/** Templates of Ollama name a result by its tool or by its call: both must be there. */
export function ollamaFault(messages: readonly unknown[]): string | null {
  const all = messages as readonly WireMessage[];
  const nameless = all.findIndex(({ role, tool_name }) => role === 'tool' && !tool_name);
  return nameless >= 0 ? `messages.${nameless}: a result without its tool` : callFault(all);
}

function callFault(messages: readonly WireMessage[]): string | null {
  const taken = new Set<string>();
  let open: string[] = [];
  for (const [index, { role, content, tool_call_id, tool_calls = [] }] of messages.entries()) {
    if (typeof content !== 'string') return `messages.${index}: content must be a string`;
    if (role === 'tool') {
      if (!open.includes(String(tool_call_id)))
        return `messages.${index}: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.`;
      open = open.filter((id) => id !== tool_call_id);
      continue;
    }
    if (open.length > 0) return unanswered(open);
    for (const { id } of tool_calls) {
      if (taken.has(id)) return `messages.${index}: the id ${id} stands for two calls`;
      taken.add(id);
    }
    open = tool_calls.map(({ id }) => id);
  }
  return open.length > 0 ? unanswered(open) : null;
}

const unanswered = (ids: readonly string[]): string =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`;

/** @param body as it is sent, signed thinking aside */
export const anthropicFault = (body: unknown): string | null =>
  refusalOf(body as Parameters<typeof refusalOf>[0], { 'anthropic-version': '2026-10-21' });

/** Where calls and results are words, the words still come in pairs. */
export function wordsFault(
  messages: readonly { readonly role: string; readonly content: string }[],
): string | null {
  const other = messages.findIndex(({ role }) => !['system', 'user', 'assistant'].includes(role));
  return other < 0 ? null : `messages.${other}: a chat template knows no such role`;
}

interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}
interface PromptPart {
  readonly type: string;
  readonly toolCallId?: string;
}

/** The AI SDK: the message of the tools behind a reply holds one result for each of its calls. */
export function promptFault(prompt: readonly PromptMessage[]): string | null {
  const idsOf = (message: PromptMessage | undefined, type: string) =>
    Array.isArray(message?.content)
      ? (message.content as PromptPart[]).flatMap((part) =>
          part.type === type ? [part.toolCallId] : [],
        )
      : [];
  for (const [index, message] of prompt.entries()) {
    const calls = idsOf(message, 'tool-call');
    const results = idsOf(prompt[index + 1], 'tool-result');
    if (calls.sort().toString() !== results.sort().toString())
      return `prompt.${index}: calls ${calls} are answered by ${results}`;
  }
  return null;
}
