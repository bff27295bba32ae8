import { expect, test } from 'vitest';
import { eventsFrom, meaningsOf } from '../../../src/run/stream/bodies.ts';
import type { JournalRecord } from '../../../src/schema/records.ts';

const FINISHED = {
  ...{ type: 'action_finished', id: '1#1#0', tool: 'run_cmd', touches: 'process', target: null },
  ...{ signature: 's', callId: 'c1', result: 'r', resultHash: '', hashes: {} },
} as const;

const meaning = (outcome: object) =>
  meaningsOf({ ...FINISHED, ...outcome } as unknown as JournalRecord, { before: 0, after: 0 })[0];

test('a call says whether its name or its arguments were wrong', () => {
  const wrong = (fault: string) => meaning({ status: 'error', facts: { fault } });
  expect(wrong('tool')).toMatchObject({ publicStatus: 'tool_not_found' });
  expect(wrong('arguments')).toMatchObject({ publicStatus: 'invalid_parameters' });
  expect(meaning({ status: 'ok', facts: {} })).toMatchObject({ publicStatus: 'success' });
});

test('a command says what it came to, with 124 at its time limit', () => {
  const printed = { stdout: 'out', stderr: 'err', truncated: false };
  expect(meaning({ status: 'error', facts: { exitCode: 3, printed } })).toMatchObject({
    command: { exit_code: 3, ...printed },
  });
  const late = meaning({ status: 'timeout', facts: { printed, durationMs: 2000 } });
  expect(late).toMatchObject({ command: { exit_code: 124, stderr: 'err\ntimed out after 2 s' } });
  expect(meaning({ status: 'ok', facts: {} })).not.toHaveProperty('command');
});

test('a notice names the option and the server it is about, where there is one', () => {
  const before = { turn: 1, messages: 0 };
  const about = { option: 'refreshTools', server: 'files' } as const;
  const notice = { type: 'notice', level: 'info', text: 'It changed.' } as const;
  expect(eventsFrom({ ...notice, ...about }, before)).toEqual([{ body: { ...notice, ...about } }]);
  expect(eventsFrom(notice, before)).toEqual([{ body: notice }]);
});
