/** A result that was cut is read on, in the same process and in the one that comes after it. */
import { describe, expect, it } from 'vitest';
import { leading } from '../support/leading.ts';
import { planJson } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { LARGE, type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const GOAL = 'Run loud.mjs and say what failed';
const WORK = { subtasks: [{ action: 'run_cmd', cmd: 'node loud.mjs', purpose: 'look' }] };
const OUTPUT = [
  ...Array.from({ length: 1000 }, (_, index) => `step ${index} of the work`),
  'not ok 1 - the list is sorted',
  ...Array.from({ length: 1000 }, (_, index) => `more ${index} of the work`),
].join('\n');

const world = () => testWorld(() => ({ output: OUTPUT, exitCode: 1 }));

/** Runs it, then reads on where the result says so, then ends. */
const reading = leading(WORK, (request) => {
  const last = request.messages.findLast(({ role }) => role === 'tool')?.content ?? '';
  const next = /read_output (\{[^}]*\}) shows them/.exec(last)?.[1];
  if (next) return { calls: [{ name: 'read_output', args: JSON.parse(next) }] };
  return last.startsWith('[lines ')
    ? { calls: [{ name: 'mark_subtask_complete', args: { success: false, reason: 'red' } }] }
    : { calls: [{ name: 'run_cmd', args: { cmd: 'node loud.mjs' } }] };
});

const wanted = { goal: GOAL, toolMode: 'native' } as const;

describe('a command that prints more than is shown', () => {
  it('shows what failed, and the rest to who asks', async () => {
    const provider = scriptedProvider(reading, LARGE);
    await runIn(world(), provider, wanted);
    const results = provider.requests.flatMap(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? [messages.at(-1)?.content ?? ''] : [],
    );
    const [, first = '', second = ''] = results;
    expect(first).toContain('\nnot ok 1 - the list is sorted\n');
    // 12 % of 32,768 tokens of four characters.
    expect(first.length).toBeGreaterThan(14_000);
    expect(first.length).toBeLessThanOrEqual(15_729);
    const from = Number(/^\[lines (\d+) to/.exec(second)?.[1]);
    const [, line = ''] = second.split('\n');
    expect(line).toBe(`step ${from - 2} of the work`);
    expect(first).toContain(`\nstep ${from - 3} of the work\n[... `);
    expect(first).not.toContain(`\n${line}\n`);
  });

  it('is read on by the process that comes after a kill', async () => {
    const shared = world();
    const machine = shared.machine();
    const killed = runIn(shared, scriptedProvider(reading, LARGE), {
      ...{ ...wanted, machine },
      onRecord: (record) => {
        if (record.type !== 'action_finished') return;
        machine.kill();
        throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    const provider = scriptedProvider(reading, LARGE);
    const { records } = await runIn(shared, provider, wanted);
    const read = records.find(
      (record) => record.type === 'action_finished' && record.tool === 'read_output',
    );
    expect(read).toMatchObject({ status: 'ok' });
  });

  it('shows no more than the option lets it, also after a resume', async () => {
    const shared = world();
    const provider = scriptedProvider(reading, LARGE);
    const options = { ...wanted, maxToolResultChars: 2000, maxRounds: 1 };
    await runIn(shared, provider, options);
    await runIn(shared, provider, wanted);
    const shown = provider.requests.flatMap(({ messages }) =>
      messages.flatMap(({ role, content }) => (role === 'tool' ? [content.length] : [])),
    );
    expect(shown.length).toBeGreaterThan(1);
    expect(Math.max(...shown)).toBeLessThanOrEqual(2000);
  });

  it('is cut without such an offer for a model that is led', async () => {
    const led: Script = (request) => {
      if (request.responseSchema && JSON.stringify(request.responseSchema).includes('tasks'))
        return planJson(WORK);
      return JSON.stringify({ action: 'mark_subtask_complete', reason: 'no', success: false });
    };
    const provider = scriptedProvider(led, { contextWindow: 32_768 });
    await runIn(world(), provider, { goal: GOAL, toolMode: 'json' });
    const sent = JSON.stringify(provider.requests.map(({ messages }) => messages));
    expect(sent).toContain('left out');
    expect(sent).not.toContain('read_output');
  });
});

describe('a proof that fails and prints more than is shown', () => {
  it('tells the model what failed, and lets it read the rest', async () => {
    const write = { name: 'write_file', args: { path: 'loud.mjs', content: 'run();\n' } };
    const work = {
      subtasks: [{ action: 'write_file', file: 'loud.mjs', purpose: 'prints' }],
      verify: { cmd: 'node loud.mjs' },
    };
    const script = leading(work, ({ messages }) => {
      const next = /read_output (\{[^}]*\}) shows them/.exec(messages.at(-1)?.content ?? '')?.[1];
      if (next) return { calls: [{ name: 'read_output', args: JSON.parse(next) }] };
      const isWritten = messages.some(({ content }) => content.includes('chars to loud.mjs'));
      const done = { name: 'mark_subtask_complete', args: { success: true } };
      return { calls: [isWritten ? done : write] };
    });
    const provider = scriptedProvider(script, LARGE);
    const place = world();
    await runIn(place, provider, wanted);
    const told = provider.requests.map(({ messages }) => messages.at(-1)?.content ?? '');
    const failed = told.findIndex((text) => text.startsWith('Not done yet. node loud.mjs'));
    expect(failed).toBeGreaterThan(1);
    expect(told[failed]).toContain('\nnot ok 1 - the list is sorted\n');
    expect(told[failed]?.length).toBeLessThan(4300);
    expect(told[failed + 1]).toMatch(/^\[lines \d+ to \d+ of 2001, 1\.1#\d+#c0; from/);
  });
});

it.each([0, 499, 1500.5, Number.NaN])('%d characters are no size of a result', async (chars) => {
  const run = runIn(world(), scriptedProvider(reading, LARGE), {
    ...{ ...wanted, maxToolResultChars: chars },
  });
  await expect(run).rejects.toMatchObject({ code: 'E_USAGE' });
});
