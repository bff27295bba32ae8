/**
 * One run whose every start is killed, most of them around the spawn of a command, until one comes to
 * its end; with a witness of what its commands did, and of what still worked beside a later start.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { startTimeOf } from '../../src/processes/identity.ts';
import { operatingSystem } from '../../src/processes/operating-system.ts';
import { type FakeOllama, startFakeOllama } from './fake-ollama.ts';
import {
  journalOf,
  newPlace,
  type PinnedAgent,
  type Place,
  type Started,
  startAgent,
  witnessOf,
} from './kill-agent.ts';
import { openIntent } from './kill-judge.ts';
import { nativeModel } from './kill-models.ts';

export type KillPlan =
  /** This long after the n-th command of this start has been spawned. */
  | { readonly at: 'spawn'; readonly n: number; readonly afterMs: number }
  | { readonly at: 'moment'; readonly ms: number };

/** What a kill met: a command that was not yet, or was recorded as started, or none. */
export type Met = 'before its record' | 'after its record' | 'no command';

export interface Kill {
  readonly plan: KillPlan;
  readonly met: Met;
}

export interface SpawnRun {
  /** Commands that had their effect, each at most once where there are no violations. */
  readonly ran: number;
  readonly kills: readonly Kill[];
  readonly violations: readonly string[];
}

/**
 * Says that it began, and works on for a while with a child that works on for longer. Where nobody
 * ends them, both outlive whoever started them.
 */
const BEAT = `import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { homedir } from 'node:os';
const label = process.argv[2];
appendFileSync(homedir() + '/witness.log', label + '\\n');
const beats = homedir() + '/beats';
const goOn = 'i=0; while [ $i -lt 200 ]; do echo "$1 $$" >> "$2"; i=$((i+1)); sleep 0.02; done';
spawn('/bin/sh', ['-c', goOn, 'beat', label, beats], { stdio: 'ignore' }).unref();
const timer = setInterval(() => appendFileSync(beats, label + ' ' + process.pid + '\\n'), 5);
setTimeout(() => {
  clearInterval(timer);
  console.log('step ' + label + ' done');
}, 40);
`;

const MODEL = 'scripted:1.5b';
const LABELS = ['a', 'b', 'c', 'd', 'e', 'f'];
const GOAL = 'Carry out some commands';
const cmdOf = (label: string): string => `node beat.mjs ${label}`;
const turn = (cmd: string) => [[{ name: 'run_cmd', arguments: { cmd } }]];

const modelFor = (labels: readonly string[]) =>
  nativeModel({
    plan: {
      tasks: [
        {
          description: 'the work',
          subtasks: labels.map((label) => ({
            ...{ action: 'run_cmd', cmd: cmdOf(label), purpose: 'does its part' },
          })),
        },
      ],
      verify: { cmd: 'node step.mjs proof', prints: 'step proof done', stdin: '' },
    },
    turns: Object.fromEntries(labels.map((label, index) => [`1.${index + 1}`, turn(cmdOf(label))])),
  });

/** Starts at most, in case a run never comes to its end. */
const MAX_STARTS = 60;

interface Scene {
  readonly place: Place;
  readonly server: FakeOllama;
  /** What was there when the start under way sent its first request; `null` until it does. */
  seen: { readonly lines: number; readonly pids: ReadonlySet<string> } | null;
}

/** @param nextPlan `null`: the start is not killed */
export async function killedAroundSpawns(
  agent: PinnedAgent,
  nextPlan: () => KillPlan | null,
  commands = LABELS.length,
): Promise<SpawnRun> {
  const place = newPlace();
  writeFileSync(join(place.workspace, 'beat.mjs'), BEAT);
  const reply = modelFor(LABELS.slice(0, commands));
  const server = await startFakeOllama({
    models: [{ name: MODEL, contextLength: 16384 }],
    script: (request) => {
      scene.seen ??= { lines: beatsOf(place).length, pids: pidsIn(beatsOf(place)) };
      return reply(request);
    },
  });
  const scene: Scene = { place, server, seen: null };
  const kills: Kill[] = [];
  const violations: string[] = [];
  try {
    for (let starts = 0; starts < MAX_STARTS; starts += 1) {
      const plan = nextPlan();
      scene.seen = null;
      const run = startAgent(agent, place, wordsOf(scene, starts), null);
      const isKilled = plan !== null && (await killAt(plan, run, place));
      const { code, output } = await run.ended;
      violations.push(...workedOn(scene).map((text) => `${JSON.stringify(plan)}: ${text}`));
      if (plan !== null && isKilled) {
        kills.push({ plan, met: metBy(place) });
        continue;
      }
      violations.push(...endFaults(place, code, output));
      return { kills, violations, ran: witnessOf(place).length };
    }
    return { kills, violations: [...violations, 'it never came to its end'], ran: 0 };
  } finally {
    for (const pid of pidsIn(beatsOf(place)))
      if (isAlive(Number(pid))) process.kill(Number(pid), 9);
    await server.close();
    place.dispose();
  }
}

/** Typed again, or resumed, as people do. */
function wordsOf({ place, server }: Scene, starts: number): readonly string[] {
  const common = ['--host', server.url, '--max-rounds', '60'];
  const isResumed = starts % 2 === 1 && journalOf(place).lines.length > 1;
  return isResumed
    ? ['resume', ...common]
    : ['run', GOAL, '--model', MODEL, '--tool-mode', 'native', ...common];
}

const beatsOf = ({ home }: Place): readonly string[] => {
  const file = join(home, 'beats');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
};

const pidsIn = (beats: readonly string[]): ReadonlySet<string> =>
  new Set(beats.map((beat) => beat.split(' ')[1] ?? ''));

const system = operatingSystem(process.platform);
const isAlive = (pid: number): boolean => startTimeOf(pid, system) !== null;

/** What had begun before a start spoke to the model, and worked on behind that. */
function workedOn({ place, seen }: Scene): readonly string[] {
  if (seen === null) return [];
  const later = beatsOf(place).slice(seen.lines);
  return [...pidsIn(later)]
    .filter((pid) => seen.pids.has(pid))
    .map((pid) => `process ${pid} worked on beside the resumed run`);
}

function metBy(place: Place): Met {
  const { records } = journalOf(place);
  const intent = openIntent(records);
  if (intent === null || intent.class === 'write') return 'no command';
  const { id, seq } = intent;
  return records.some((one) => one.type === 'action_started' && one.id === id && one.seq > seq)
    ? 'after its record'
    : 'before its record';
}

function endFaults(place: Place, code: number | null, output: string): readonly string[] {
  const witness = witnessOf(place);
  const counts = LABELS.map((label) => witness.filter((one) => one === label).length);
  const alive = [...pidsIn(beatsOf(place))].filter((pid) => isAlive(Number(pid)));
  return [
    ...(code === 0 || code === 9 ? [] : [`exit code ${code}: ${output}`]),
    // One that was cut off three times is held back by the loop guard: it may never run.
    ...counts.flatMap((count, at) => (count > 1 ? [`${LABELS[at]} ran ${count} times`] : [])),
    ...alive.map((pid) => `process ${pid} outlived the run`),
  ];
}

/** False where the run came to its end before the kill. */
async function killAt(plan: KillPlan, { child, ended }: Started, place: Place): Promise<boolean> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const startedAt = performance.now();
  const hasCome =
    plan.at === 'moment'
      ? () => performance.now() - startedAt >= plan.ms
      : spawns(child.pid ?? 0, place, plan);
  while (!isOver && !hasCome()) await setImmediate();
  return !isOver && child.kill('SIGKILL') && (await ended).code === null;
}

/** Looks for new processes by their numbers, which Linux gives out in a row. */
function spawns(
  parent: number,
  place: Place,
  { n, afterMs }: Extract<KillPlan, { at: 'spawn' }>,
): () => boolean {
  let looked = lastPid();
  let left = n;
  let spawnedAt: number | null = null;
  return () => {
    const last = lastPid();
    for (; looked < last && spawnedAt === null; looked += 1) {
      if (parentOf(looked + 1) !== parent || metBy(place) === 'no command') continue;
      left -= 1;
      if (left === 0) spawnedAt = performance.now();
    }
    return spawnedAt !== null && performance.now() - spawnedAt >= afterMs;
  };
}

const lastPid = (): number =>
  Number(readFileSync('/proc/loadavg', 'utf8').trim().split(' ').at(-1));

function parentOf(pid: number): number {
  const stat = system.readText(`/proc/${pid}/stat`) ?? '';
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
