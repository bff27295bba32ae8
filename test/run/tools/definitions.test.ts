/** What a run once told its model of the tools stays what it tells, whichever build goes on with it. */
import { expect, it } from 'vitest';
import { openUnderLock } from '../../../src/run/open.ts';
import { settingsOf } from '../../../src/steps/select.ts';
import { DEFINITIONS } from '../../support/built-in-tools.ts';
import { diligentModel, type PlannedWork } from '../../support/models.ts';
import { journalOf, runIn } from '../../support/run-in.ts';
import { LARGE, scriptedProvider } from '../../support/scripted-provider.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../../support/test-machine.ts';

const HELLO: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};

const model = () => scriptedProvider(diligentModel(HELLO), LARGE);

const toolsIn = ({ requests }: ReturnType<typeof model>) =>
  requests.flatMap(({ tools }) => (tools ? [tools] : []));

const OLDER = DEFINITIONS.map((tool) => ({ ...tool, description: `As it was: ${tool.name}.` }));

const openIn = (world: TestWorld) =>
  openUnderLock({
    goal: null,
    workspace: WORKSPACE,
    again: false,
    forceUnlock: false,
    emit: () => {},
    machine: world.machine(),
  });

/** As a build would have left the run whose tools were described otherwise, or only named. */
function describeOtherwise(world: TestWorld, tools: string | null): void {
  const { context, close } = openIn(world);
  context.record({
    type: 'settings_changed',
    ...settingsOf(context.state),
    tools,
    why: 'another build',
  });
  close();
}

const paused = async (): Promise<TestWorld> => {
  const world = testWorld();
  const first = model();
  const { result } = await runIn(world, first, { maxRounds: 1 });
  expect(result).toMatchObject({ ending: 'paused', why: 'limit_rounds' });
  expect(toolsIn(first)[0]).toEqual(DEFINITIONS);
  return world;
};

it('the definitions of the tools are journalled as the model is told them', async () => {
  const world = await paused();
  const [settings] = journalOf(world).filter((one) => one.type === 'settings_changed');
  const { context, close } = openIn(world);
  const tools = settings?.tools ?? '';
  expect(JSON.parse(context.textOf(tools))).toEqual(DEFINITIONS);
  close();
});

it('a build that describes its tools otherwise goes on with the journalled words', async () => {
  const world = await paused();
  describeOtherwise(world, JSON.stringify(OLDER));
  const later = model();
  const { result } = await runIn(world, later, { goal: null });
  expect(result.ending).toBe('achieved');
  const told = toolsIn(later);
  expect(told.length).toBeGreaterThan(0);
  for (const tools of told) expect(tools).toEqual(OLDER);
});

it('a run of which only the names are known goes on with the words of today', async () => {
  const world = await paused();
  describeOtherwise(world, null);
  const later = model();
  const { result } = await runIn(world, later, { goal: null });
  expect(result.ending).toBe('achieved');
  const told = toolsIn(later);
  expect(told.length).toBeGreaterThan(0);
  for (const tools of told) expect(tools).toEqual(DEFINITIONS);
});
