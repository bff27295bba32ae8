/** Everything that goes wrong between a run and its model, played by a real server. */
import type { Candidate } from '../../src/llm/failover/candidate.ts';
import { ollamaProvider } from '../../src/llm/ollama/ollama-provider.ts';
import type { Provider } from '../../src/llm/provider.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import {
  type ChatRequest,
  type FakeOllama,
  type FakeOllamaOptions,
  type Reply,
  startFakeOllama,
} from './fake-ollama.ts';
import { ERAS } from './fake-ollama-eras.ts';
import { diligentModel, planning } from './models.ts';

/** Large enough to lead by itself where nobody says otherwise. */
export const FAULT_MODEL = 'qwen2.5-coder:32b';
export const FAULT_MODELS = [{ name: FAULT_MODEL, parameterSize: '32.8B' }];

/** What the first request after the plan meets, and those after it. */
export interface Fault {
  readonly name: string;
  readonly reply: Reply;
  /** Requests it meets, one after the other. */
  readonly times: number;
  readonly toolMode: 'native' | 'json';
  /** What the broken attempts end in. */
  readonly status: string;
  /** `recovers`: the run goes on by itself. `pauses`: it can be resumed once the fault is over. */
  readonly outcome: 'recovers' | 'pauses';
  /** The server says `half` and then nothing any more. */
  readonly isSilent?: boolean;
}

const call = (name: string, args: unknown) => ({ name, arguments: args });
const half = { content: 'half' };
const never = new Promise<void>(() => undefined);

const crash = (body: string): Reply => ({ error: { status: 500, body } });
const CRASHED = JSON.stringify({ error: ERAS['0.24'].runnerDied });
const UNREADABLE =
  '{"error":"error parsing tool call: raw=\'{\\"path\\":\', err=unexpected end of JSON input"}';

const json = (name: string, reply: Reply, status: string, rest: Partial<Fault> = {}): Fault => ({
  name,
  reply,
  status,
  times: 1,
  toolMode: 'json',
  outcome: 'recovers',
  ...rest,
});

const native = (name: string, reply: Reply, status: string, rest: Partial<Fault> = {}): Fault =>
  json(name, reply, status, { toolMode: 'native', ...rest });

export const FAULTS: readonly Fault[] = [
  json('3 × status 500', crash(CRASHED), 'model_error', { times: 3 }),
  json('6 × status 500', crash(CRASHED), 'model_error', { times: 6, outcome: 'pauses' }),
  json('3 × connection reset', { cut: 'before headers' }, 'network_error', { times: 3 }),
  json('stream cut midway', { ...half, cut: 'after content' }, 'network_error'),
  json('error line in mid-stream', { ...half, errorLine: 'CUDA error: launch' }, 'model_error'),
  json('server falls silent', { ...half, beforeEnd: never }, 'timeout', { isSilent: true }),
  json(
    'status 429 with retry-after: 2',
    { error: { status: 429, body: '{"error":"busy"}', headers: { 'retry-after': '2' } } },
    'rate_limited',
  ),
  native(
    'call cut off by the limit',
    { toolCalls: [call('write_file', { path: 'hello.mjs' })], doneReason: 'length' },
    'truncated',
  ),
  native('malformed call, twice', crash(UNREADABLE), 'invalid_response', { times: 2 }),
  json('end of the stream is missing', { ...half, noDone: true }, 'invalid_response'),
];

/** What the runs are about. */
export const FAULT_WORK = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};

/** The diligent model behind a server's wire. */
export function diligentServer(): (request: ChatRequest) => Reply {
  const model = planning(diligentModel(FAULT_WORK));
  return (request) => {
    const { tools, format, messages } = request;
    const asked = {
      messages,
      ...(tools?.length ? { tools } : {}),
      ...(format === undefined ? {} : { responseSchema: unwired(format) }),
    } as unknown as ModelRequest;
    const answer = model(asked, 0);
    const calls = answer.calls?.map(({ name, args }) => call(name, args));
    return { content: answer.text ?? '', ...(calls ? { toolCalls: calls } : {}) };
  };
}

/** On the wire a fixed value is a choice of one. */
function unwired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(unwired);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, unwired(value)]);
  const { enum: choices } = schema as { enum?: readonly unknown[] };
  const fixed = choices?.length === 1 ? { const: choices[0] } : {};
  return { ...Object.fromEntries(entries), ...fixed };
}

/** A server whose requests from the second on meet the fault, as often as it says. */
export function faultyServer(fault: Fault, options: FakeOllamaOptions = {}): Promise<FakeOllama> {
  const answer = diligentServer();
  return startFakeOllama({
    models: FAULT_MODELS,
    ...options,
    // A request on a kept connection that was cut is sent once more without being counted.
    closesConnections: true,
    script: (request, n) => (n > 1 && n <= 1 + fault.times ? fault.reply : answer(request)),
  });
}

export const healthyServer = (port = 0): Promise<FakeOllama> =>
  startFakeOllama({ models: FAULT_MODELS, port, script: diligentServer() });

/** A server that knows no key, or not this one. */
export const lockedServer = (): Promise<FakeOllama> =>
  startFakeOllama({
    models: FAULT_MODELS,
    script: () => ({ error: { status: 401, body: '{"error":"unauthorized"}' } }),
  });

export const wayTo = (server: FakeOllama, profile: string, key = ''): Candidate => ({
  provider: ollamaProvider({
    host: server.url,
    ...(key === '' ? {} : { headers: { authorization: `Bearer ${key}` } }),
  }),
  model: FAULT_MODEL,
  profile,
});

/** The same backend under another name, so that it counts as another one. */
export const renamed = (provider: Provider, name: string): Provider => ({ ...provider, name });
