/** What a project says of itself: told by both drivers, the same over a resume, and never more than its share. */
import { expect, test } from 'vitest';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { LARGE, type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const SMALL: typeof LARGE = { parameters: 1.5e9, contextWindow: 16_384 };

const HELLO: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};
const model = (info = LARGE, script: Script = diligentModel(HELLO)) =>
  scriptedProvider(script, info);

const promptsOf = ({ requests }: ReturnType<typeof model>): readonly string[] =>
  requests.map(({ messages }) => messages[0]?.content ?? '');

const RULES = '# Rules\nUse tabs, and say please.\n';

test.each([
  ['free', LARGE],
  ['guided', SMALL],
] as const)('the %s driver tells of it at the start of every request', async (driver, info) => {
  const world = testWorld();
  world.write('AGENTS.md', RULES);
  const provider = model(info);
  const { result, events } = await runIn(world, provider);
  expect(result.ending).toBe('achieved');
  expect(result.state.settings?.driver).toBe(driver);
  const prompts = promptsOf(provider);
  expect(new Set(prompts).size).toBe(1);
  expect(prompts[0]).toContain(
    '<project-file path="AGENTS.md">\n# Rules\nUse tabs, and say please.\n</project-file>',
  );
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'notice', text: 'The model is told: AGENTS.md' }),
  );
  const { instructions, systemPrompt } = result.state.settings ?? {};
  expect(instructions?.files).toEqual([{ path: 'AGENTS.md', text: RULES }]);
  expect(String(systemPrompt).slice(-(instructions?.told ?? 0))).toMatch(/^Notes of the project/);
});

test('without a file, and with the files left out, the requests are byte for byte the same', async () => {
  const requestsOf = async (text: string | null, instructions: boolean) => {
    const world = testWorld();
    if (text !== null) world.write('AGENTS.md', text);
    const provider = model();
    const { result } = await runIn(world, provider, { instructions });
    expect(result.state.settings).not.toHaveProperty('instructions');
    return provider.requests.map(({ messages: [system], tools }) =>
      JSON.stringify({ system, tools }),
    );
  };
  const plain = await requestsOf(null, true);
  expect(await requestsOf(RULES, false)).toEqual(plain);
  expect(await requestsOf('  \n', true)).toEqual(plain);
});

test('a resume tells what the run began with, whatever the file says by then', async () => {
  const world = testWorld();
  world.write('AGENTS.md', RULES);
  const first = model();
  expect((await runIn(world, first, { maxRounds: 1 })).result.ending).toBe('paused');
  world.write('AGENTS.md', 'Now all is different.');
  const second = model();
  const { result, records } = await runIn(world, second, { goal: null, maxRounds: 9 });
  expect(result.ending).toBe('achieved');
  expect(promptsOf(second)[0]).toBe(promptsOf(first)[0]);
  expect(records.filter(({ type }) => type === 'settings_changed')).toEqual([]);
});

test('a long file takes a quarter of the window, and 600 tokens with a small model', async () => {
  const told = async (info: typeof LARGE) => {
    const world = testWorld();
    world.write('AGENTS.md', `# Top\n${'A rule on a line of its own.\n'.repeat(1000)}# End\n`);
    const { result } = await runIn(world, model(info));
    expect(result.ending).toBe('achieved');
    const { numCtx = 0, instructions } = result.state.settings ?? {};
    return { chars: instructions?.told ?? 0, numCtx };
  };
  const free = await told(LARGE);
  expect(free.chars).toBeLessThanOrEqual((free.numCtx / 4) * 3.2);
  expect(free.chars).toBeGreaterThan((free.numCtx / 4) * 2.8);
  const guided = await told(SMALL);
  expect(guided.chars).toBeLessThanOrEqual(1920);
  expect(guided.chars).toBeGreaterThan(1500);
});

test('a run that is moved to another driver tells as much as that one may', async () => {
  const world = testWorld();
  world.write('AGENTS.md', 'A rule on a line of its own.\n'.repeat(300));
  const unreadable: Script = (request, n) =>
    request.tools ? '<tool_call>{"name": "write_file", ' : diligentModel(HELLO)(request, n);
  const provider = model(LARGE, unreadable);
  const { result } = await runIn(world, provider);
  expect(result.state.settings?.driver).toBe('guided');
  expect(result.state.settings?.instructions?.told).toBeLessThanOrEqual(1920);
  const last = promptsOf(provider).at(-1) ?? '';
  expect(last).toContain('<project-file path="AGENTS.md">');
  expect(last.length).toBeLessThan(2500);
});

test('a key in use does not reach the prompt or the journal by it', async () => {
  const world = testWorld();
  const key = 'sk-1234567890abcdef';
  world.write('AGENTS.md', `The key is ${key}.`);
  const provider = model();
  const { records } = await runIn(world, provider, { keys: [key] });
  expect(JSON.stringify(provider.requests)).not.toContain(key);
  expect(JSON.stringify(records)).not.toContain(key);
});

test('a window that turns out to be smaller leaves them a quarter of that one', async () => {
  const world = testWorld();
  world.write('AGENTS.md', 'A rule on a line of its own.\n'.repeat(1000));
  const provider = model();
  const smaller = { ...provider, loadedWindow: async () => 8192 };
  const { result, records } = await runIn(world, smaller);
  expect(result.ending).toBe('achieved');
  const tolds = records.flatMap((record) =>
    record.type === 'settings_changed' ? [record.instructions?.told ?? 0] : [],
  );
  expect(tolds).toHaveLength(2);
  expect(tolds[0]).toBeGreaterThan(20_000);
  expect(tolds[1]).toBeLessThanOrEqual((8192 / 4) * 3.2);
  const [first = '', second = ''] = [promptsOf(provider)[0], promptsOf(provider).at(-1)];
  expect(second.length).toBeLessThan(first.length);
  // The words before them stay.
  const words = first.slice(0, first.indexOf('Notes of the project'));
  expect(second.startsWith(`${words}Notes of the project`)).toBe(true);
});
