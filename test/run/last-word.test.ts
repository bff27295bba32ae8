/** A model that leads: what it says beside its calls and at the end, and how long it may work. */
import { describe, expect, it } from 'vitest';
import { createRenderer } from '../../src/cli/render/renderer.ts';
import { resultBody } from '../../src/run/stream/result-body.ts';
import { fakeTerminal } from '../cli/support.ts';
import { runIn, SAY_HELLO, type Told } from '../support/run-in.ts';
import {
  LARGE,
  type Script,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

const setPlan = (cmd: string): ScriptedCall => ({
  name: 'set_plan',
  args: {
    tasks: [{ description: 'it', subtasks: [{ do: 'write hello.mjs', files: ['hello.mjs'] }] }],
    proof: { cmd },
  },
});
const write = (name: string): ScriptedCall => ({
  name: 'write_file',
  args: { path: name, content: 'console.log("hello");\n' },
});
const SUMMARY = 'What changed: hello.mjs greets. What else I saw: there is no README.';
const END: ScriptedCall = {
  name: 'mark_subtask_complete',
  args: { success: true, summary: SUMMARY },
};

const lead = (script: Script, world = testWorld()): Promise<Told> =>
  runIn(world, scriptedProvider(script, LARGE), { goal: SAY_HELLO });

describe('a model that leads', () => {
  const working: Script = (_request, n) =>
    n === 1
      ? {
          text: 'The folder is empty, so I begin.',
          calls: [setPlan('node hello.mjs'), write('hello.mjs')],
        }
      : { calls: [END] };

  it('is heard where it writes a text beside its calls', async () => {
    const { events } = await lead(working);
    const terminal = fakeTerminal({ env: { LANG: 'C.UTF-8', NO_COLOR: '1' } });
    const screen = createRenderer(terminal, {
      ...{ verbosity: 'normal', goal: 'Make it', maxRounds: null, isMixed: false },
    });
    for (const event of events) screen.observe(event);
    expect(terminal.stderr.text()).toContain('  The folder is empty, so I begin.\n');
  });

  it('has the last word, in the result for machines as for people', async () => {
    const { result } = await lead(working);
    expect(result.ending).toBe('achieved');
    const facts = { elapsedMs: 1, workspace: WORKSPACE, resume: null };
    expect(resultBody(result, facts)).toMatchObject({ summary: SUMMARY, answer: null });
  });

  it('reads 600 characters of why its work does not stand', async () => {
    const long = `${'why '.repeat(400)}\n`;
    const failing = testWorld(() => ({ output: long, exitCode: 1 }));
    const { states } = await lead(
      (_request, n) =>
        n === 1
          ? { calls: [setPlan('node hello.mjs'), write('hello.mjs'), END] }
          : { calls: [{ name: 'give_up', args: { reason: 'It cannot be done.' } }] },
      failing,
    );
    const kept = states.flatMap(({ active }) => active?.claim?.checks ?? []);
    const longest = Math.max(...kept.map(({ text }) => text.length));
    expect(longest).toBeGreaterThan(550);
    expect(longest).toBeLessThanOrEqual(600);
  });

  it('has 60 rounds from a start on where nobody says how many', async () => {
    const { result } = await lead((_request, n) =>
      n === 1 ? { calls: [setPlan('node hello.mjs')] } : { calls: [write(`${n}.mjs`)] },
    );
    expect(result).toMatchObject({ ending: 'paused', why: 'limit_rounds' });
    expect(result.state.counters.rounds).toBe(60);
  });
});
