import { describe, expect, test } from 'vitest';
import { engineEvents, streamEvents } from '../../../src/run/stream/other-names.ts';
import type { StreamBody, StreamEvent } from '../../../src/schema/events/stream.ts';
import { NO_USAGE } from '../../../src/schema/model/turn.ts';

const told = (body: StreamBody): StreamEvent => ({ v: 1, run: 'r', ...body });
const turn = {
  type: 'turn_finished',
  turn: 3,
  purpose: 'action',
  text: 'hi',
  usage: NO_USAGE,
} as const;
const done = told({ ...turn, status: 'success', detail: '' });
const failed = told({ ...turn, status: 'auth_failed', detail: 'no key' });
const result = told({ type: 'result', exitCode: 0, ending: 'achieved', resume: null, error: null });
const call = { id: 'c1', name: 'look', args: { at: 1 } };
const outcome = { id: '1#1#0', callId: 'c1', name: 'look', content: 'seen', durationMs: 5 };
const good = told({ type: 'tool_result', ...outcome, status: 'ok' });
const bad = told({ type: 'tool_result', ...outcome, status: 'denied' });
const retry = (status: 'auth_failed' | 'rate_limited' | 'quota_exceeded' | 'network_error') =>
  told({ type: 'turn_retry', attempt: 2, waitMs: 1, why: 'w', status, profile: 'second' });

const SWITCH = {
  from: { provider: 'p', model: 'm', profile: 'first' },
  to: { provider: 'p', model: 'm', profile: 'second' },
  why: 'no',
};
const MESSAGE = { role: 'assistant', content: 'hi', toolCalls: [] };

describe('as an engine in one call tells it', () => {
  test.each<[string, StreamEvent, readonly object[]]>([
    [
      'a request',
      told({ type: 'turn_started', turn: 3, purpose: 'action', target: null }),
      [{ type: 'llm_start', iteration: 3 }],
    ],
    [
      'a request of a message',
      told({ type: 'turn_started', turn: 9, purpose: 'action', target: null, iteration: 2 }),
      [{ type: 'llm_start', iteration: 2 }],
    ],
    [
      'a request for a summary',
      told({ type: 'turn_started', turn: 9, purpose: 'summary', target: null, iteration: 2 }),
      [],
    ],
    ['a summary', told({ ...turn, purpose: 'summary', status: 'success', detail: '' }), []],
    [
      'text',
      told({ type: 'text_delta', text: 'a' }),
      [{ type: 'llm_stream', event: { type: 'text_delta', delta: 'a' } }],
    ],
    [
      'thoughts',
      told({ type: 'thinking_delta', text: 'a' }),
      [{ type: 'llm_stream', event: { type: 'thinking_delta', delta: 'a' } }],
    ],
    [
      'a whole call',
      told({ type: 'tool_call_ready', ...call }),
      [
        {
          type: 'llm_stream',
          event: {
            type: 'toolcall_end',
            toolCall: { id: 'c1', name: 'look', arguments: { at: 1 } },
          },
        },
      ],
    ],
    [
      'an answer',
      done,
      [
        { type: 'llm_stream', event: { type: 'done' } },
        { type: 'llm_end', message: { ...MESSAGE, usage: NO_USAGE } },
      ],
    ],
    [
      'an error',
      failed,
      [
        { type: 'llm_stream', event: { type: 'error', error: 'no key' } },
        { type: 'llm_end', message: { ...MESSAGE, usage: NO_USAGE } },
      ],
    ],
    [
      'a tool that begins',
      told({ type: 'tool_started', id: '1#1#0', callId: 'c1', name: 'look' }),
      [{ type: 'tool_start', toolName: 'look', toolCallId: 'c1' }],
    ],
    [
      'a tool that ends',
      good,
      [{ type: 'tool_end', toolName: 'look', toolCallId: 'c1', durationMs: 5, isError: false }],
    ],
    [
      'one that fails',
      bad,
      [{ type: 'tool_end', toolName: 'look', toolCallId: 'c1', durationMs: 5, isError: true }],
    ],
    [
      'a refused key',
      retry('auth_failed'),
      [{ type: 'retry', attempt: 2, reason: 'auth', profileId: 'second' }],
    ],
    [
      'another key at once',
      told({ type: 'model_switched', ...SWITCH, attempt: 2, status: 'quota_exceeded' }),
      [{ type: 'retry', attempt: 2, reason: 'billing', profileId: 'first' }],
    ],
    ['another key after a wait, which was told', told({ type: 'model_switched', ...SWITCH }), []],
    [
      'too many requests',
      retry('rate_limited'),
      [{ type: 'retry', attempt: 2, reason: 'rate_limit', profileId: 'second' }],
    ],
    [
      'no credit',
      retry('quota_exceeded'),
      [{ type: 'retry', attempt: 2, reason: 'billing', profileId: 'second' }],
    ],
    [
      'all else',
      retry('network_error'),
      [{ type: 'retry', attempt: 2, reason: 'timeout', profileId: 'second' }],
    ],
    [
      'a shorter conversation',
      told({ type: 'compaction', before: 40, after: 11 }),
      [{ type: 'compaction', oldCount: 40, newCount: 11 }],
    ],
    ['the end', result, [{ type: 'done', result: 'R' }]],
    ['what it has no word for', told({ type: 'notice', level: 'info', text: 'n' }), []],
  ])('%s', (_what, event, expected) => {
    expect(engineEvents(event, 'R')).toEqual(expected);
  });
});

describe('as a stream of typed events', () => {
  test.each<[string, StreamEvent, readonly object[]]>([
    ['text', told({ type: 'text_delta', text: 'a' }), [{ type: 'TextDelta', delta: 'a' }]],
    [
      'a call that begins',
      told({ type: 'tool_call_started', index: 0, name: 'look' }),
      [{ type: 'ToolCallStarted', index: 0, name: 'look' }],
    ],
    [
      'its arguments',
      told({ type: 'tool_call_arguments', index: 0, text: '{"a' }),
      [{ type: 'ToolCallArgsDelta', index: 0, delta: '{"a' }],
    ],
    [
      'a whole call',
      told({ type: 'tool_call_ready', ...call }),
      [{ type: 'ToolCallReady', callId: 'c1', name: 'look', arguments: { at: 1 } }],
    ],
    [
      'a result',
      bad,
      [{ type: 'ToolResultEvent', callId: 'c1', name: 'look', result: 'seen', isError: true }],
    ],
    ['an answer', done, [{ type: 'ResponseCompleted', status: 'completed', usage: NO_USAGE }]],
    [
      'an error',
      failed,
      [
        { type: 'TraceEvent', name: 'error', data: { status: 'auth_failed', message: 'no key' } },
        { type: 'ResponseCompleted', status: 'error', usage: null },
      ],
    ],
    [
      'an answer that cannot be read',
      told({ ...turn, status: 'invalid_response', detail: 'no JSON' }),
      [{ type: 'TraceEvent', name: 'parse_error', data: { message: 'no JSON' } }],
    ],
    [
      'all else',
      told({ type: 'notice', level: 'info', text: 'n' }),
      [{ type: 'TraceEvent', name: 'notice', data: { v: 1, run: 'r', level: 'info', text: 'n' } }],
    ],
  ])('%s', (_what, event, expected) => {
    expect(streamEvents(event)).toEqual(expected);
  });
});
