/** Files of a real repository, changed in a line: what somebody else left there is no obstacle, whoever leads. */
import { describe, expect, it } from 'vitest';
import { runGoal } from '../../src/agent.ts';
import type { FileFacts } from '../../src/schema/actions.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { PYTHON } from '../languages/inspection-support.ts';
import { diligentModel } from '../support/models.ts';
import { IMPORTED, ORDINARY_FILES } from '../support/ordinary-files.ts';
import { realFolder, realMachine, textIn } from '../support/real-run.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type Script,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { someKills } from '../support/some-kills.ts';

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
const DONE = call('mark_subtask_complete', { success: true, reason: 'each is changed' });
const planFor = (files: readonly string[]): ScriptedCall =>
  call('set_plan', { tasks: [{ description: 'work', subtasks: [{ do: 'change them', files }] }] });

const GIVEN = {
  ...IMPORTED,
  ...Object.fromEntries(ORDINARY_FILES.map(([, path, text]) => [path, text])),
};
const PATHS = ORDINARY_FILES.map(([, path]) => path);
const AFTER = Object.fromEntries(
  ORDINARY_FILES.map(([, path, text, [from, to]]) => [path, text.replace(from, to)]),
);

async function run(
  script: Script,
  toolMode: 'native' | 'json',
  files: { readonly [path: string]: string } = GIVEN,
) {
  const workspace = realFolder(files);
  const records: JournalRecord[] = [];
  const result = await runGoal({
    ...{ goal: 'Change each of the files', workspace, model: SCRIPTED_MODEL, toolMode },
    provider: scriptedProvider(script, LARGE),
    machine: realMachine(),
    emit: (event: RunEvent) => {
      if (event.type === 'record') records.push(event.record);
    },
  });
  const ended = records.flatMap((one) => (one.type === 'action_finished' ? [one] : []));
  const turns = records.filter(({ type }) => type === 'turn_finished').length;
  const left = records.flatMap((one) => (one.type === 'subtask_finished' ? [one.status] : []));
  return { workspace, ended, turns, left, result };
}

const problemsIn = (ended: Awaited<ReturnType<typeof run>>['ended']) =>
  ended.flatMap(({ facts, result }) => [
    ...(facts.files ?? []).flatMap(({ problems }) => problems),
    ...(String(result).includes('Problem in') ? [String(result)] : []),
  ]);

const hasProblems = ({ problems }: FileFacts): boolean => problems.length > 0;

describe.skipIf(PYTHON === null)('ordinary files that are changed in a line', () => {
  it('are done in one reply where the model leads', async () => {
    const work = ORDINARY_FILES.flatMap(([, path, , [old_text, new_text]]) => [
      call('read_file', { path }),
      call('edit_file', { path, old_text, new_text }),
    ]);
    const { workspace, ended, turns } = await run(
      () => ({ calls: [planFor(PATHS), ...work, DONE] }),
      'native',
    );
    for (const path of PATHS) expect(textIn(workspace, path)).toBe(AFTER[path]);
    expect(problemsIn(ended)).toEqual([]);
    expect(ended.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(turns).toBe(1);
  });

  const PAIRS = PATHS.flatMap((path, at) => (at % 2 === 0 ? [[path, PATHS[at + 1] ?? path]] : []));

  // `npm run crash` takes all of them; the model that leads changes each of them above.
  it.each(someKills(PAIRS, 10))(
    'have no problems where the engine leads: %s and %s',
    async (...paths) => {
      const model = diligentModel({
        subtasks: paths.flatMap((file) => [
          { action: 'read_file', file, purpose: 'see it' },
          { action: 'write_file', file, purpose: 'change it' },
        ]),
        files: Object.fromEntries(paths.map((path) => [path, [AFTER[path] ?? '']])),
      });
      const { ended } = await run(model, 'json');
      expect(ended.some(({ facts }) => facts.files !== undefined)).toBe(true);
      expect(ended.flatMap(({ facts }) => facts.files ?? []).filter(hasProblems)).toEqual([]);
    },
  );
});

describe('a problem that the run itself brings in', () => {
  const TEXT = 'export const add = (a, b) => a + b;\n';
  const BAD = `${TEXT}export const sub = ;\n`;

  it('is named where the model leads, and is no gate', async () => {
    const work = [
      call('read_file', { path: 'calc.mjs' }),
      call('write_file', { path: 'calc.mjs', content: BAD }),
      call('edit_file', { path: 'calc.mjs', old_text: 'a + b', new_text: 'b + a' }),
    ];
    const { ended, turns } = await run(
      () => ({ calls: [planFor(['calc.mjs']), ...work, DONE] }),
      'native',
      { 'calc.mjs': TEXT },
    );
    expect(
      problemsIn(ended).filter((one) => one.startsWith('Problem in') || one.includes('\n')),
    ).toHaveLength(2);
    expect(ended.at(-1)).toMatchObject({ does: 'ends_subtasks', status: 'ok' });
    expect(turns).toBe(1);
  });

  it('leaves the subtask unverified where the engine leads, and its content is asked for no more', async () => {
    const model = diligentModel({
      subtasks: [
        { action: 'read_file', file: 'calc.mjs', purpose: 'see it' },
        { action: 'write_file', file: 'calc.mjs', purpose: 'change it' },
      ],
      files: { 'calc.mjs': [BAD] },
    });
    const { ended, left } = await run(model, 'json', { 'calc.mjs': TEXT });
    expect(problemsIn(ended)).not.toEqual([]);
    expect(ended.filter(({ status }) => status === 'denied')).toEqual([]);
    expect(left).toEqual(['completed', 'unverified']);
  });
});
