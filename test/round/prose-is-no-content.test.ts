/** No harm: what a model says of its work never becomes what a file holds. */

import { describe, expect, it } from 'vitest';
import { dice, fc } from '../support/dice.ts';
import { diligentModel, type PlannedWork, wantedBy } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const TALK = 'All 12 tests pass now. Two faults were fixed: the sign and the rounding.';
const GIVEN = 'console.log("hello");\n';
const GOOD = 'console.log("hello, Ada");\n';

const workOn = (file: string): PlannedWork => ({
  subtasks: [{ action: 'write_file', file, purpose: 'greets' }],
});

/** Answers each question for content with the next of these, the last one again and again. */
function answering(file: string, contents: readonly string[]): Script {
  let next = 0;
  return (request, n) => {
    if (wantedBy(request) !== 'content') return diligentModel(workOn(file))(request, n);
    next += 1;
    return contents[Math.min(next, contents.length) - 1] ?? '';
  };
}

const fenced = (text: string): string => `\`\`\`\n${text}\`\`\``;

describe('an answer without a code block', () => {
  it.each(['hello.mjs', 'notes.txt'])(
    'leaves %s as it was, and is asked for again',
    async (file) => {
      const world = testWorld();
      world.write(file, GIVEN);
      const provider = scriptedProvider(
        answering(file, [TALK, `${TALK}\n\n${TALK}`, fenced(GOOD)]),
      );
      const { records } = await runIn(world, provider, { toolMode: 'json', keep: true });
      const wrote = records.filter(
        (one) => one.type === 'action_finished' && one.tool === 'write_file',
      );
      expect(wrote).toHaveLength(1);
      expect(world.read(file)).toBe(GOOD);
      const said = provider.requests.map(({ messages }) => messages.at(-1)?.content ?? '');
      expect(said.filter((text) => text.includes('There was no code block.'))).toHaveLength(2);
    },
  );

  it('ends the run as failed where nothing else ever comes, with the file as it was', async () => {
    const world = testWorld();
    world.write('hello.mjs', GIVEN);
    const provider = scriptedProvider(answering('hello.mjs', [TALK]));
    const { result } = await runIn(world, provider, { toolMode: 'json', keep: true });
    expect(result.ending).toBe('failed');
    expect(world.read('hello.mjs')).toBe(GIVEN);
  });

  it('makes no new file of talk, nor of code that nothing marks', async () => {
    const lines = `${TALK}\n\nI looked at each of them.`;
    const world = testWorld();
    const provider = scriptedProvider(answering('hello.mjs', [lines, GOOD, fenced(GOOD)]));
    await runIn(world, provider, {
      toolMode: 'json',
      onRecord: () => expect(world.read('hello.mjs') ?? '').not.toContain('faults'),
    });
    expect(world.read('hello.mjs')).toBe(GOOD);
  });

  it('never changes a file that holds something, whatever it says', async () => {
    const words = fc.array(fc.lorem({ mode: 'sentences', maxCount: 4 }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(words, fc.constantFrom('hello.mjs', 'notes.txt'), async (some, file) => {
        const world = testWorld();
        world.write(file, GIVEN);
        await runIn(world, scriptedProvider(answering(file, some)), { toolMode: 'json' });
        expect(world.read(file)).toBe(GIVEN);
      }),
      { numRuns: dice(3, 25) },
    );
  });
});
