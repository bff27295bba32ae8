import { describe, expect, it } from 'vitest';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

/** A goal that says what its program prints: whether it does is for the proof to judge. */
const prove = async (output: string, prints: string) => {
  const world = testWorld(() => ({ output, exitCode: 0 }));
  const model = diligentModel({
    subtasks: [{ action: 'write_file', file: 'tips.mjs', purpose: 'prints tips' }],
    verify: { cmd: 'node tips.mjs', prints },
    files: { 'tips.mjs': ['console.log("tips");\n'] },
  });
  const { result, records } = await runIn(world, scriptedProvider(model), {
    goal: `Write tips.mjs that prints "${prints}"`,
    toolMode: 'json',
    maxRounds: 4,
  });
  return { result, records };
};

describe('a proof judges what the program printed, not our words around it', () => {
  it.each([
    ['a last line that begins as our hints do', 'Tips\nHint: water the plants\n'],
    ['one line alone that begins so', 'Hint: water the plants\n'],
  ])('%s', async (_what, output) => {
    const { records } = await prove(output, 'Hint: water the plants');
    const proof = records.find((record) => record.type === 'check_ran' && record.proof);
    expect(proof).toMatchObject({ proof: true, passed: true, facts: { exitCode: 0 } });
  });

  it('a first line that reads like our own', async () => {
    const { result } = await prove('exit code 3\nwas what it said\n', 'exit code 3');
    expect(result.state.proof?.passed).toBe(true);
  });

  it('a text that reads like the one for silence', async () => {
    const { result } = await prove('(it printed nothing)\n', 'printed nothing');
    expect(result.state.proof?.passed).toBe(true);
  });

  it('and still fails where the line is not printed', async () => {
    const { result, records } = await prove('Tips\n', 'Hint: water the plants');
    expect(result.ending).not.toBe('achieved');
    expect(records.find((record) => record.type === 'check_ran' && record.proof)).toMatchObject({
      passed: false,
      text: expect.stringContaining('did not print "Hint: water the plants"'),
    });
  });
});
