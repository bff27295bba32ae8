/** Whose programs a run starts: real programs in real folders. */
import { randomBytes } from 'node:crypto';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunGoalOptions } from '../../src/agent.ts';
import { originKeys } from '../../src/host/journals/origin-key.ts';
import { programConsents } from '../../src/host/user/program-consents.ts';
import { nodeFileSystem as fs } from '../../src/lib/files/file-system.ts';
import type { PermissionQuestion } from '../../src/round/permission/person.ts';
import { systemMachine } from '../../src/run/machine.ts';
import { callingOwn, runWith } from '../support/own-tools.ts';
import { plant, plantProgram, ranIn } from '../support/planted.ts';
import { realFolder } from '../support/real-run.ts';
import { testWorld } from '../support/test-machine.ts';

/** Each start counts, also a second one of the same program. */
const MACHINE = systemMachine({ env: process.env, nodePath: process.execPath });

const command = (cmd: string) => ({ name: 'run_cmd', args: { cmd } });
const LOOKS =
  'cat package.json, ls, git status, grep helper package.json, node -v, find . -name x, diff package.json package.json'.split(
    ', ',
  );

function clone(): string {
  const folder = realFolder({ 'main.py': 'print("own")\n' });
  onTestFinished(() => {
    for (const more of ['.ran', '.ran.env', '.data'])
      rmSync(folder + more, { recursive: true, force: true });
  });
  return folder;
}

const kept = (folder: string, of = folder): RunGoalOptions['programConsents'] => {
  const keys = originKeys({ fs, dataFolder: `${of}.data`, random: randomBytes });
  return programConsents({ fs, dataFolder: `${of}.data`, keys }, folder, () => {});
};

/** Runs the commands, one after the other, in a run of its own. */
async function runs(
  folder: string,
  commands: readonly string[],
  options: Partial<RunGoalOptions> = {},
) {
  const { resultsOf, events, result } = await runWith(
    testWorld(),
    callingOwn(...commands.map(command)),
    {
      ...{ workspace: folder, machine: MACHINE, again: true },
      ...options,
    },
  );
  const said = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  return { said, result, results: resultsOf('run_cmd').map((one) => one.result) };
}

/** Answers every question, and remembers them. */
function person(allowed: boolean) {
  const asked: PermissionQuestion[] = [];
  const ask: RunGoalOptions['ask'] = async (question) => {
    asked.push(question as PermissionQuestion);
    return allowed ? { kind: 'once' } : { kind: 'no', why: '' };
  };
  return { asked, ask };
}

const PYTHON = ['.venv/bin'] as const;

describe.skipIf(process.platform === 'win32')(
  'a run in a clone that brings programs of its own',
  () => {
    it('starts none of them unasked, and says whose they are', async () => {
      const folder = clone();
      plant(folder);
      const { said, results } = await runs(folder, [...LOOKS, 'python main.py']);
      expect(ranIn(folder)).toEqual([]);
      expect(results.at(-1)).toContain('own');
      expect(said.join('\n')).toContain(
        'python is that of PATH: nobody has allowed the programs of .venv (',
      );
    });

    it('waits for a yes before any model is asked, where the proof of the person needs them', async () => {
      const folder = clone();
      plant(folder, PYTHON);
      const proof = '.venv/bin/pytest -q';
      const { result } = await runs(folder, [], { proof });
      expect(result).toMatchObject({
        ...{ ending: 'paused', why: 'waiting_for_person' },
        detail: expect.stringContaining('pytest lies in this project'),
        state: { counters: { turns: 0 }, permissions: { open: [{ rules: ['programs(.venv)'] }] } },
      });
      const allowed = await runs(folder, [], { proof, allow: ['programs(.venv)'] });
      expect(allowed.result.state.counters.turns).toBeGreaterThan(0);
    });

    it('takes npm and node from PATH for a test of the project, whatever a virtual environment holds', async () => {
      const folder = clone();
      plant(folder, PYTHON);
      const { results } = await runs(folder, ['npm test', 'node -v'], { trustPrograms: true });
      expect(String(results[0])).toContain('fine');
      expect(ranIn(folder)).toEqual([]);
    });

    it('asks once for the folder, and a yes lets nothing but the names of its language run', async () => {
      const folder = clone();
      plant(folder, PYTHON);
      const { asked, ask } = person(true);
      const { results } = await runs(folder, ['ls', 'python main.py', 'pytest', 'curl -V'], {
        ask,
      });
      const of = asked.filter(({ tool }) => tool === 'programs');
      expect(of.map(({ target, rules }) => [target, rules])).toEqual([
        ['.venv (mypy, pip, pytest, python, python3, ruff)', ['programs(.venv)']],
      ]);
      expect(ranIn(folder)).toEqual(['.venv/bin/python main.py', '.venv/bin/pytest']);
      expect(results[1]).toContain('planted');
    });

    it('takes a yes that gives the question back unchanged as one', async () => {
      const folder = clone();
      plant(folder, PYTHON);
      const canUseTool: RunGoalOptions['canUseTool'] = async (_name, input) => ({
        behavior: 'allow',
        updatedInput: input,
      });
      await runs(folder, ['python main.py'], { canUseTool });
      expect(ranIn(folder)).toEqual(['.venv/bin/python main.py']);
    });

    it('takes the programs of PATH after a no, and does not ask again', async () => {
      const folder = clone();
      plant(folder, PYTHON);
      const { asked, ask } = person(false);
      const { results } = await runs(folder, ['python main.py', 'python main.py -x'], { ask });
      expect(asked.map(({ tool }) => tool)).toEqual(['programs']);
      expect(results.every((text) => String(text).includes('own'))).toBe(true);
      expect(ranIn(folder)).toEqual([]);
    });

    it('keeps a yes until a program changes, and for no copy of the folder', async () => {
      const folder = clone();
      plant(folder, PYTHON);
      const first = person(true);
      const programConsentsOf = kept(folder);
      if (programConsentsOf === undefined) throw new Error('no consents');
      await runs(folder, ['python main.py'], {
        ask: first.ask,
        programConsents: programConsentsOf,
      });
      expect(first.asked).toHaveLength(1);
      const again = await runs(folder, ['python main.py'], { programConsents: programConsentsOf });
      expect(again.said[0]).toBe(
        'Programs of this folder: .venv (mypy, pip, pytest, python, python3, ruff).',
      );
      expect(ranIn(folder)).toHaveLength(2);
      plantProgram(join(folder, '.venv/bin/ruff'), `${folder}.ran`, 'something else');
      const changed = person(false);
      await runs(folder, ['python main.py'], {
        ask: changed.ask,
        programConsents: programConsentsOf,
      });
      expect(changed.asked).toHaveLength(1);
      const copy = `${folder}.copy`;
      onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
      cpSync(folder, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      const there = person(false);
      const elsewhere = kept(copy, folder);
      await runs(copy, ['python main.py'], {
        ask: there.ask,
        ...(elsewhere === undefined ? {} : { programConsents: elsewhere }),
      });
      expect(there.asked).toHaveLength(1);
      expect(ranIn(folder)).toHaveLength(2);
    });

    it.each([
      ['trustPrograms', { trustPrograms: true }, true],
      ['a rule that allows', { allow: ['programs(.venv)'] }, true],
      ['a rule that holds back', { trustPrograms: true, deny: ['programs(.venv)'] }, false],
      [
        'a rule of the project that holds back',
        { trustPrograms: true, rules: { project: { deny: ['programs(*)'] } } },
        false,
      ],
      ['a rule for another folder', { allow: ['programs(venv)'] }, false],
    ] as const)('without a person: %s', async (_, options, isRun) => {
      const folder = clone();
      plant(folder, PYTHON);
      await runs(folder, ['python main.py'], options);
      expect(ranIn(folder)).toEqual(isRun ? ['.venv/bin/python main.py'] : []);
    });

    it('never takes a planted program for one that a rule names', async () => {
      const folder = clone();
      plant(folder);
      await runs(folder, ['curl --version', 'npx --version'], {
        allow: ['curl', 'npx'],
        trustPrograms: true,
      });
      expect(ranIn(folder)).toEqual([]);
    });

    it('runs nothing by way of npx that nobody allowed, and notes what it would need', async () => {
      const folder = clone();
      plant(folder);
      const { results } = await runs(folder, ['npx tsc']);
      expect(ranIn(folder)).toEqual([]);
      expect(results.join('\n')).toContain(
        'tsc is only in node_modules, whose programs nobody has allowed',
      );
      expect(results.join('\n')).toContain("--allow 'programs(node_modules)'");
    });

    it('uses the environment that it made itself without a question, and no program that came later', async () => {
      const folder = clone();
      const { asked, ask } = person(false);
      const { results } = await runs(
        folder,
        ['python -m venv .venv --without-pip', 'python -c "import sys; print(sys.prefix)"'],
        { ask },
      );
      expect(asked).toEqual([]);
      expect(results[1]).toContain(join(folder, '.venv'));
      writeFileSync(join(folder, '.venv/bin/pytest'), '#!/bin/sh\necho planted\n', { mode: 0o755 });
      const later = await runs(folder, ['python -c "import sys; print(sys.prefix)"']);
      expect(later.results[0]).not.toContain(join(folder, '.venv'));
    });
  },
);
