/**
 * Models over the wire that are pure functions of the request, so that they answer the same whoever
 * asks. Told that an outcome is unknown, they look at the witness before they go on.
 */
import type { Reply } from './fake-ollama-replies.ts';
import type { ChatRequest } from './fake-ollama-validation.ts';
import { type PlanText, setPlanArgs } from './models.ts';

export interface Call {
  readonly name: string;
  readonly arguments: { readonly [name: string]: unknown };
}

/** For each subtask, by its id, the calls of each turn. */
export interface NativeWork {
  readonly plan: PlanText;
  readonly turns: { readonly [subtask: string]: readonly (readonly Call[])[] };
}

export interface JsonWork {
  readonly plans: readonly unknown[];
  readonly files: { readonly [file: string]: string };
}

export const UNKNOWN = 'outcome unknown';

const json = (value: unknown): Reply => ({ content: JSON.stringify(value) });

const formatOf = (request: ChatRequest): string => JSON.stringify(request.format ?? null);

export const labelOf = (cmd: string): string => /^node \w+\.mjs (\w+)/.exec(cmd)?.[1] ?? '';

export const lookAt = (label: string): string => `node look.mjs ${label}`;

export function nativeModel(work: NativeWork): (request: ChatRequest) => Reply {
  return (request) => {
    const isPlanned = request.messages.some(({ content }) => content.includes('ACTIVE SUBTASK'));
    if (!isPlanned) return { toolCalls: [{ name: 'set_plan', arguments: setPlanArgs(work.plan) }] };
    const start = request.messages.findLastIndex(({ content }) => content.includes('SUBTASK'));
    const subtask = /ACTIVE SUBTASK ([\d.]+)/.exec(request.messages[start]?.content ?? '')?.[1];
    const done = { success: true, reason: 'it is done' };
    return (
      nextCalls(request.messages.slice(start + 1), work.turns[subtask ?? ''] ?? []) ?? {
        toolCalls: [{ name: 'mark_subtask_complete', arguments: done }],
      }
    );
  };
}

/**
 * What is left of the calls, a turn at a time; `null`: nothing.
 * @param messages since they were begun
 */
export function nextCalls(
  messages: ChatRequest['messages'],
  turns: readonly (readonly Call[])[],
): Reply | null {
  const states = statesOf(messages);
  for (const [key, state] of states) {
    if (state !== 'unknown') continue;
    const { cmd } = JSON.parse(key).arguments;
    return { toolCalls: [{ name: 'run_cmd', arguments: { cmd: lookAt(labelOf(cmd)) } }] };
  }
  for (const turn of turns) {
    const left = turn.filter((call) => states.get(keyOf(call)) !== 'done');
    if (left.length > 0) return { toolCalls: left };
  }
  return null;
}

const keyOf = ({ name, arguments: args }: Call): string =>
  JSON.stringify({ name, arguments: args });

/** What became of every call since the subtask began, by what the model was told. */
function statesOf(messages: ChatRequest['messages']): Map<string, 'done' | 'unknown' | 'open'> {
  const states = new Map<string, 'done' | 'unknown' | 'open'>();
  let waiting: Call[] = [];
  for (const message of messages) {
    if (message.role === 'assistant')
      waiting = (message.tool_calls ?? []).map((call) => call.function as Call);
    const call = message.role === 'tool' ? waiting.shift() : undefined;
    if (!call) continue;
    const seen = /seen (\w+) (\d+)/.exec(message.content);
    if (message.content.includes(UNKNOWN)) states.set(keyOf(call), 'unknown');
    else if (message.content.startsWith('Not run')) states.set(keyOf(call), 'open');
    else if (seen) settle(states, seen[1] ?? '', seen[2] !== '0');
    else states.set(keyOf(call), 'done');
  }
  return states;
}

function settle(states: Map<string, string>, label: string, isDone: boolean): void {
  for (const [key, state] of states) {
    if (state === 'unknown' && labelOf(JSON.parse(key).arguments.cmd) === label)
      states.set(key, isDone ? 'done' : 'open');
  }
}

export function jsonModel(work: JsonWork): (request: ChatRequest) => Reply {
  return (request) => {
    const format = formatOf(request);
    const question = request.messages.at(-1)?.content ?? '';
    if (format.includes('"tasks"'))
      return json(work.plans[question.includes('did not work') ? 1 : 0]);
    if (request.format === undefined) return contentOf(question, work);
    return json(actionFor(request, format));
  };
}

function contentOf(question: string, work: JsonWork): Reply {
  const asked = /(?:content of|Mend) ([\w.]+)/.exec(question)?.[1] ?? '';
  return { content: `\`\`\`js\n${work.files[asked] ?? ''}\`\`\`` };
}

function actionFor(request: ChatRequest, format: string): unknown {
  const complete = (success: boolean) => ({
    action: 'mark_subtask_complete',
    reason: success ? 'it is done' : 'it is not done',
    success,
  });
  const start = request.messages.findLastIndex(({ content }) => content.startsWith('Subtask '));
  const cmd = /run_cmd (node [\w. ]+):/.exec(request.messages[start]?.content ?? '')?.[1] ?? '';
  const state = stateOf(request, start, cmd);
  const mayChoose = format.includes('"run_cmd"');
  const run = (line: string) => ({ action: 'run_cmd', because: 'next', cmd: line, stdin: '' });
  if (state === 'unknown' && mayChoose) return run(lookAt(labelOf(cmd)));
  if (state === 'open' && mayChoose) return run(cmd);
  return complete(state === 'done' && !cmd.endsWith(' fail'));
}

function stateOf(request: ChatRequest, start: number, cmd: string): 'done' | 'unknown' | 'open' {
  let state: 'done' | 'unknown' | 'open' = cmd === '' ? 'done' : 'open';
  for (const { content, role } of request.messages.slice(start + 1)) {
    if (role === 'assistant') continue;
    const seen = new RegExp(`seen ${labelOf(cmd)} (\\d+)`).exec(content);
    if (content.includes(UNKNOWN)) state = 'unknown';
    else if (seen) state = seen[1] === '0' ? 'open' : 'done';
    else if (/^step \w+ (done|failed)/m.test(content)) state = 'done';
  }
  return state;
}
