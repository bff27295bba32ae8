/** Calls that look at a folder or change it back: what a program without types gives wrongly is refused by its name. */
import { describe, expect, it } from 'vitest';
import { executeTurn } from '../../../src/host/library/execute-turn.ts';
import { loadConfig } from '../../../src/host/library/load-config.ts';
import {
  applyRun,
  diff,
  history,
  listRuns,
  listSessions,
  models,
  status,
  transcript,
  undo,
} from '../../../src/host/library/queries.ts';
import { ensureWorkspace, scaffoldBootstrapFiles } from '../../../src/host/library/starter.ts';
import { diligentModel } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../../support/test-machine.ts';

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

type Call = (request: never) => Promise<unknown>;

const OF_FOLDERS: { readonly [name: string]: Call } = {
  status,
  listRuns,
  listSessions,
  undo,
  applyRun,
  history: (request) => all(history(request)),
  diff: (request) => all(diff(request)),
  transcript: (request) => all(transcript(request)),
};
const CALLS: { readonly [name: string]: Call } = {
  ...OF_FOLDERS,
  models,
  executeTurn,
  ensureWorkspace,
  scaffoldBootstrapFiles,
  loadConfig,
};

const where = (world: TestWorld) => ({ workspace: WORKSPACE, machine: world.machine() });

describe.each(Object.entries(CALLS))('%s', (name, call) => {
  it.each([[null], [7], ['text']])('refuses %j instead of its options', async (options) => {
    await expect(call(options as never)).rejects.toMatchObject({
      code: 'E_USAGE',
      message: 'options must be an object.',
    });
  });

  it('refuses an option that it does not have', async () => {
    const options = { ...where(testWorld()), workspaces: [] };
    await expect(call(options as never)).rejects.toMatchObject({
      code: 'E_USAGE',
      message: expect.stringContaining(`${name} has no option "`),
    });
  });
});

it.each(Object.entries(OF_FOLDERS))(
  '%s refuses a folder that is not there',
  async (_name, call) => {
    const options = { ...where(testWorld()), workspace: `${WORKSPACE}-2` };
    await expect(call(options as never)).rejects.toMatchObject({ code: 'E_WORKSPACE' });
  },
);

it('an undo with a misspelt file undoes nothing', async () => {
  const world = testWorld();
  await runIn(
    world,
    scriptedProvider(
      diligentModel({
        subtasks: [{ action: 'write_file', file: 'one.txt', purpose: 'the first' }],
        files: { 'one.txt': ['1\n'] },
      }),
    ),
    { goal: 'Write one.txt', toolMode: 'json' },
  );
  const misspelt = { ...where(world), files: 'other.txt' } as never;
  await expect(undo(misspelt)).rejects.toMatchObject({ hint: 'Did you mean "file"?' });
  expect(world.read('one.txt')).toBe('1\n');
});

it.each<readonly [string, object]>([
  ['workspace', { workspace: '' }],
  ['run', { run: 7 }],
  ['file', { file: null }],
  ['forceUnlock', { forceUnlock: 'no' }],
  ['onRecord', { onRecord: 'x' }],
  ['machine', { machine: {} }],
  ['journal', { journal: {} }],
  ['origin', { originKey: new Uint8Array(3) }],
])('%s: undo refuses %j', async (name, more) => {
  await expect(undo({ ...where(testWorld()), ...more } as never)).rejects.toMatchObject({
    code: 'E_USAGE',
    message: expect.stringContaining(name),
  });
});
