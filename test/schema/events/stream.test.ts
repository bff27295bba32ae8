import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readStreamEvent, streamSchema, streamTypes } from '../../../src/schema/events/stream.ts';

test('the schema that the package carries is the one of the program: node scripts/run.mjs scripts/make-stream-schema.ts', () => {
  const carried = readFileSync('src/schema/events/events.schema.json', 'utf8');
  expect(JSON.parse(carried)).toEqual(JSON.parse(JSON.stringify(streamSchema())));
});

test('the names of the events are what readers depend on', () => {
  expect(streamTypes()).toEqual([
    'started',
    'turn_started',
    'prompt_read',
    'text_delta',
    'thinking_delta',
    'tool_call_started',
    'tool_call_arguments',
    'tool_call_ready',
    'turn_finished',
    'turn_retry',
    'model_switched',
    'compaction',
    'plan',
    'subtask_started',
    'subtask_finished',
    'tool_started',
    'tool_output',
    'tool_result',
    'check',
    'trial_started',
    'trials_skipped',
    'permission_asked',
    'permission_answered',
    'person_said',
    'message_ended',
    'notice',
    'record',
    'result',
  ]);
});

describe('a reader', () => {
  const text = { v: 1, run: 'r', type: 'text_delta', text: 'a' };

  test('gets an event, also one that is about nothing yet', () => {
    expect(readStreamEvent(text)).toEqual(text);
    expect(readStreamEvent({ ...text, run: null })).toEqual({ ...text, run: null });
  });

  test('skips a type and a field that it does not know', () => {
    expect(readStreamEvent({ ...text, type: 'mood_changed' })).toBeNull();
    expect(readStreamEvent({ ...text, mood: 'good' })).toEqual(text);
  });

  test.each([
    ['of nobody', { v: 1, type: 'text_delta', text: 'a' }],
    ['without its field', { v: 1, run: 'r', type: 'text_delta' }],
    ['of another version', { ...text, v: 2 }],
    ['without a type', { v: 1, run: 'r' }],
    ['that is none', 'text'],
  ])('refuses one %s', (_what, value) => {
    expect(() => readStreamEvent(value)).toThrow();
  });
});
