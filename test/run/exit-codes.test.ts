import { expect, test } from 'vitest';
import { TardigradeError } from '../../src/lib/errors.ts';
import { ProviderError } from '../../src/llm/provider.ts';
import {
  EXIT_OF_ENDING,
  EXIT_OF_ERROR,
  EXIT_OF_PAUSE,
  exitCodeOfError,
  exitCodeOfResult,
  isResumable,
} from '../../src/run/exit-codes.ts';
import type { RunResult } from '../../src/run/result.ts';
import { achieved, paused, runState } from '../cli/support.ts';

test('the documented exit codes are these and no others', () => {
  expect(EXIT_OF_ENDING).toEqual({ achieved: 0, answered: 10, unverified: 9, failed: 3 });
  expect(EXIT_OF_PAUSE).toEqual({
    limit_rounds: 4,
    limit_tokens: 4,
    limit_cost: 4,
    limit_time: 4,
    context_overflow: 4,
    stalled: 5,
    waiting_for_person: 6,
    provider_unavailable: 7,
    auth: 7,
    quota: 7,
    refused: 7,
    timeout: 7,
    disk_full: 8,
    interrupted: 130,
  });
  expect(EXIT_OF_ERROR).toEqual({
    E_USAGE: 2,
    E_WORKSPACE: 2,
    E_LOCKED: 8,
    E_FENCED: 8,
    E_JOURNAL_CORRUPT: 8,
    E_JOURNAL_MISSING: 8,
    E_STATE_GONE: 8,
    E_TOO_NEW: 8,
    E_FOREIGN: 8,
    E_DISK_FULL: 8,
    E_IO: 8,
    E_PROVIDER: 7,
    E_INTERRUPTED: 130,
    E_INTERNAL: 1,
  });
});

test('only the codes 4 to 8 and 130 can be resumed', () => {
  const codes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130];
  expect(codes.filter(isResumable)).toEqual([4, 5, 6, 7, 8, 130]);
});

test('a run that is found finished exits like the ending it had', () => {
  const found = (ending: 'achieved' | 'failed' | 'unverified' | 'undone'): RunResult => ({
    ending: 'already_finished',
    detail: '',
    answer: null,
    state: runState({ ended: { ending, detail: '' } }),
  });
  expect(exitCodeOfResult(found('achieved'))).toBe(0);
  expect(exitCodeOfResult(found('failed'))).toBe(3);
  expect(exitCodeOfResult(found('unverified'))).toBe(9);
  expect(exitCodeOfResult(found('undone'))).toBe(0);
});

test('a result takes its code from its ending or from its pause', () => {
  expect(exitCodeOfResult(achieved())).toBe(0);
  expect(exitCodeOfResult(paused('stalled'))).toBe(5);
});

test.each([
  [new TardigradeError('E_LOCKED', 'm', 'h'), 8],
  [new ProviderError({ kind: 'auth_failed' }, 'm', 'h'), 7],
  [new ProviderError({ kind: 'aborted' }, 'm', 'h'), 130],
  [Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' }), 8],
  [Object.assign(new Error('no'), { code: 'EACCES', syscall: 'open' }), 2],
  [Object.assign(new Error('many'), { code: 'EMFILE', syscall: 'open' }), 8],
  [Object.assign(new Error('many'), { code: 'ENFILE', syscall: 'spawn' }), 8],
  [Object.assign(new Error('file'), { code: 'ENOTDIR', syscall: 'open' }), 2],
  [Object.assign(new Error('odd'), { code: 'EACCES' }), 1],
  [new TypeError('our bug'), 1],
  ['a string', 1],
])('%s exits with %i', (error, code) => {
  expect(exitCodeOfError(error)).toBe(code);
});
