/**
 * What becomes of an answer, on the way that each takes: read from the wire, decoded in its mode, put
 * right, judged by the policy, carried out. Says it in a few words that a table can hold.
 */

import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../../../src/lib/clock.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import { readChunks } from '../../../src/llm/openai/read-chunks.ts';
import { wireNames } from '../../../src/llm/openai/wire-names.ts';
import type { Provider } from '../../../src/llm/provider.ts';
import { jsonMode } from '../../../src/llm/tool-modes/json.ts';
import { nativeMode } from '../../../src/llm/tool-modes/native.ts';
import { takeTurn } from '../../../src/llm/turn/take-turn.ts';
import type { Processes } from '../../../src/processes/contract.ts';
import type { ToolCall } from '../../../src/schema/model/messages.ts';
import type { ModelQuestion } from '../../../src/schema/model/question.ts';
import type { ModelRequest } from '../../../src/schema/model/turn.ts';
import type { Decoded } from '../../../src/schema/records.ts';
import { normalisedCall } from '../../../src/tools/calls/normalise-call.ts';
import { judgeCall } from '../../../src/tools/calls/validate-call.ts';
import { executeCall } from '../../../src/tools/execute.ts';
import { builtinTools, toolDefinitions } from '../../../src/tools/registry.ts';
import { toolNamesOf } from '../../../src/tools/toolset.ts';
import { policyOver } from '../../policy/support.ts';
import { makeWorld, type Platform, type World } from './world.ts';

/** A call as the wire has it: its arguments are text. */
export type WireCall = readonly [name: string, args: string, id?: string];

export type Said =
  | { readonly calls: readonly WireCall[] }
  | { readonly text: string; readonly finish?: string }
  /** The answer to a question with a schema. */
  | { readonly json: string }
  /** The answer to the question for the content of a file. */
  | { readonly content: string; readonly file: string };

/**
 * `done`: carried out as it was written. `mended`: carried out as it was meant. `error`, `denied`,
 * `conflict`: its result, and nothing was changed. `talk`: no call was seen in it. `asked again`: the
 * model is told why. Any other word: the status of the turn. One for each call, joined by `+`.
 */
export interface Outcome {
  readonly became: string;
  /** What the model is told, of all calls. */
  readonly told: string;
  /** Files that are different now, by their paths on the whole machine. */
  readonly changed: { readonly [path: string]: string | null };
}

const tools = builtinTools({
  programs: {
    find: async (program) =>
      program === 'node'
        ? { kind: 'found', file: '/bin/node', prefix: [], notice: '' }
        : { kind: 'missing', reason: `There is no ${program}.`, hint: '' },
    environment: () => ({}),
  },
});
const definitions = toolDefinitions(tools);

const processes: Processes = {
  platform: 'linux',
  run: async () => ({
    ...{ kind: 'exited', exitCode: 0, signal: null, output: 'ran', truncatedBytes: 0 },
    durationMs: 1,
  }),
  resolve: () => null,
  startTime: () => null,
  killTree: async () => {},
  place: { boot: '', pidNamespace: '', isGated: false },
  endLeftover: async () => 'none',
};

const request: ModelRequest = {
  ...{ model: 'm', messages: [{ role: 'user', content: 'go on' }], tools: definitions },
  ...{ temperature: 0, seed: 0, contextWindow: 8192, maxOutputTokens: 4096 },
};

async function* chunksOf(said: Said): AsyncGenerator<unknown> {
  const calls = 'calls' in said ? said.calls : [];
  for (const [index, [name, args, id = `id${index}`]] of calls.entries()) {
    const call = { index, id, function: { name, arguments: args } };
    yield { choices: [{ index: 0, delta: { tool_calls: [call] } }] };
  }
  const content =
    'text' in said ? said.text : 'json' in said ? said.json : 'content' in said ? said.content : '';
  if (content !== '') yield { choices: [{ index: 0, delta: { content } }] };
  const finish = 'finish' in said ? said.finish : calls.length > 0 ? 'tool_calls' : 'stop';
  yield { choices: [{ index: 0, delta: {}, finish_reason: finish }] };
}

const providerSaying = (said: Said): Provider => ({
  name: 'hostile',
  stream: (asked) =>
    readChunks(chunksOf(said), {
      request: asked,
      asked: { url: 'http://localhost', model: 'm' },
      toolName: wireNames(asked, false).toolFromWire,
      elapsed: () => 0,
    }),
  describe: () => Promise.reject(new Error('not asked')),
  list: async () => [],
  close: async () => {},
});

export async function becomes(said: Said, platform: Platform): Promise<Outcome> {
  const world = makeWorld(platform);
  const before = world.files();
  const signal = new AbortController().signal;
  const turn = await takeTurn(providerSaying(said), request, { signal, clock: systemClock });
  const outcome =
    turn.status.kind === 'success'
      ? await followed(decode(said, turn.message), world, platform)
      : { became: turn.status.kind, told: turn.detail };
  return { ...outcome, changed: changesBetween(before, world.files()) };
}

function decode(said: Said, reply: Parameters<typeof nativeMode.decode>[1]): Decoded {
  const context = {
    ...{ tools: definitions, names: toolNamesOf(tools), callId: 'call_1' },
    judge: (name: string, args: Record<string, unknown>) =>
      judgeCall({ id: 'call_1', name, args }, tools),
    target: (path: string) => ({ isFilled: path !== 'new.py' }),
  };
  if ('content' in said) return jsonMode.decode(contentQuestion(said.file), reply, context);
  return 'json' in said
    ? jsonMode.decode(ACTION, reply, context)
    : nativeMode.decode({ kind: 'action', open: [] }, reply, context);
}

const ACTION: ModelQuestion = {
  kind: 'action',
  open: [
    { does: 'reads_files' },
    { does: 'edits_files', fixed: { path: 'a.txt' } },
    { does: 'runs_commands', lines: { stdin: ['name', 'age'] } },
    { does: 'ends_subtasks' },
  ],
};

const contentQuestion = (file: string): ModelQuestion => ({ kind: 'content', file });

async function followed(
  decoded: Decoded,
  world: World,
  platform: Platform,
): Promise<Pick<Outcome, 'became' | 'told'>> {
  if (decoded.kind === 'text') return { became: 'talk', told: '' };
  if (decoded.kind === 'invalid') return { became: 'asked again', told: decoded.error };
  if (decoded.kind !== 'calls') return { became: decoded.kind, told: '' };
  const became: string[] = [];
  const told: string[] = [];
  for (const [index, call] of decoded.calls.entries()) {
    const meant = normalisedCall(call, tools);
    const { status, content } = await carryOut(meant, index, world, platform);
    const isMended = !isDeepStrictEqual([meant.name, meant.args], [call.name, call.args]);
    became.push(status !== 'ok' ? status : isMended ? 'mended' : 'done');
    told.push(content);
  }
  return { became: became.join('+'), told: told.join('\n') };
}

function carryOut(call: ToolCall, index: number, world: World, platform: Platform) {
  const { fs, workspace } = world;
  const policy = policyOver(fs, workspace);
  return executeCall(call, `1.1#1#${index}`, {
    tools,
    context: {
      ...{ workspace, fs, processes: { ...processes, platform }, maxResultChars: 4000 },
      lastKnownHash: world.known,
      originalOf: () => null,
      storeBlob: sha256,
    },
    log: { intended: () => {}, started: () => {}, barrier: () => {}, finished: () => {} },
    clock: { monotonic: () => 0 },
    signal: new AbortController().signal,
    onOutput: () => {},
    onInternalError: (error) => {
      throw error;
    },
    blocked: null,
    watch: null,
    decide: policy.decide,
    resultHash: sha256,
  });
}

function changesBetween(
  before: { readonly [path: string]: string },
  after: { readonly [path: string]: string },
): Outcome['changed'] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    paths
      .filter((path) => before[path] !== after[path])
      .map((path) => [path, Object.hasOwn(after, path) ? (after[path] ?? '') : null]),
  );
}
