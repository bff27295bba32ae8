/** What is tried in a copy with tests that take long: what is begun can come to its end. */
import { expect, it } from 'vitest';
import { runIn } from '../support/run-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const TAKES_MS = 14_000;
const ALL_MS = 60_000;

const gives = (name: string, value: number): string =>
  `export function ${name}(x) {\n  return x + ${value};\n}\n`;
const TEST =
  "import test from 'node:test';\nimport { a } from './a.mjs';\ntest('a', () => a(1));\n";
const MORE = `${TEST}import { b } from './b.mjs';\ntest('b', () => b(1));\n`;

it('a trial that had too little time is not begun, and what was seen before counts', async () => {
  let now = 0;
  let lookedSince: number | null = null;
  const world = testWorld((_args, _stdin, read) => {
    now += TAKES_MS;
    const isNew = (path: string, name: string) => read(path) === gives(name, 2);
    const isGood = read('b.test.mjs') === null || (isNew('a.mjs', 'a') && isNew('b.mjs', 'b'));
    if (lookedSince !== null && now - lookedSince > ALL_MS) return 'timeout';
    const [passed, failed] = isGood ? [2, 0] : [0, 2];
    return {
      output: `# tests 2\n# pass ${passed}\n# fail ${failed}\n`,
      exitCode: isGood ? 0 : 1,
    };
  });
  world.write('a.mjs', gives('a', 1));
  world.write('b.mjs', gives('b', 1));
  world.write('a.test.mjs', TEST);
  const machine = world.machine();
  const call = (name: string, args: { readonly [name: string]: unknown }) => ({ name, args });
  const write = (path: string, content: string) => call('write_file', { path, content });
  const replies = [
    ['a.mjs', 'b.mjs', 'a.test.mjs'].map((path) => call('read_file', { path })),
    [
      call('set_plan', {
        tasks: [{ description: 'it', subtasks: [{ do: 'add two' }] }],
        proof: { cmd: 'node --test' },
      }),
      ...[write('a.mjs', gives('a', 2)), write('b.mjs', gives('b', 2))],
      ...[write('b.test.mjs', MORE), call('mark_subtask_complete', { success: true })],
    ],
  ];
  const model = scriptedProvider((_, n) => ({ calls: replies[n - 1] ?? [] }), LARGE);
  const { result, records } = await runIn(world, model, {
    machine: { ...machine, clock: { ...machine.clock, monotonic: () => now } },
    goal: 'Let a and b add two',
    emit: (event) => {
      if (event.type === 'notice' && event.text.startsWith('Trying in a copy')) lookedSince = now;
    },
  });
  const tried = records.flatMap((one) =>
    one.type === 'check_ran' && one.scratch ? [`${one.scratch.what} ${one.scratch.about}`] : [],
  );
  expect(tried).toEqual(['unchanged ', 'old_code ', 'emptied b.mjs']);
  expect(result).toMatchObject({
    ending: 'achieved',
    detail: expect.stringContaining('which fail with the code as it was before'),
  });
});
