/** Four subtasks that need no other, and a model that answers by the subtask alone. */
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { JournalRecord, RecordOf } from '../../src/schema/records.ts';
import { type RunIn, runIn } from './run-in.ts';
import { LARGE, type Script, type ScriptedCall, scriptedProvider } from './scripted-provider.ts';
import type { TestWorld } from './test-machine.ts';

export const NAMES = ['a', 'b', 'c', 'd'];

export const IDS = NAMES.map((_, at) => `1.${at + 1}`);

const PLAN = {
  tasks: [
    {
      description: 'four files',
      subtasks: NAMES.map((name) => ({
        ...{ do: `write ${name}.mjs`, files: [`${name}.mjs`], independent: true },
      })),
    },
  ],
  proof: { cmd: 'node a.mjs', prints: 'a' },
};

export const GOAL = 'Write four files: node a.mjs prints "a"';

export const textOf = ({ content }: ModelRequest['messages'][number]): string =>
  typeof content === 'string' ? content : '';

/** The subtask that the request is about: the one that was named last. */
export const activeIn = ({ messages }: ModelRequest): string =>
  [
    ...messages
      .map(textOf)
      .join('\n')
      .matchAll(/ACTIVE SUBTASK (\d+\.\d+)/g),
  ].at(-1)?.[1] ?? '';

/** Calls that were answered since the subtask was named. */
function doneIn({ messages }: ModelRequest, id: string): number {
  const at = messages.findLastIndex((one) => textOf(one).includes(`ACTIVE SUBTASK ${id}`));
  return messages.slice(at + 1).filter(({ role }) => role === 'tool').length;
}

export const contentOf = (name: string): string => `console.log("${name}");\n`;

export const ALL = NAMES.map(contentOf);

/** @param before calls of a subtask before its file, each in a turn of its own */
export const bySubtask =
  (before: { readonly [id: string]: readonly ScriptedCall[] } = {}): Script =>
  (request) => {
    const id = activeIn(request);
    if (id === '') return { calls: [{ name: 'set_plan', args: PLAN }] };
    const name = NAMES[Number(id.split('.')[1]) - 1] ?? '';
    const write = { name: 'write_file', args: { path: `${name}.mjs`, content: contentOf(name) } };
    const end = { success: true, reason: `${name} is written` };
    const calls = [...(before[id] ?? []), write, { name: 'mark_subtask_complete', args: end }];
    const next = calls[Math.min(doneIn(request, id), calls.length - 1)];
    return { calls: next === undefined ? [] : [next] };
  };

export const runChildren = (world: TestWorld, options: RunIn = {}, script = bySubtask()) =>
  runIn(world, scriptedProvider(script, LARGE), { goal: GOAL, ...options });

export const recordsOf = <Type extends JournalRecord['type']>(
  records: readonly JournalRecord[],
  type: Type,
) => records.filter((one): one is RecordOf<Type> => one.type === type);

export const filesOf = (world: TestWorld) => NAMES.map((name) => world.read(`${name}.mjs`));

/** All that was asked, whoever asked it, each once. */
export const asked = (provider: { readonly requests: readonly ModelRequest[] }) =>
  [...new Set(provider.requests.map((request) => JSON.stringify(request)))].sort();

interface WireMessage {
  readonly role: string;
  readonly content: string;
}

/** The same over a wire, with texts in the place of programs: two files, which nothing proves. */
export function sideBySideOnWire({ messages }: { readonly messages: readonly WireMessage[] }) {
  const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: { ...args } }] });
  const files = ['a.txt', 'b.txt'];
  const subtasks = files.map((file) => ({
    ...{ do: `write ${file}`, files: [file], independent: true },
  }));
  const id = [
    ...messages
      .map(({ content }) => content)
      .join('\n')
      .matchAll(/ACTIVE SUBTASK 1\.(\d)/g),
  ].at(-1)?.[1];
  if (id === undefined) return call('set_plan', { tasks: [{ description: 'both', subtasks }] });
  const at = messages.findLastIndex(({ content }) => content.includes(`ACTIVE SUBTASK 1.${id}`));
  const isWritten = messages.slice(at + 1).some(({ role }) => role === 'tool');
  const path = files[Number(id) - 1] ?? '';
  return isWritten
    ? call('mark_subtask_complete', { success: true, reason: `${path} is written` })
    : call('write_file', { path, content: `this is ${path}\n` });
}
