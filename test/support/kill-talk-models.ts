/** Models that a person talks with, pure functions of the request as those of runs are. */
import { answerText } from '../../src/llm/tool-modes/choice.ts';
import type { Reply } from './fake-ollama-replies.ts';
import type { ChatRequest } from './fake-ollama-validation.ts';
import { type Call, labelOf, lookAt, nextCalls, UNKNOWN } from './kill-models.ts';

/** For each message of the person. */
type Work<Step> = { readonly [said: string]: readonly Step[] };

type Messages = ChatRequest['messages'];

const placeOfLast = (messages: Messages, work: Work<unknown>): number =>
  messages.findLastIndex(({ role, content }) => role === 'user' && content in work);

/** Calls are on the wire, some in each turn. */
export const wireTalkModel =
  (work: Work<readonly Call[]>): ((request: ChatRequest) => Reply) =>
  ({ messages }) => {
    const at = placeOfLast(messages, work);
    const said = messages[at]?.content ?? '';
    return nextCalls(messages.slice(at + 1), work[said] ?? []) ?? { content: `Done: ${said}` };
  };

/** As the model writes it: its keys in this order. */
type Action = { readonly action: string } & { readonly [argument: string]: string };

/** Answers are held to a schema: one action in each turn. @param files content by name */
export const heldTalkModel =
  (work: Work<Action>, files: { readonly [file: string]: string }) =>
  ({ messages, format }: ChatRequest): Reply => {
    const at = placeOfLast(messages, work);
    const said = messages[at]?.content ?? '';
    const since = messages.slice(at + 1);
    if (format === undefined) return contentOf(since, files);
    const states = statesOf(since);
    const unknown = [...states].find(([, state]) => state === 'unknown')?.[0];
    if (unknown !== undefined) {
      const cmd = lookAt(labelOf(JSON.parse(unknown).cmd));
      return { content: JSON.stringify({ action: 'run_cmd', cmd }) };
    }
    const left = (work[said] ?? []).find((one) => states.get(JSON.stringify(one)) !== 'done');
    return { content: left === undefined ? answerText(`Done: ${said}`) : JSON.stringify(left) };
  };

function contentOf(since: Messages, files: { readonly [file: string]: string }): Reply {
  const asked = /whole content that ([\w.]+) is/.exec(since.at(-1)?.content ?? '')?.[1] ?? '';
  return { content: `\`\`\`\n${files[asked] ?? ''}\`\`\`` };
}

/** What became of every action, by what the model was told of the one before. */
function statesOf(since: Messages): Map<string, 'done' | 'unknown' | 'open'> {
  const states = new Map<string, 'done' | 'unknown' | 'open'>();
  let waiting = '';
  for (const { role, content } of since) {
    if (role === 'assistant') waiting = content.startsWith('{"action"') ? content : waiting;
    if (role === 'assistant' || !content.startsWith('Result of ')) continue;
    const seen = /seen (\w+) (\d+)/.exec(content);
    if (content.includes(UNKNOWN)) states.set(waiting, 'unknown');
    else if (content.includes('\nNot run')) states.set(waiting, 'open');
    else if (seen) settle(states, seen[1] ?? '', seen[2] !== '0');
    else states.set(waiting, 'done');
  }
  return states;
}

function settle(states: Map<string, string>, label: string, isDone: boolean): void {
  for (const [key, state] of states)
    if (state === 'unknown' && labelOf(JSON.parse(key).cmd) === label)
      states.set(key, isDone ? 'done' : 'open');
}
