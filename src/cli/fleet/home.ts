/** The git repository that stores the runs of a fleet: fetching a run, returning it, beginning one. */
import { randomBytes } from 'node:crypto';
import type { OwnedRun } from '../../agent.ts';
import type { FleetRequest } from '../../fleet/contract.ts';
import type { RunClaim } from '../../fleet/home/contract.ts';
import { checkRepository, GIT_ACCESS, type StartGit } from '../../fleet/home/git.ts';
import { GitHome } from '../../fleet/home/git-home.ts';
import { repositoryIn } from '../../fleet/home/repository.ts';
import { seed } from '../../fleet/home/seed.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { STATE_DIRECTORY } from '../../journal/layout.ts';
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { ensureDirectory } from '../../lib/files/durable-files.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import type { Machine } from '../../run/machine.ts';
import { subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import type { CommandContext } from '../command-context.ts';
import { rootsOf } from './roots.ts';
import { fleetFolder } from './sdk-places.ts';

/** `null`: none is named. Throws E_USAGE for an invalid address. */
export const homeIn = ({ invocation: { home } }: CommandContext): string | null =>
  home === undefined ? null : checkRepository(home);

/** The home of this process, a repository below the first folder where it may work; `null`: none is named. */
export function homeHere(context: CommandContext): GitHome | null {
  const remote = homeIn(context);
  if (remote === null) return null;
  const { terminal } = context;
  const { machine, fs } = userResources(terminal);
  const { join } = pathsOf(terminal.platform);
  const [root = terminal.cwd] = rootsOf(context);
  const own = join(root, STATE_DIRECTORY);
  const { identity, clock } = machine;
  return new GitHome({
    clock: { ...clock, every: (ms, act) => terminal.every(ms, act) },
    identity,
    remote,
    root,
    holder: holderName(identity.host, process.pid),
    aside: join(own, 'aside'),
    repository: () =>
      repositoryIn(join(own, 'home.git'), { fs, start: starter(machine, terminal.env, root) }),
  });
}

const holderName = (host: string, pid: number): string =>
  `${host.replace(/[^\w-]/g, '-').slice(0, 50)}-${pid}-${randomBytes(4).toString('hex')}`;

export function requireHome(home: GitHome | null): GitHome {
  if (home !== null) return home;
  throw misuse(
    'The run lies in a repository, and this worker was given none.',
    `Start it with ${longFlag(OPTIONS.home)}.`,
  );
}

/** Stores the current commit of a folder as the beginning of a run, and returns that commit. */
export async function beginAtHome(
  { terminal }: CommandContext,
  remote: string,
  place: { readonly run: string; readonly workspace: string },
): Promise<string> {
  const { machine, fs } = userResources(terminal);
  const folder = fleetFolder({ terminal });
  ensureDirectory(fs, folder);
  const start = starter(machine, terminal.env, folder);
  const { join } = pathsOf(terminal.platform);
  return seed(await repositoryIn(join(folder, 'home.git'), { fs, start }), remote, place);
}

/** The worker gets the messages of the journal before the result of its work. */
export async function openAtHome(
  home: Pick<GitHome, 'claim'>,
  request: FleetRequest,
  open: (claim: RunClaim, beforeEffect: () => Promise<void>) => Promise<OwnedRun>,
): Promise<OwnedRun> {
  const claim = await home.claim(request.run);
  let active: OwnedRun | null = null;
  const written = (): readonly string[] => (active === null ? [] : writtenIn(active.state()));
  try {
    active = await open(claim, () => claim.keep(written()));
  } catch (error) {
    await claim.giveUp([]).catch(() => {});
    throw error;
  }
  const run = active;
  return {
    ...run,
    takeStep: async (isDue) => {
      const before = endedIn(run.state());
      const result = await run.takeStep(isDue);
      // If this push fails, the next one includes its commits; no outside effect begins before that.
      if (result === null && endedIn(run.state()) > before)
        await claim.keep(written()).catch(throwIfLost);
      return result;
    },
    close: async () => {
      await run.close();
      await claim.giveUp(written());
    },
  };
}

const writtenIn = ({ files }: RunState): readonly string[] =>
  Object.entries(files).flatMap(([path, { written }]) => (written ? [path] : []));

const endedIn = ({ plan }: RunState): number =>
  (plan === null ? [] : subtasksOf(plan)).filter(
    ({ status }) => status !== 'pending' && status !== 'in_progress',
  ).length;

function throwIfLost(error: unknown): void {
  if (!(error instanceof TardigradeError) || error.code !== 'E_IO') throw error;
}

const GIT_MS = 10 * 60_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Runs git with the user's own credentials and no other secret of the environment. */
function starter(
  machine: Machine,
  env: { readonly [name: string]: string | undefined },
  cwd: string,
): StartGit {
  const processes = machine.processes(cwd, []);
  const access = Object.fromEntries(
    GIT_ACCESS.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  return async ({ words, stdin, variables }) => {
    const git = await processes.outside.find('git');
    if (git.kind !== 'found')
      throw misuse('git was not found; runs in a repository need it.', 'Install git.');
    const outcome = await processes.run(
      {
        file: git.file,
        args: [...git.prefix, ...words],
        cwd,
        ...(stdin === undefined ? {} : { stdin }),
        env: { ...processes.outside.environment(), ...access, ...variables },
        timeoutMs: GIT_MS,
        maxOutputBytes: MAX_OUTPUT,
        maxStreamBytes: MAX_OUTPUT,
      },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
    const { stdout, stderr } = outcome.streams ?? {};
    const isWhole = outcome.kind === 'exited' && (stdout?.leftOutBytes ?? 0) === 0;
    return {
      code: isWhole ? outcome.exitCode : null,
      out: stdout?.text ?? '',
      said: stderr?.text ?? outcome.error ?? '',
    };
  };
}
