/** A run that reads one long file after the other, with a model behind the wire or without one. */

import type { JsonSchema, ModelRequest } from '../../src/schema/model/turn.ts';
import type { ToolMode } from '../../src/schema/records.ts';
import { wantedBy } from './models.ts';
import type { Script } from './scripted-provider.ts';
import type { TestWorld } from './test-machine.ts';

/** Shares no word with the files: what fills the window is what was read, not what was seen before. */
export const LONG_GOAL = 'Read everything there is and tell the secret of the last one';

export const noteName = (index: number): string => `note-${index}.txt`;

/** A log is shown before a plan only where the goal names it. */
export const logName = (index: number): string => `note-${index}.log`;

/** Words that differ from line to line, so that no tokenizer could make little of them. */
export function writeNotes(
  world: TestWorld,
  count: number,
  chars: number,
  nameOf: NameOf = logName,
): void {
  for (let index = 1; index <= count; index += 1) {
    const lines = Array.from(
      { length: Math.ceil(chars / 40) },
      (_, line) => `line ${line} of note ${index} says word ${line * 7}`,
    );
    world.write(nameOf(index), `${lines.join('\n').slice(0, chars)}\n`);
  }
}

const propertiesOf = (schema: JsonSchema | undefined): Record<string, JsonSchema> =>
  (((schema?.anyOf as JsonSchema[] | undefined)?.at(-1) ?? schema)?.properties ?? {}) as Record<
    string,
    JsonSchema
  >;

const PER_TASK = 8;

type NameOf = (index: number) => string;

const notesFrom = (first: number, last: number, nameOf: NameOf): string =>
  Array.from({ length: last - first + 1 }, (_, index) => nameOf(first + index)).join(' and ');

/** A model that leads has no more subtasks: then one of them reads two. */
const MAX_SUBTASKS = 28;

function planFor(count: number, leads: boolean, nameOf: NameOf) {
  const each = leads && count > MAX_SUBTASKS ? 2 : 1;
  const subtasks = Array.from({ length: Math.ceil(count / each) }, (_, index) => ({
    action: 'read_file',
    file: notesFrom(index * each + 1, Math.min(count, (index + 1) * each), nameOf),
    purpose: 'learn it',
  }));
  const tasks = Array.from({ length: Math.ceil(subtasks.length / PER_TASK) }, (_, index) => ({
    description: `read part ${index + 1}`,
    subtasks: subtasks.slice(index * PER_TASK, (index + 1) * PER_TASK),
  }));
  return { tasks, verify: { cmd: '', prints: '', stdin: '' } };
}

/** Plans to read `count` notes, reads each and says it is done. Depends on the request alone. */
export const reader =
  (count: number, nameOf: NameOf = noteName): Script =>
  (request) => {
    switch (wantedBy(request)) {
      case 'plan':
        return JSON.stringify(planFor(count, request.tools !== undefined, nameOf));
      case 'tools':
        return { calls: [nextCall(request)] };
      default:
        return JSON.stringify({
          action: 'mark_subtask_complete',
          ...(propertiesOf(request.responseSchema).answer ? { answer: 'what line 0 says' } : {}),
          reason: 'it is read',
          success: true,
        });
    }
  };

export const logReader = (count: number): Script => reader(count, logName);

const DONE = {
  name: 'mark_subtask_complete',
  args: { success: true, reason: 'it is read', answer: 'what line 0 says' },
};

/** Reads the active subtask's file, unless the conversation says that it was read. */
function nextCall({ messages }: ModelRequest) {
  const text = messages.map((one) => one.content);
  const start = text.findLastIndex((one) => one.includes('ACTIVE SUBTASK'));
  const header = text[start]?.split('ACTIVE SUBTASK')[1]?.split('\n')[0] ?? '';
  const files = header.match(/note-\d+\.(?:txt|log)/g) ?? [];
  const since = messages.slice(start + 1).filter((one) => one.role === 'tool').length;
  const left = files.filter((file) => !text[start]?.includes(`- read_file ${file} (ok)`));
  const file = left[since];
  return file === undefined ? DONE : { name: 'read_file', args: { path: file } };
}

export const BOTH_MODES: readonly ToolMode[] = ['native', 'json'];
