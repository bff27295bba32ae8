/** When code is asked for a second time, and when not. */
import { describe, expect, it } from 'vitest';
import { driverOf } from '../../src/drivers/driver-of.ts';
import type { KnownFile } from '../../src/schema/run-facts.ts';
import type { LastTurn, RunState } from '../../src/schema/state.ts';
import { filesToWriteAgain, secondWritingStep } from '../../src/steps/second-writing.ts';
import { bareState, file, planOf, subtask } from '../support/run-state.ts';

const code = (more: Partial<KnownFile> = {}): KnownFile => ({
  ...file(),
  hash: 'h1',
  given: null,
  defines: ['add(a, b)'],
  ...more,
});
const FILES = { 'calc.mjs': code(), 'calc.test.mjs': code({ defines: [] }) };

const proved = (more: Partial<RunState> = {}, driver: 'guided' | 'free' = 'guided'): RunState =>
  bareState(driver, {
    plan: { ...planOf([subtask('1.1', undefined)]), proof: { cmd: 'node --test' } },
    proof: { passed: true, text: '', runs: [] } as unknown as RunState['proof'],
    files: FILES,
    ...more,
  });

const stepOf = (state: RunState) => secondWritingStep(state, driverOf(state.settings));
const ASKED = {
  ...{ do: 'ask', cause: 'second_writing', tries: 1 },
  question: { kind: 'content', file: 'calc.mjs', isSecond: true },
};
const said = [{ seq: 3, offset: 1, role: 'user', cause: 'second_writing', length: 9 }] as const;

describe('a file is asked for a second time', () => {
  it('where tests that the run wrote itself are to prove it, warmer than the first time', () => {
    expect(stepOf(proved())).toEqual(ASKED);
  });

  it('once: the question that is said already is not said again', () => {
    expect(stepOf(proved({ conversation: said }))).toEqual({ ...ASKED, cause: null });
  });

  it('after another one: the answer to that is behind the question', () => {
    const others = { ...FILES, 'b.mjs': code() };
    const secondWritings = { 'b.mjs': { of: 'h1', seq: 4, offset: 5 } };
    const guided = { contentRequest: null, secondWritings };
    const state = proved({ files: others, guided, conversation: said });
    expect(stepOf(state)).toEqual(ASKED);
  });

  it('again where the file was changed since, and not otherwise', () => {
    const written = (of: string) => ({
      guided: { contentRequest: null, secondWritings: { 'calc.mjs': { of, seq: 9, offset: 5 } } },
    });
    expect(stepOf(proved(written('h1')))).toBeNull();
    expect(stepOf(proved(written('h0')))).toEqual(ASKED);
    expect(
      stepOf(
        proved({
          guided: {
            contentRequest: null,
            secondWritings: { 'calc.mjs': { of: 'h1', seq: 9, offset: null } },
          },
        }),
      ),
    ).toBeNull();
  });

  it('once more where what came was no code', () => {
    const secondWritings = {
      'calc.mjs': { of: 'h1', seq: 4, offset: null, isNoCode: true },
    } as const;
    expect(
      stepOf(proved({ guided: { contentRequest: null, secondWritings }, conversation: said })),
    ).toEqual(ASKED);
  });

  it.each<[string, RunState]>([
    ['a model leads itself', proved({}, 'free')],
    ['nothing is proved', proved({ proof: null })],
    ['the proof is no test', proved({ plan: { ...planOf([]), proof: { cmd: 'node calc.mjs' } } })],
    [
      'tests were there',
      proved({ files: { ...FILES, 'calc.test.mjs': code({ written: false }) } }),
    ],
    ['the code was there', proved({ files: { ...FILES, 'calc.mjs': code({ given: 'h0' }) } })],
    ['it offers nothing', proved({ files: { ...FILES, 'calc.mjs': code({ defines: [] }) } })],
    ['it is gone', proved({ files: { ...FILES, 'calc.mjs': code({ hash: null }) } })],
    ['it is no code', proved({ files: { 'a.md': code(), 'calc.test.mjs': code() } })],
  ])('not where %s', (_, state) => {
    expect(stepOf(state)).toBeNull();
  });

  it('never of more than three files: then nothing is known by such tests', () => {
    const more = Object.fromEntries(['a.mjs', 'b.mjs', 'c.mjs'].map((path) => [path, code()]));
    expect(filesToWriteAgain(proved({ files: { ...more, 'a.test.mjs': code() } }))).toHaveLength(3);
    expect(filesToWriteAgain(proved({ files: { ...FILES, ...more } }))).toEqual([]);
  });

  it('and a model that cannot be reached pauses the run, also when all that is left is the last look', () => {
    const lastTurn = {
      purpose: 'second_writing',
      status: { kind: 'network_error', retryable: true },
      detail: 'nobody answers',
    } as LastTurn;
    expect(stepOf(proved({ lastTurn }))).toMatchObject({
      do: 'pause',
      why: 'provider_unavailable',
      detail: 'nobody answers',
    });
  });
});
