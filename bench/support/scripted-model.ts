import type { Provider } from '../../src/llm/provider.ts';
import { type ModelEvent, type ModelRequest, NO_USAGE } from '../../src/schema/model/turn.ts';

export const MODEL = 'scripted:1b';

/** What every wire has in common, as far as the scripted model looks. */
export interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly hasTools: boolean;
  readonly schema: unknown;
}

export interface Answer {
  readonly text: string;
  readonly call?: { readonly name: string; readonly args: Record<string, unknown> };
}

const FILE_TEXT = 'A line of plain text that says something about nothing in particular.\n'.repeat(
  8,
);

export const fileOf = (index: number): string => `notes/page-${index}.txt`;

const PER_TASK = 8;

/** The same as a call, for a model that leads: a subtask is said in words. */
function planCall(files: number): Answer {
  const { tasks } = JSON.parse(planOf(files)) as Planned;
  const args = {
    tasks: tasks.map(({ description, subtasks }) => ({
      description,
      subtasks: subtasks.map(({ file, purpose }) => ({ do: purpose, files: [file] })),
    })),
  };
  return { text: '', call: { name: 'set_plan', args } };
}

interface Planned {
  readonly tasks: readonly {
    readonly description: string;
    readonly subtasks: readonly { readonly file: string; readonly purpose: string }[];
  }[];
}

function planOf(files: number): string {
  const subtasks = Array.from({ length: files }, (_, index) => ({
    action: 'write_file',
    file: fileOf(index + 1),
    purpose: `a page of notes, number ${index + 1}`,
  }));
  const tasks = Array.from({ length: Math.ceil(files / PER_TASK) }, (_, index) => ({
    description: `Write part ${index + 1} of the notes`,
    subtasks: subtasks.slice(index * PER_TASK, (index + 1) * PER_TASK),
  }));
  return JSON.stringify({ tasks, verify: { cmd: '', prints: '', stdin: '' } });
}

/**
 * A model that plans `files` text files, writes one after the other and says each is done, in
 * either tool mode. Its answers depend on the conversation alone.
 */
export function scriptedAnswer({ messages, hasTools, schema }: Asked, files: number): Answer {
  const last = messages.at(-1);
  if (hasTools) {
    if (!messages.some(isBorder)) return planCall(files);
    if (last?.role === 'tool' && !isBorder(last)) return done();
    const args = { path: fileOf(activePage(messages)), content: FILE_TEXT };
    return { text: '', call: { name: 'write_file', args } };
  }
  if (schema === undefined || schema === null) return { text: `\`\`\`\n${FILE_TEXT}\`\`\`` };
  const isPlan = JSON.stringify(schema).includes('"subtasks"');
  return { text: isPlan ? planOf(files) : JSON.stringify(COMPLETION) };
}

const COMPLETION = {
  action: 'mark_subtask_complete',
  answer: '',
  reason: 'the page is written',
  success: true,
};

/** What names the active subtask: the plan that was set, and the end of the subtask before. */
const isBorder = ({ role, content }: Asked['messages'][number]): boolean =>
  role !== 'assistant' && content.includes('ACTIVE SUBTASK ');

/** The newest line that names the active subtask says which page it is about. */
function activePage(messages: Asked['messages']): number {
  const lines = messages.flatMap(({ content }) => content.split('\n'));
  const active = lines.findLast((line) => line.startsWith('ACTIVE SUBTASK'));
  return Number(/number (\d+)/.exec(active ?? '')?.[1] ?? 1);
}

const done = (): Answer => ({
  text: '',
  call: { name: 'mark_subtask_complete', args: { success: true, reason: 'the page is written' } },
});

export interface ScriptedModel {
  readonly provider: Provider;
  readonly requests: readonly ModelRequest[];
}

/** The same model without a wire: it answers at once. */
export function scriptedModel(files: number, contextWindow: number): ScriptedModel {
  const requests: ModelRequest[] = [];
  async function* stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    requests.push(request);
    const answer = scriptedAnswer(
      { ...request, hasTools: request.tools !== undefined, schema: request.responseSchema },
      files,
    );
    if (answer.text !== '') yield { type: 'text', text: answer.text };
    if (answer.call) {
      yield { type: 'tool_call', call: { id: `call_${requests.length}`, ...answer.call } };
    }
    const reason = answer.call ? 'tool_calls' : 'stop';
    yield { type: 'finished', reason, rawReason: reason, usage: NO_USAGE };
  }
  const capabilities = { tools: true, schema: true, thinking: false };
  const info = { model: MODEL, digest: null, contextWindow, capabilities };
  return {
    requests,
    provider: {
      name: 'scripted',
      stream,
      describe: async () => info,
      list: async () => [MODEL],
      close: async () => {},
    },
  };
}
