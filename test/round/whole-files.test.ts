/** No harm: what is not in view as a whole is not replaced as a whole, whoever leads. */
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/schema/records.ts';
import { diligentModel, type PlannedWork, wantedBy, workReplies } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { testWorld } from '../support/test-machine.ts';

const FUNCTIONS = 200;
const functionOf = (n: number, result: string): string =>
  `export function step${n}(value) {\n  return ${result};\n}\n`;
/** More than a question of this window shows. */
const LONG = Array.from({ length: FUNCTIONS }, (_, n) => functionOf(n, `value + ${n}`)).join('\n');
const GOAL = 'Change step120 in steps.mjs so that it returns value * 120';
const WANTED = LONG.replace('return value + 120;', 'return value * 120;');
const WORK: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'steps.mjs', purpose: 'changes step120' }],
};

const BLOCK = /```\n([\s\S]*?)\n```/;

/** Gives back what it was shown, with the change; a faithful model can do no more. */
const faithful: Script = (request, n) => {
  if (wantedBy(request) !== 'content') return diligentModel(WORK)(request, n);
  const question = request.messages.at(-1)?.content ?? '';
  const shown = BLOCK.exec(question)?.[1] ?? '';
  return `\`\`\`\n${shown.replace('value + 120', 'value * 120')}\n\`\`\``;
};

const questionsIn = (records: readonly JournalRecord[]): readonly string[] =>
  records.flatMap((one) =>
    one.type === 'message_added' && one.cause === 'content_question' ? [String(one.text)] : [],
  );

describe('a file that was there and is longer than a question shows', () => {
  it('is changed in the lines that were shown: nothing else of it goes', async () => {
    const world = testWorld();
    world.write('steps.mjs', LONG);
    const provider = scriptedProvider(faithful);
    const { records } = await runIn(world, provider, { toolMode: 'json', keep: true, goal: GOAL });
    expect(world.read('steps.mjs')).toBe(WANTED);
    const [question] = questionsIn(records);
    expect(question).toMatch(/^Lines \d+ to \d+ of \d+ of steps\.mjs are now:/);
    expect(question).toContain('Write only these lines of steps.mjs anew, all of them');
    expect(question).toContain('function step120(');
    expect((question ?? '').length).toBeLessThan(7000);
  });

  it('is left as it was by an answer that holds less than these lines', async () => {
    const world = testWorld();
    world.write('steps.mjs', LONG);
    const short: Script = (request, n) =>
      wantedBy(request) === 'content'
        ? `\`\`\`\n${functionOf(120, 'value * 120')}\`\`\``
        : diligentModel(WORK)(request, n);
    await runIn(world, scriptedProvider(short), { toolMode: 'json', keep: true, goal: GOAL });
    expect(world.read('steps.mjs')).toBe(LONG);
  });

  it('keeps its line ends', async () => {
    const world = testWorld();
    world.write('steps.mjs', LONG.replaceAll('\n', '\r\n'));
    await runIn(world, scriptedProvider(faithful), { toolMode: 'json', keep: true, goal: GOAL });
    expect(world.read('steps.mjs')).toBe(WANTED.replaceAll('\n', '\r\n'));
  });

  it('is changed the same, whichever record the run is killed after', async () => {
    const start = testWorld();
    start.write('steps.mjs', LONG);
    const whole = await runIn(start, scriptedProvider(faithful), {
      toolMode: 'json',
      keep: true,
      goal: GOAL,
    });
    for (const at of somePlaces(2, whole.records.length, 14)) {
      const world = testWorld();
      world.write('steps.mjs', LONG);
      const machine = world.machine();
      const onRecord = (_: JournalRecord, index: number): void => {
        if (index < at) return;
        machine.kill();
        throw new Error('killed');
      };
      const options = { toolMode: 'json', keep: true, goal: GOAL, machine, onRecord } as const;
      await expect(runIn(world, scriptedProvider(faithful), options)).rejects.toThrow('killed');
      await runIn(world, scriptedProvider(faithful), { toolMode: 'json', keep: true, goal: GOAL });
      expect(world.read('steps.mjs'), `killed after ${at}`).toBe(WANTED);
      expect(questionsIn(journalOf(world)).at(-1)).toBe(questionsIn(whole.records).at(-1));
    }
  });

  it('is shown anew where somebody changed it after the question', async () => {
    const world = testWorld();
    world.write('steps.mjs', LONG);
    let isChanged = false;
    const script: Script = (request, n) => {
      const isContent = wantedBy(request) === 'content';
      const reply = faithful(request, n);
      if (isContent && !isChanged) world.write('steps.mjs', `// theirs\n${LONG}`);
      if (isContent) isChanged = true;
      return reply;
    };
    await runIn(world, scriptedProvider(script), { toolMode: 'json', keep: true, goal: GOAL });
    expect(world.read('steps.mjs')).toBe(`// theirs\n${WANTED}`);
  });
});

describe('a file of which the free driver saw a part', () => {
  const calls =
    (list: readonly { readonly name: string; readonly args: object }[]): Script =>
    (request, n) => {
      if (wantedBy(request) !== 'tools') return diligentModel(WORK)(request, n);
      const next = workReplies(request);
      const done = { name: 'mark_subtask_complete', args: { success: true } };
      return { calls: [(list[next] ?? done) as typeof done] };
    };
  const write = { name: 'write_file', args: { path: 'steps.mjs', content: WANTED } };

  it.each([
    ['some of its lines', { name: 'read_file', args: { path: 'steps.mjs', end_line: 40 } }],
    ['one that was cut', { name: 'read_file', args: { path: 'steps.mjs' } }],
  ])('is not written whole after %s, and the way out is said', async (_, read) => {
    const world = testWorld();
    world.write('steps.mjs', LONG);
    const provider = scriptedProvider(calls([read, write]));
    const { records } = await runIn(world, provider, { toolMode: 'native', goal: GOAL });
    expect(world.read('steps.mjs')).toBe(LONG);
    const told = records.flatMap((one) =>
      one.type === 'action_finished' && one.tool === 'write_file' ? [String(one.result)] : [],
    );
    expect(told[0]).toBe(
      'steps.mjs was left as it was: its whole text is not in view now. Change a part with edit_file.',
    );
  });

  it('is written whole after it was read whole', async () => {
    const world = testWorld();
    const short = LONG.slice(0, 900);
    world.write('steps.mjs', short);
    const content = `${short}// more\n`;
    const read = { name: 'read_file', args: { path: 'steps.mjs' } };
    const provider = scriptedProvider(
      calls([read, { ...write, args: { ...write.args, content } }]),
    );
    await runIn(world, provider, { toolMode: 'native', goal: GOAL });
    expect(world.read('steps.mjs')).toBe(content);
  });
});
