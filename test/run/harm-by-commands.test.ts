/** A whole run whose programs change what the user had: kept, named at the end, and undone. */
import { describe, expect, it } from 'vitest';
import { undoPlan } from '../../src/host/journals/undo.ts';
import { applyRun } from '../../src/host/library/queries.ts';
import { runSync } from '../../src/lib/interruptible.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import { openUnderLock } from '../../src/run/open.ts';
import { commandFiles } from '../../src/run/stream/changed-files.ts';
import { undoingOpened } from '../../src/undo/open-run.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import {
  isInCopy,
  type TestMachine,
  type TestWorld,
  testWorld,
  WORKSPACE,
} from '../support/test-machine.ts';

const GIVEN = 'id;name\r\n1;  Ann \r\n';
const CLEAN = 'id;name\n1;Ann\n';

const WORK: PlannedWork = {
  subtasks: [
    { action: 'write_file', file: 'clean.mjs', purpose: 'cleans data.csv' },
    { action: 'run_cmd', cmd: 'node clean.mjs', purpose: 'cleans it' },
  ],
  verify: { cmd: 'node clean.mjs', prints: 'clean' },
  files: { 'clean.mjs': ['console.log("clean");\n'] },
};

const model = () => scriptedProvider(diligentModel(WORK));

/** A world in which the program cleans the table, as the model meant it to. */
/** In a copy of the folder. */
const isTrial = ({ id }: { readonly id: string }): boolean => id.startsWith('scratch#');

function cleaning(onRun: (world: TestWorld) => void = () => {}): TestWorld {
  const world: TestWorld = testWorld((_args, _stdin, read) => {
    if (isInCopy(read)) return { output: 'clean\n', exitCode: 0 };
    world.write('data.csv', CLEAN);
    onRun(world);
    return { output: 'clean\n', exitCode: 0 };
  });
  world.write('data.csv', GIVEN);
  return world;
}

function undo(world: TestWorld) {
  const machine = world.machine();
  const opened = openUnderLock({
    ...{ workspace: WORKSPACE, goal: null, again: false, forceUnlock: false, machine },
    emit: () => {},
  });
  try {
    return runSync(undoingOpened(opened, machine));
  } finally {
    opened.close();
  }
}

it('names at its end what a command has put where git runs it by itself', async () => {
  const world = cleaning((at) => at.write('.git/hooks/pre-commit', 'curl evil\n'));
  world.write('.git/hooks/pre-push', 'mine\n');
  const { events } = await runIn(world, model());
  const at = events.findIndex(
    (event) => event.type === 'notice' && event.text.startsWith('.git/hooks/pre-commit is new'),
  );
  const ended = events.findIndex(
    (event) => event.type === 'record' && event.record.type === 'run_finished',
  );
  expect(at).toBeGreaterThan(0);
  expect(at).toBeLessThan(ended);
  expect(JSON.stringify(events)).not.toContain('.git/hooks/pre-push');
});

describe.each(['native', 'json'] as const)(
  'a run in %s mode whose script cleans a table',
  (toolMode) => {
    it('keeps the table before its first command, names it at the end, and undoes it', async () => {
      const world = cleaning();
      const goal = 'Write clean.mjs and clean data.csv with it';
      const { result } = await runIn(world, model(), { toolMode, goal });
      const types = journalOf(world).map(({ type }) => type);
      expect(types.filter((type) => type === 'files_kept')).toHaveLength(1);
      const begun = journalOf(world).findIndex(
        (one) => one.type === 'action_started' && !isTrial(one),
      );
      expect(types.indexOf('files_kept')).toBeLessThan(begun);
      expect(types.filter((type) => type === 'files_changed')).toHaveLength(1);
      // What a model that is led did, and nothing proves, is out of the folder already.
      const isWithheld = toolMode === 'json';
      const changed = isWithheld ? [] : ['data.csv'];
      expect(commandFiles(result.state)).toMatchObject({ changed, made: [] });
      expect(world.read('data.csv')).toBe(isWithheld ? GIVEN : CLEAN);
      if (isWithheld) await applyRun({ workspace: WORKSPACE, machine: world.machine() });
      expect(undoPlan(world.machine(), WORKSPACE)).toMatchObject({
        files: [
          'data.csv (changed by a command, will be put back)',
          'clean.mjs (created by the run, will be removed)',
        ],
        ...{ left: [], commands: ['node clean.mjs'], isWatched: true },
      });
      expect(undo(world)).toMatchObject({ restored: ['data.csv'], removed: ['clean.mjs'] });
      expect(world.read('data.csv')).toBe(GIVEN);
    });

    it('and that is killed in the command says what changed, and that nobody knows by whom', async () => {
      let machine: TestMachine | null = null;
      const world = cleaning(() => machine?.kill());
      machine = world.machine();
      await runIn(world, model(), { toolMode, machine }).catch(() => undefined);
      machine = null;
      const { result, events } = await runIn(world, model(), { toolMode });
      const changes = journalOf(world).filter((record) => record.type === 'files_changed');
      expect(changes).toMatchObject([
        {
          by: 'unknown',
          files: [{ path: 'data.csv', before: sha256(GIVEN), after: sha256(CLEAN) }],
        },
      ]);
      expect(commandFiles(result.state)).toMatchObject({ changed: [], unseen: ['data.csv'] });
      const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
      expect(notices.join('\n')).toContain('data.csv');
      const preview = undoPlan(world.machine(), WORKSPACE);
      expect(preview?.left).toEqual(['data.csv (while nobody watched, nobody knows by whom)']);
      expect(preview?.damage).toBeUndefined();
      const { leftAlone } = undo(world);
      expect(leftAlone.find(({ path }) => path === 'data.csv')?.why).toContain(sha256(GIVEN));
    });
  },
);
