// Every answer of a real llama.cpp server on Anthropic's wire, played whole over HTTP.
import { describe, expect, it } from 'vitest';
import type { TurnStatus } from '../../../src/schema/model/turn.ts';
import {
  recordedAnswer,
  recordedAnthropicReply,
  recordedPieces,
  type WireRecording,
  wireRecordings,
} from '../../support/fake-recorded-wire.ts';
import { turn, WRITE_FILE } from '../support.ts';
import { answering, anySignal, connect } from './support.ts';

const MODEL = 'qwen2.5-coder-0.5b';
const SUCCESS: TurnStatus = { kind: 'success' };
const FAILED: TurnStatus = { kind: 'model_error', retryable: false };
const CRASHED: TurnStatus = { kind: 'model_error', retryable: true };
const CUT: TurnStatus = { kind: 'network_error', retryable: true };

const saying = (content: string) => ({
  status: SUCCESS,
  message: { role: 'assistant', content },
  rawReason: 'end_turn',
});
const usage = (input: number, output: number, cacheRead: number) => ({
  usage: { input, output, thinking: 0, cacheRead, cacheWrite: 0 },
});

const CALLED = { path: 'a.txt', content: 'Hä "x"' };

const ANSWERS: Readonly<Partial<Record<WireRecording, Readonly<Record<string, unknown>>>>> = {
  message_said: { ...saying('Hello!'), ...usage(1, 3, 24) },
  message_call: {
    status: SUCCESS,
    message: {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'HlSZIeVrUW4dFkcw69Hiu9LcTdZr1bfb', name: 'write_file', args: CALLED }],
    },
    rawReason: 'tool_use',
    ...usage(1, 32, 144),
  },
  message_stop_sequence: { ...saying('Hell'), ...usage(1, 1, 35) },
  message_refused_no_limit: { ...saying('Hello!'), ...usage(14, 3, 22) },
};

const UNFINISHED: Readonly<Partial<Record<WireRecording, TurnStatus>>> = {
  message_killed: CUT,
  message_limit: { kind: 'truncated' },
  message_call_cut_by_limit: { kind: 'truncated' },
};

const REFUSALS: readonly (readonly [RegExp, TurnStatus, RegExp])[] = [
  [/overflow/, { kind: 'context_overflow' }, /does not fit.*630 tokens/],
  [/^locked/, { kind: 'auth_failed' }, /refuses the API key \(401\): Invalid API Key/],
  [/^loading/, CUT, /Loading model/],
  [/_no_messages/, CRASHED, /\(500\): 'messages' is required/],
  [/^message_refused/, FAILED, /refused the request \(400\)/],
];

const said = wireRecordings.filter((name) => name in ANSWERS);
const refused = wireRecordings.filter(
  (name) => recordedAnswer(name).status !== 200 && /(^|_)message(_|$)/.test(name),
);

describe('a recorded answer is what it was', () => {
  it.each(said)('%s', async (name) => {
    const { ask } = await answering(recordedAnthropicReply(name), { models: null });
    expect(await ask({ model: MODEL, tools: [WRITE_FILE] })).toMatchObject(ANSWERS[name] ?? {});
  });
});

describe('a recorded answer that was not finished', () => {
  it.each(wireRecordings.filter((name) => name in UNFINISHED))('%s', async (name) => {
    const { ask } = await answering(recordedAnthropicReply(name), { models: null });
    const { status, message } = await ask({ tools: [WRITE_FILE] });
    expect(status).toEqual(UNFINISHED[name]);
    expect(message.toolCalls).toBeUndefined();
  });
});

describe('a recorded refusal has its status, and says why', () => {
  const isRead = async (name: WireRecording): Promise<void> => {
    const row = REFUSALS.find(([names]) => names.test(name));
    expect(row, 'what is expected of it').toBeDefined();
    const { ask } = await answering(recordedAnthropicReply(name), { models: null });
    const { status, told } = await ask();
    expect({ status, told }).toMatchObject({
      status: row?.[1],
      told: expect.stringMatching(row?.[2] ?? ''),
    });
  };

  it.each(refused)('%s', isRead);
});

describe('a recorded stream that breaks', () => {
  it.each([1, 2])('behind its piece %i: the connection was cut', async (count) => {
    const raw = recordedPieces(recordedAnswer('message_said')).slice(0, count);
    const { ask } = await answering({ raw, cut: 'after content' });
    expect((await ask()).status).toEqual(CUT);
  });
});

describe('a server of another kind that speaks this wire', () => {
  const page = recordedAnswer('one_model');

  it('is asked, though it tells nothing of a single model', async () => {
    const { provider, server } = await connect({
      script: () => recordedAnthropicReply('message_said'),
      modelPage: { status: page.status, body: page.body },
    });
    expect((await provider.describe(MODEL, anySignal())).contextWindow).toBeNull();
    expect((await turn(provider, { model: MODEL })).message.content).toBe('Hello!');
    expect(server.raw).toHaveLength(1);
  });
});
