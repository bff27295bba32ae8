/** Tests that fail and pass though the run changed nothing between. */
import { describe, expect, it } from 'vitest';
import { steadinessOfTests } from '../../../src/evidence/trials/steadiness.ts';
import type { JournalRecord } from '../../../src/schema/records.ts';
import { GIVEN_TESTS, judged } from '../judge-support.ts';

const CMD = 'python -m pytest -q';
const run = (...failed: readonly string[]) => ({
  facts: { exitCode: failed.length > 0 ? 1 : 0, tests: { failed: failed.length, passed: 3 } },
  output: failed.map((name) => `FAILED test_a.py::${name} - assert 1 == 2\n`).join(''),
});
const proof = (...failed: readonly string[]): JournalRecord => {
  const { facts, output } = run(...failed);
  return { type: 'check_ran', check: { cmd: CMD }, text: output, facts } as JournalRecord;
};
const command = (target: string, ...failed: readonly string[]): JournalRecord => {
  const { facts, output } = run(...failed);
  const shape = {
    type: 'action_finished',
    tool: 'run_cmd',
    touches: 'process',
    does: 'runs_commands',
  };
  return { ...shape, target, result: output, facts, status: 'ok' } as unknown as JournalRecord;
};
const edit = {
  ...{ type: 'action_finished', tool: 'edit_file', touches: 'files', status: 'ok', facts: {} },
} as unknown as JournalRecord;

const told = (...records: readonly JournalRecord[]) => {
  const seen = steadinessOfTests();
  for (const record of records) seen.take(record);
  return seen.of(CMD);
};

describe('a test that failed and passed with no change of the run between', () => {
  it('is unsteady, whichever came first, and whoever ran it', () => {
    const known = { unsteady: ['test_timing'], redBefore: ['test_new'] };
    expect(told(proof('test_new'), edit, command(CMD, 'test_timing'), proof())).toEqual(known);
    expect(told(proof('test_new'), edit, proof(), command(CMD, 'test_timing'))).toEqual(known);
  });

  it('is not unsteady where something came between', () => {
    expect(told(proof('test_new'), edit, proof()).unsteady).toEqual([]);
    const server = command('node server.js');
    expect(told(proof('test_new'), server, proof()).unsteady).toEqual([]);
    const changed = { type: 'files_changed', id: 'p' } as unknown as JournalRecord;
    const writing = { ...proof('test_new'), id: 'p' } as JournalRecord;
    expect(told(changed, writing, proof()).unsteady).toEqual([]);
  });
});

describe('a proof with an unsteady test', () => {
  const claim = (redBefore: readonly string[]) =>
    judged({ ...GIVEN_TESTS, before: 'failing', unsteady: ['test_timing'], redBefore });

  it('shows the work by another test that was red, and the unsteady one is named', async () => {
    expect(await claim(['test_new', 'test_timing'])).toMatchObject({
      isProved: true,
      words:
        'proof passed: python -m pytest -q (3 passed); before the first change it failed; test_timing failed and passed with no change of this run between',
    });
  });

  it('shows nothing where no other test is known to have been red', async () => {
    for (const red of [['test_timing'], []])
      expect(await claim(red)).toMatchObject({
        isProved: false,
        words:
          'python -m pytest -q passes, but test_timing failed and passed with no change of this run between',
      });
  });
});
