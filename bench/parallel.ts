import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runGoal } from '../src/agent.ts';
import type { Provider } from '../src/llm/provider.ts';
import { type ModelRequest, NO_USAGE } from '../src/schema/model/turn.ts';
import type { Figure, Measurement } from './measurement.ts';
import { rounded } from './support/statistics.ts';

const FILES = 8;
const AT_ONCE = 4;
/** So long does the model take for each turn. */
const TURN_MS = 1000;
const BOUND = 0.35;

const nameOf = (subtask: number): string => `file-${subtask}.txt`;

const numbers = Array.from({ length: FILES }, (_, at) => at + 1);

const write = (one: number) => ({
  name: 'write_file',
  args: { path: nameOf(one), content: `This is file ${one}.\n` },
});

const end = (one: number) => ({
  name: 'mark_subtask_complete',
  args: { success: true, reason: `${nameOf(one)} is written` },
});

const plan = {
  name: 'set_plan',
  args: {
    tasks: [
      {
        description: 'the files',
        subtasks: numbers.map((one) => ({
          ...{ do: `write ${nameOf(one)}`, files: [nameOf(one)], independent: true },
        })),
      },
    ],
  },
};

interface Call {
  readonly name: string;
  readonly args: object;
}

/** Each subtask takes two turns: its file, and its end. */
function bySubtask({ messages }: ModelRequest): readonly Call[] {
  const texts = messages.map(({ content }) => (typeof content === 'string' ? content : ''));
  const [, active] = [...texts.join('\n').matchAll(/ACTIVE SUBTASK 1\.(\d+)/g)].at(-1) ?? [];
  if (active === undefined) return [plan];
  const at = texts.findLastIndex((text) => text.includes(`ACTIVE SUBTASK 1.${active}`));
  const isWritten = messages.slice(at + 1).some(({ role }) => role === 'tool');
  return [isWritten ? end(Number(active)) : write(Number(active))];
}

/** A strong model that has it all in mind: the plan, and then all of the work in one reply. */
function allAtOnce(request: ModelRequest): readonly Call[] {
  const isPlanned = request.messages.some(({ role }) => role === 'tool');
  return isPlanned ? numbers.flatMap((one) => [write(one), end(one)]) : [plan];
}

function waitingProvider(answer: (request: ModelRequest) => readonly Call[]): Provider {
  return {
    name: 'waiting',
    async *stream(request) {
      await new Promise((done) => setTimeout(done, TURN_MS));
      const calls = answer(request);
      for (const [index, call] of calls.entries()) {
        const id = `c${request.messages.length}_${index}`;
        yield { type: 'tool_call', call: { id, name: call.name, args: { ...call.args } } };
      }
      yield { type: 'finished', reason: 'tool_calls', rawReason: 'tool_calls', usage: NO_USAGE };
    },
    describe: async (model) => ({
      ...{ model, digest: null, contextWindow: 32_768, parameters: 32e9 },
      capabilities: { tools: true, schema: true, thinking: false },
    }),
    list: async () => ['waiting'],
    close: async () => {},
  };
}

async function timed(
  workspace: string,
  provider: Provider,
  parallel: number | null,
): Promise<number> {
  const began = performance.now();
  await runGoal({
    ...{ goal: 'Write eight files', workspace, provider, model: 'waiting' },
    ...(parallel === null ? {} : { parallel }),
  });
  const ms = performance.now() - began;
  const missing = numbers.filter((one) => !existsSync(join(workspace, nameOf(one))));
  if (missing.length > 0) throw new Error(`${missing.length} of ${FILES} files are missing`);
  return ms;
}

/** Eight files of two turns each: one after the other, four at once, and all in one reply. */
export const parallel: Measurement = {
  name: 'parallel',
  measure: async (lab) => {
    const alone = await timed(lab.folder(), waitingProvider(bySubtask), null);
    const together = await timed(lab.folder(), waitingProvider(bySubtask), AT_ONCE);
    const plain = await timed(lab.folder(), waitingProvider(allAtOnce), null);
    const figure = (name: string, ms: number, bound: number | null): Figure => ({
      ...{ name, bound, value: rounded(ms / alone), unit: '×', better: 'lower' },
      detail: `${rounded(ms, 0)} ms / ${rounded(alone, 0)} ms one after the other, ${TURN_MS} ms a turn`,
    });
    return [
      figure(`${FILES} subtasks, ${AT_ONCE} at once`, together, BOUND),
      figure('the same in one reply of one conversation', plain, null),
    ];
  },
};
