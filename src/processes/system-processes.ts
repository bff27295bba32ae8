import type { Clock } from '../lib/clock.ts';
import { defined } from '../lib/defined.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';
import { type StartBackground, startInBackground } from './background.ts';
import type { Processes, ProcessHooks, ProcessRequest } from './contract.ts';
import { childEnvironment, INSIDE_A_RUN } from './environment.ts';
import { startTimeOf } from './identity.ts';
import { killProcessTree } from './kill-tree.ts';
import { endLeftover } from './leftovers.ts';
import { addressesOf, isListening } from './listening.ts';
import { type Marks, processMarks } from './marked.ts';
import {
  type OpenHooks,
  type OpenProcess,
  type OpenProcessRequest,
  openProcess,
} from './open-process.ts';
import { type OperatingSystem, operatingSystem } from './operating-system.ts';
import { askVersion } from './programs/ask-version.ts';
import {
  locateProgram,
  type ProgramPlaces,
  plainName,
  type Resolution,
} from './programs/locate.ts';
import type { Answers, ProgramKnowledge } from './programs/program-finder.ts';
import { resolveProgram } from './programs/resolve-program.ts';
import { cleanSearchPath, readVariable } from './programs/search-path.ts';
import { type ProcessPorts, runProcess } from './run.ts';
import {
  type Confinement,
  openConfined,
  runConfined,
  startConfined,
} from './sandbox/run-confined.ts';
import { starterOf } from './starter.ts';

export interface SystemProcessesOptions extends Omit<ProgramPlaces, 'searchPath'> {
  /** The environment of this program; children get its harmless part. */
  readonly env: { readonly [name: string]: string | undefined };
  readonly clock: Clock;
  readonly identity: Pick<ProcessIdentity, 'host' | 'boot' | 'pidNamespace'>;
  readonly known: ProgramKnowledge;
  /** Left out: programs run unconfined. */
  readonly confinement?: Confinement | undefined;
}

/** Finds programs, for tools that take command lines. */
export interface Programs {
  find(program: string): Promise<Resolution>;
  /** The cleaned environment for children: PATH without unsafe folders, permitted workspace folders first. */
  environment(): { readonly [name: string]: string };
}

export interface SystemProcesses extends Processes {
  /** For commands. */
  readonly programs: Programs;
  /** For the engine's own use: nothing of the workspace, whatever was allowed. */
  readonly outside: Programs;
  /** Starts a long-running program; left out if that is not possible. */
  open?(request: OpenProcessRequest, hooks: OpenHooks): Promise<OpenProcess>;
  /** Starts a background program, or says why it cannot; left out if that is not possible. */
  background?: StartBackground;
}

/** Caches programs' answers to version queries: each is asked once. */
export function systemProcesses(options: SystemProcessesOptions): SystemProcesses {
  const { platform, env, workspace, fs, clock, confinement } = options;
  const system = operatingSystem(platform, readVariable(env, 'SystemRoot', platform));
  const searchPath = cleanSearchPath({
    path: readVariable(env, 'PATH', platform),
    workspace,
    platform,
    fs,
  });
  const places: ProgramPlaces = {
    platform,
    workspace,
    fs,
    searchPath,
    trusted: options.trusted,
    nodePath: options.nodePath,
  };
  const startTime = (pid: number): string | null => startTimeOf(pid, system);
  const killTree: ProcessPorts['killTree'] = (pid, others) =>
    killProcessTree(pid, system, clock, others);
  const running = (): ReadonlySet<string> => new Set(system.list('/proc'));
  const starter = starterOf(system);
  const { host, boot, pidNamespace } = options.identity;
  const marks = processMarks({ system, killTree }, clock);
  const mark = marks?.mark;
  const place = { host, boot, pidNamespace, isGated: starter !== null, ...defined({ mark }) };
  const parts = { platform, clock, startTime, killTree, starter };
  const runOpen = (request: ProcessRequest, hooks: ProcessHooks) =>
    runProcess(request, hooks, {
      ...{ ...parts, isListening: (pid) => isListening(pid, system) },
      ...(platform === 'linux' ? { running } : {}),
    });
  const confined = confinement === undefined ? runOpen : runConfined(confinement, runOpen);
  const run = marks?.around(confined) ?? confined;

  const ask = answeredOnce(async (file, prefix, says) => {
    const { exitCode, output } = await askVersion(
      { platform, run },
      { file, prefix },
      environmentNow(options, searchPath),
    );
    return exitCode === 0 && says.test(output);
  });

  return {
    platform,
    place,
    run,
    ...stayingOf(parts, system, confinement, marks),
    resolve: (program) => locateProgram(program, places),
    startTime,
    killTree: (pid) => killTree(pid),
    ...defined({ endDaemons: marks?.endAll }),
    endLeftover: (started, there) =>
      endLeftover(started, there, { system, place, workspace, killTree }),
    programs: programsOf(options, places, ask),
    outside: programsOf({ ...options, trusted: [] }, { ...places, trusted: [] }, ask),
  };
}

function answeredOnce(asks: Answers): Answers {
  const answered = new Map<string, Promise<boolean>>();
  return (file, prefix, says) => {
    const key = [file, ...prefix, says].join(' ');
    const answer = answered.get(key) ?? asks(file, prefix, says);
    answered.set(key, answer);
    return answer;
  };
}

const programsOf = (
  options: SystemProcessesOptions,
  places: ProgramPlaces,
  ask: Answers,
): Programs => ({
  find: async (program) => {
    const found = await resolveProgram(program, places, options.known, ask);
    return found.kind === 'found' ? { ...found, notice: noticeOf(found, program, places) } : found;
  },
  environment: () => environmentNow(options, places.searchPath),
});

function noticeOf(
  { notice }: Extract<Resolution, { kind: 'found' }>,
  program: string,
  { trusted, platform }: ProgramPlaces,
): string {
  const name = plainName(program, platform);
  const leftOut = trusted.map((one) => one.leftOut(name)).find((why) => why !== '') ?? '';
  return [notice, leftOut].filter((line) => line !== '').join('\n');
}

/** Long-running and background programs. */
function stayingOf(
  ports: Omit<ProcessPorts, 'isListening'>,
  system: OperatingSystem,
  sandbox: Confinement | undefined,
  marks: Marks | undefined,
): Required<Pick<SystemProcesses, 'open' | 'background'>> {
  // Daemons that these programs leave end with the run.
  const marked = () => (marks === undefined ? {} : { [INSIDE_A_RUN]: marks.wordBeside() });
  const start: StartBackground = ({ env, ...request }, hooks) =>
    startInBackground({ ...request, env: { ...env, ...marked() } }, hooks, {
      ...ports,
      addressesOf: (pid) => addressesOf(pid, system),
    });
  const open = (request: OpenProcessRequest, hooks: OpenHooks) =>
    openProcess(request, hooks, ports);
  if (sandbox === undefined) return { open, background: start };
  return { open: openConfined(sandbox, open), background: startConfined(sandbox, start) };
}

function environmentNow(options: SystemProcessesOptions, searchPath: readonly string[]) {
  const { env, platform } = options;
  const trusted = options.trusted.filter((place) => place.isForChildren());
  return childEnvironment({
    env,
    platform,
    known: options.known,
    searchPath: [...trusted.map(({ folder }) => folder), ...searchPath],
    // The first folder takes precedence, so its variables do too.
    variables: Object.assign({}, ...trusted.toReversed().map(({ variables }) => variables)),
  });
}
