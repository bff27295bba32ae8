/** Plays what a model answered, in a folder of its own: against a run over the wire, and against the loop. */
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunResult, runGoal } from '../../src/agent.ts';
import { openAiProvider } from '../../src/llm/openai/openai-provider.ts';
import { type ChatRequest, type OpenAiReply, startFakeOpenAi } from './fake-openai.ts';
import { callDeltas, chunk, closing, event, openAiError, opening } from './fake-openai-bodies.ts';
import { plainLoop } from './plain-loop.ts';
import { realMachine } from './real-run.ts';
import {
  type Answer,
  type LedBy,
  readStrong,
  STRONG,
  type StrongGoal,
  type WireRequest,
} from './strong-recordings.ts';

export interface Played {
  /** As they went over the wire, those that nobody had answered included. */
  readonly requests: readonly WireRequest[];
  readonly folder: string;
  readonly ending: RunResult['ending'] | null;
  /** All that the person is told at the end. */
  readonly said: string;
}

/** As the command line takes it by its name, behind any gateway that tells nothing of it. */
const MODEL = { model: 'gpt-5', contextWindow: 131_072, toolMode: 'native' } as const;

/** @param use is done before the folder goes */
export async function replay<Value>(
  goal: StrongGoal,
  ledBy: LedBy,
  use: (played: Played) => Promise<Value>,
): Promise<Value> {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'tardigrade-strong-')));
  try {
    const given = join(STRONG, goal.name);
    if (existsSync(given)) cpSync(given, folder, { recursive: true });
    const answers = readStrong(goal.name, ledBy).turns.map(({ answer }) => answer);
    const play = ledBy === 'free' ? playFree : playLoop;
    const { requests, ...more } = await play(goal.goal, folder, answers);
    return await use({ folder, requests: asRecorded(requests, folder), ...more });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What git says more where the folder lies on a file system of its own. */
const AT_A_MOUNT =
  /\(or any parent up to mount point [^)]*\)\\nStopping at filesystem boundary \([^)]*\)\./g;

/** As where it was recorded: the length of a folder's name, and where it is mounted, cost a run nothing. */
const asRecorded = (requests: readonly WireRequest[], folder: string): readonly WireRequest[] =>
  JSON.parse(
    JSON.stringify(requests)
      .replaceAll(folder, '/workspace')
      .replace(AT_A_MOUNT, '(or any of the parent directories): .git'),
  );

type Play = (
  goal: string,
  folder: string,
  answers: readonly Answer[],
) => Promise<Omit<Played, 'folder'>>;

const playFree: Play = async (goal, workspace, answers) => {
  const requests: ChatRequest[] = [];
  const server = await startFakeOpenAi({
    pages: { '/v1/models': { object: 'list', data: [{ id: MODEL.model, object: 'model' }] } },
    script: (request, n) => {
      requests.push(request);
      const answer = answers[n - 1];
      return answer === undefined ? openAiError(400, NO_ANSWER) : onWire(answer, n);
    },
  });
  const provider = openAiProvider({ baseUrl: server.url });
  try {
    const result = await runGoal({ goal, workspace, provider, machine: realMachine(), ...MODEL });
    const options = (result.state.permissions?.open ?? []).flatMap(({ rules }) => rules);
    const said = [result.answer, result.summary, result.detail, ...options].join('\n');
    return {
      requests: requests as readonly ChatRequest[] as readonly WireRequest[],
      ending: result.ending,
      said,
    };
  } finally {
    await provider.close();
    await server.close();
  }
};

const playLoop: Play = async (goal, workspace, answers) => {
  const requests: WireRequest[] = [];
  const said = await plainLoop(goal, workspace, async (request) => {
    requests.push({ ...request, messages: [...request.messages] });
    const n = requests.length;
    const answer = answers[n - 1];
    if (answer === undefined) throw new Error(NO_ANSWER);
    const calls = answer.calls.map(({ name, args }, place) => ({
      id: `call_${n}_${place}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    return { content: answer.text, tool_calls: calls };
  });
  return { requests, ending: null, said: said ?? '' };
};

const NO_ANSWER = 'More was asked than the model had answered.';

function onWire({ text, calls }: Answer, n: number): OpenAiReply {
  const deltas = calls.flatMap(({ name, args }, index) =>
    callDeltas(index, { id: `call_${n}_${index}`, name, args }),
  );
  return {
    stream: [
      ...[
        opening(),
        ...(text ? [chunk({ content: text })] : []),
        ...deltas.map((delta) => chunk(delta)),
      ].map(event),
      closing(calls.length > 0 ? 'tool_calls' : 'stop'),
    ],
  };
}
