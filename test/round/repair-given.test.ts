/** A repair sees what the failure is about, given files too; given tests and data it never changes. */
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/schema/records.ts';
import { diligentModel, type PlannedWork, wantedBy } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { type ScriptedProgram, type TestWorld, testWorld } from '../support/test-machine.ts';

const BROKEN = 'export const price = (row) => row.cost;\n';
const RIGHT = 'export const price = (row) => row.price;\n';
const TEST =
  "import { price } from './price.mjs';\nimport { readFileSync } from 'node:fs';\nconst rows = readFileSync('rows.csv', 'utf8');\n";
const ROWS = 'name,price\napple,3\n';
const WORK: PlannedWork = {
  subtasks: [{ action: 'run_cmd', cmd: 'node --test', purpose: 'the tests pass' }],
  verify: { cmd: 'node --test' },
};

const tests =
  (world: () => TestWorld): ScriptedProgram =>
  () =>
    world().read('price.mjs') === RIGHT
      ? { output: '# tests 1\n# pass 1\n# fail 0\n', exitCode: 0 }
      : { output: 'not ok 1 - /ws/price.test.mjs:4\n# pass 0\n# fail 1\n', exitCode: 1 };

const mending: Script = (request, n) =>
  wantedBy(request) === 'content' ? `\`\`\`\n${RIGHT}\`\`\`` : diligentModel(WORK)(request, n);

const said = (records: readonly JournalRecord[], cause: string): readonly string[] =>
  records.flatMap((one) =>
    one.type === 'message_added' && one.cause === cause ? [String(one.text)] : [],
  );

describe('a guided repair of a failing test that was there', () => {
  const run = async (more = '') => {
    const world: TestWorld = testWorld(tests(() => world));
    world.write('price.mjs', BROKEN + more);
    world.write('price.test.mjs', TEST);
    world.write('rows.csv', ROWS);
    world.write('unrelated.mjs', 'export const other = 1;\n');
    const provider = scriptedProvider(mending);
    const goal = 'Make the tests pass';
    const { records } = await runIn(world, provider, { toolMode: 'json', goal, keep: true });
    return { world, question: said(records, 'content_question')[0] ?? '' };
  };

  it('shows the test, the code it imports and the data it reads, and asks for the code alone', async () => {
    const { world, question } = await run();
    for (const text of [BROKEN, TEST, ROWS]) expect(question).toContain(text.trimEnd());
    expect(question).not.toContain('other = 1');
    expect(question).toContain('Write the whole content of price.mjs, corrected.');
    expect(world.read('price.mjs')).toBe(RIGHT);
    expect(world.read('price.test.mjs')).toBe(TEST);
    expect(world.read('rows.csv')).toBe(ROWS);
  });

  it('shows no more than a quarter of the window, and changes no long file as a whole', async () => {
    const many = Array.from(
      { length: 400 },
      (_, n) => `\nexport function other${n}() {\n  return ${n};\n}\n`,
    ).join('');
    const { world, question } = await run(many);
    expect(question.length).toBeLessThan((8192 / 4) * 3 + 1500);
    expect(question).toMatch(/^Lines \d+ to \d+ of \d+ of price\.mjs are now:/m);
    expect(world.read('price.mjs')).toContain('function other200()');
  });
});
