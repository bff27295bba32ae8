/** A bare repository and machines that reach it, each with a disk and a clock of its own. */
import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { openOwnedRun } from '../../../src/agent.ts';
import { openAtHome } from '../../../src/cli/fleet/home.ts';
import type { FleetRequest } from '../../../src/fleet/contract.ts';
import type { StartGit } from '../../../src/fleet/home/git.ts';
import { GitHome } from '../../../src/fleet/home/git-home.ts';
import { repositoryIn } from '../../../src/fleet/home/repository.ts';
import { seed } from '../../../src/fleet/home/seed.ts';
import { OpenRuns } from '../../../src/fleet/slices.ts';
import { nodeFileSystem as fs } from '../../../src/lib/files/file-system.ts';
import { thisMachine } from '../../../src/run/machine.ts';
import { SCRIPTED_MODEL, type Script, scriptedProvider } from '../../support/scripted-provider.ts';
import { REQUEST } from '../in-process.ts';

const startGit =
  (cwd: string): StartGit =>
  (request) => {
    const { PATH, SystemRoot } = process.env;
    const env = { PATH, SystemRoot, HOME: cwd, LANG: 'C', ...request.variables };
    return new Promise((done) => {
      const child = execFile('git', [...request.words], { cwd, env }, (error, out, said) =>
        done({ code: error === null ? 0 : Number(error.code), out, said }),
      );
      // It may be gone before.
      child.stdin?.on('error', () => {});
      child.stdin?.end(request.stdin ?? '');
    });
  };

/** As a person calls it, with none of their settings. */
export const git = (cwd: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
    ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  }).trim();

interface ProjectFiles {
  readonly [path: string]: string | Uint8Array;
}

const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'tardigrade-home-')));
const remove = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

const foldersIn = (top: string) => ({
  remote: join(top, 'home.git'),
  project: join(top, 'project'),
});

/** A run in the home of that folder, which begins at the commit that its project is at. */
async function submit(top: string, run: string): Promise<void> {
  const repository = await repositoryIn(join(top, 'submits.git'), { fs, start: startGit(top) });
  const { remote, project: workspace } = foldersIn(top);
  await seed(repository, remote, { run, workspace });
}

/** A folder to copy: a project of these files, and its home, in which `r1` has been submitted. */
export async function submitted(files: ProjectFiles): Promise<string> {
  const top = newFolder();
  afterAll(() => remove(top));
  const { remote, project } = foldersIn(top);
  mkdirSync(project);
  git(top, 'init', '-q', '--bare', remote);
  // Git would look behind each push whether there is anything to tidy up.
  appendFileSync(join(remote, 'config'), '[receive]\n\tautogc = false\n');
  git(project, 'init', '-q', '-b', 'main');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'start');
  git(project, 'push', '-q', remote, 'main');
  await submit(top, 'r1');
  return top;
}

/** @param from what `submitted` has made */
export function gitFleet(from: string, script: Script) {
  const top = newFolder();
  onTestFinished(() => remove(top));
  cpSync(from, top, { recursive: true });
  const { remote, project } = foldersIn(top);
  let now = 0;
  const looks = new Set<() => void>();
  /** @param dies called as the first command is about to begin, and its machine is gone */
  const machineNamed = (name: string, dies: (() => void) | null = null) => {
    const root = join(top, name);
    mkdirSync(root);
    let isCut = false;
    const start = startGit(root);
    const gone = async (): Promise<void> => {
      if (dies === null) return;
      isCut = true;
      dies();
      await new Promise(() => {});
    };
    const asked: (readonly string[])[] = [];
    const cuttable: StartGit = (request) => {
      asked.push(request.words);
      return isCut && request.words.includes(remote)
        ? Promise.resolve({ code: 128, out: '', said: 'unreachable' })
        : start(request);
    };
    const here = thisMachine();
    const machine = { ...here, identity: { ...here.identity, host: name, boot: name } };
    const home = new GitHome({
      clock: {
        now: () => now,
        monotonic: () => now,
        every: (_, look) => {
          looks.add(look);
          return () => looks.delete(look);
        },
      },
      identity: machine.identity,
      ...{ holder: name, remote, root, aside: join(root, '.aside') },
      repository: () => repositoryIn(join(root, '.home.git'), { fs, start: cuttable }),
    });
    const slices = new OpenRuns({
      clock: here.clock,
      mostOpen: 4,
      leastMs: 0,
      open: (request, signal) =>
        openAtHome(home, request, ({ workspace, lost }, beforeEffect) =>
          openOwnedRun({
            ...{ goal: request.goal, run: request.run, workspace, machine },
            beforeEffect: () => beforeEffect().then(gone),
            ...{ provider: scriptedProvider(script), model: SCRIPTED_MODEL, yes: true },
            ...{ signal: AbortSignal.any([signal, lost]), toolMode: 'native', plainTry: false },
          }),
        ),
      answer: async () => null,
    });
    return {
      ...{ root, home, slices, asked },
      cut: (cut: boolean) => {
        isCut = cut;
      },
    };
  };
  return {
    ...{ top, remote, project, machineNamed },
    begin: async (run: string, goal: string): Promise<FleetRequest> => {
      if (run !== 'r1') await submit(top, run);
      return { ...REQUEST, run, workspace: project, goal, home: 'git' };
    },
    pass: async (ms: number) => {
      now += ms;
      for (const look of looks) look();
    },
  };
}
