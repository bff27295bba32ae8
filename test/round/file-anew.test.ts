/** A failing file that came back as it was is asked for anew, out of view. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { diligentModel, wantedBy } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { type ScriptedProgram, testWorld } from '../support/test-machine.ts';

const FENCE = '```';

describe('a file of the run that came back as it was', () => {
  const BAD = 'console.log(await Promise.reject("no"));\n';
  const GOOD = 'console.log("hello");\n';
  const hello: ScriptedProgram = (_args, _stdin, read) =>
    read('hello.mjs') === GOOD
      ? { output: 'hello\n', exitCode: 0 }
      : { output: 'no\n', exitCode: 1 };

  it('is asked for out of view, warmer, and in other words', async () => {
    const repairs: ModelRequest[] = [];
    const copying = diligentModel({
      subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'says hello' }],
      verify: { cmd: 'node hello.mjs' },
      files: { 'hello.mjs': [BAD] },
    });
    const script: Script = (request, n) => {
      const question = request.messages.at(-1)?.content ?? '';
      const isRepair = wantedBy(request) === 'content' && question.includes('This command failed');
      if (!isRepair) return copying(request, n);
      repairs.push(request);
      return `${FENCE}js\n${repairs.length < 2 ? BAD : GOOD}${FENCE}`;
    };
    const world = testWorld(hello);
    const model = scriptedProvider(script);
    await runIn(world, model, { goal: 'Create hello.mjs that says hello', toolMode: 'json' });
    const said = repairs.map(({ messages }) => messages.at(-1)?.content ?? '');
    expect(said[0]).toContain('Promise.reject');
    expect(said[0]).toContain('Write the whole content of hello.mjs, corrected.');
    expect(said[1]).not.toContain('Promise.reject');
    expect(said[1]).toContain('Write the whole content of hello.mjs anew, in another way.');
    expect(repairs.map(({ temperature }) => temperature)).toEqual([0.2, 0.8]);
    expect(world.read('hello.mjs')).toBe(GOOD);
  });
});
