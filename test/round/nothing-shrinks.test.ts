/** No harm: a whole content never takes much from a file that was there before the run. */

import { describe, expect, it } from 'vitest';
import { summaryOf } from '../../src/cli/render/ending/summary.ts';
import { createStyle } from '../../src/cli/render/text/style.ts';
import { resultBody } from '../../src/run/stream/result-body.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { droppedText } from '../../src/tools/files/losses.ts';
import { NOTHING_MADE } from '../cli/support.ts';
import { fc } from '../support/dice.ts';
import { diligentModel, type PlannedWork, wantedBy, workReplies } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { testWorld } from '../support/test-machine.ts';

const NAMES = [...'abcdefghijkl'];
const moduleOf = (names: readonly string[]): string =>
  names.map((name) => `export const ${name} = "${name}";\n`).join('');
const GIVEN = moduleOf(NAMES);
const SHORT = moduleOf(NAMES.slice(0, 3));

const workOn = (file: string): PlannedWork => ({
  subtasks: [{ action: 'write_file', file, purpose: 'changes it' }],
});

/** Answers each question for content with the next of these. */
function writing(file: string, contents: readonly string[]): Script {
  let next = 0;
  return (request, n) => {
    if (wantedBy(request) !== 'content') return diligentModel(workOn(file))(request, n);
    const content = contents[next++ % contents.length] ?? '';
    return `\`\`\`\n${content}\`\`\``;
  };
}

const results = (records: readonly JournalRecord[], tool: string): readonly string[] =>
  records.flatMap((one) =>
    one.type === 'action_finished' && one.tool === tool ? [String(one.result)] : [],
  );

describe('a file that was there, in the guided driver', () => {
  it('is left as it was by a content that drops what it defines, however often it comes', async () => {
    const world = testWorld();
    world.write('given.mjs', GIVEN);
    const provider = scriptedProvider(writing('given.mjs', [SHORT]));
    const { records } = await runIn(world, provider, { toolMode: 'json' });
    expect(world.read('given.mjs')).toBe(GIVEN);
    const [refusal] = results(records, 'write_file');
    expect(refusal).toBe(
      'given.mjs was left as it was: the new content drops d, e, f, g, h, 4 more names and ' +
        '9 of 12 lines. Write it whole with all that was there, or change a part with edit_file.',
    );
    const said = provider.requests.map(({ messages }) => messages.at(-1)?.content ?? '');
    expect(said.some((text) => text.includes('drops d, e, f, g, h'))).toBe(true);
  });

  it('never gets a fifth smaller nor loses a name, whatever contents come', async () => {
    const kept = fc.array(fc.subarray(NAMES), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(kept, fc.constantFrom('given.mjs', 'given.txt'), async (some, file) => {
        const world = testWorld();
        world.write(file, GIVEN);
        const provider = scriptedProvider(writing(file, some.map(moduleOf)));
        await runIn(world, provider, {
          toolMode: 'json',
          onRecord: () => expect(droppedText(file, GIVEN, world.read(file) ?? '')).toBeNull(),
        });
      }),
      { numRuns: Number(process.env.RANDOM_RUNS ?? 2) },
    );
  });
});

/** Calls one after the other, each in a reply of its own; then it says that it is done. */
const calling =
  (file: string, contents: readonly (string | 'edit')[]): Script =>
  (request, n) => {
    if (wantedBy(request) !== 'tools') return diligentModel(workOn(file))(request, n);
    const next = workReplies(request);
    if (next === 0) return { calls: [{ name: 'read_file', args: { path: file } }] };
    const content = contents[next - 1];
    if (content === undefined)
      return { calls: [{ name: 'mark_subtask_complete', args: { success: true } }] };
    if (content !== 'edit')
      return { calls: [{ name: 'write_file', args: { path: file, content } }] };
    const args = { path: file, old_text: moduleOf(NAMES.slice(3)), new_text: '' };
    return { calls: [{ name: 'edit_file', args }] };
  };

describe('a file that was there, in the free driver', () => {
  const callsOn = async (contents: readonly string[]) => {
    const world = testWorld();
    world.write('given.mjs', GIVEN);
    const provider = scriptedProvider(calling('given.mjs', contents));
    const { records } = await runIn(world, provider, { toolMode: 'native' });
    return {
      told: results(records, 'write_file'),
      text: world.read('given.mjs'),
      write: records.findIndex((one) => one.type === 'action_intended'),
    };
  };

  it('is written when the same content comes a second time, and that is said', async () => {
    const { told, text } = await callsOn([SHORT, SHORT]);
    expect(told[0]).toContain('If that is meant, send the same content again.');
    expect(told[1]).toMatch(/^Wrote \d+ chars to given\.mjs\nAccepted, although it drops d, e, /);
    expect(text).toBe(SHORT);
  });

  it('is named at the end with what it has lost, and not where a later write brought it back', async () => {
    const ended = async (contents: readonly string[]) => {
      const world = testWorld();
      world.write('given.mjs', GIVEN);
      const provider = scriptedProvider(calling('given.mjs', contents));
      const { result } = await runIn(world, provider, { toolMode: 'native' });
      const told = { workspace: '/w', resume: 'agent resume', elapsedMs: 0 };
      const outcome = { result, ...told, ...NOTHING_MADE };
      const style = createStyle(
        { env: { NO_COLOR: '1' }, platform: 'linux' },
        { isTerminal: false },
      );
      return { lost: resultBody(result, told).lost, text: summaryOf(outcome, style, 200) };
    };
    const drops = 'd, e, f, g, h, 4 more names and 9 of 12 lines';
    const shortened = await ended([SHORT, SHORT]);
    expect(shortened.lost).toEqual([{ path: 'given.mjs', drops }]);
    expect(shortened.text).toContain(`given.mjs has lost ${drops}: the model insisted on it`);
    const restored = await ended([SHORT, SHORT, GIVEN]);
    expect(restored.lost).toEqual([]);
    expect(restored.text).not.toContain('has lost');
  });

  it('is written all the same, and told the same, whichever record the run is killed after', async () => {
    const whole = await callsOn([SHORT, SHORT]);
    for (const at of somePlaces(10, whole.write + 4, 8)) {
      const world = testWorld();
      world.write('given.mjs', GIVEN);
      const provider = scriptedProvider(calling('given.mjs', [SHORT, SHORT]));
      const machine = world.machine();
      const onRecord = (_: JournalRecord, index: number): void => {
        if (index < at) return;
        machine.kill();
        throw new Error('killed');
      };
      const options = { toolMode: 'native', machine, onRecord } as const;
      await expect(runIn(world, provider, options)).rejects.toThrow('killed');
      await runIn(world, provider, { toolMode: 'native' });
      expect(results(journalOf(world), 'write_file'), `killed after ${at}`).toEqual(whole.told);
      expect(world.read('given.mjs')).toBe(SHORT);
    }
  });

  it('is not written when another content comes that loses as much', async () => {
    const { told, text } = await callsOn([SHORT, `${SHORT}// and more\n`]);
    expect(told).toHaveLength(2);
    expect(text).toBe(GIVEN);
  });

  it('is measured anew by what was insisted on', async () => {
    const { told, text } = await callsOn([SHORT, SHORT, `${SHORT}// and more\n`]);
    expect(told[2]).toMatch(/^Wrote \d+ chars to given\.mjs$/);
    expect(text).toBe(`${SHORT}// and more\n`);
  });

  it('is measured by what an edit left of it: that was asked for by its words', async () => {
    const { told, text } = await callsOn(['edit', `// short now\n${SHORT}`]);
    expect(told[0]).toMatch(/^Wrote \d+ chars to given\.mjs$/);
    expect(text).toBe(`// short now\n${SHORT}`);
  });

  it('does not shrink by many small losses', async () => {
    const lines = (count: number) => 'a line\n'.repeat(count);
    const world = testWorld();
    world.write('given.txt', lines(20));
    const provider = scriptedProvider(calling('given.txt', [lines(17), lines(14), lines(12)]));
    const { records } = await runIn(world, provider, { toolMode: 'native' });
    expect(results(records, 'write_file')[1]).toContain('drops 6 of 20 lines');
    expect(world.read('given.txt')).toBe(lines(17));
  });

  it('may be cut short where the run made it', async () => {
    const world = testWorld();
    const provider = scriptedProvider(calling('own.mjs', [GIVEN, SHORT]));
    await runIn(world, provider, { toolMode: 'native' });
    expect(world.read('own.mjs')).toBe(SHORT);
  });
});
