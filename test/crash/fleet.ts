/** A fleet whose workers and engine are killed, stopped and started while its runs work; a witness outside sees each command. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { journalPath } from '../../src/cli/journal-tail.ts';
import { chainReport } from '../../src/host/journals/journal.ts';
import { thisMachine } from '../../src/run/machine.ts';
import { FleetLab, runsAll, WHY_NO_FLEET, type WorkerProcess } from '../support/fleet-lab.ts';
import { nextVersionOf, pinAgent } from '../support/kill-agent.ts';
import type { FaultReport } from './contract.ts';

export interface FleetFaults {
  readonly bin: string;
  readonly runs: number;
  readonly workers: number;
  readonly labels: readonly string[];
  readonly mostMs: number;
  /** Milliseconds that each command takes. */
  readonly commandMs?: number;
  /** What is done to workers and engine until everything has ended; resolves to how often. */
  readonly disturb: (lab: FleetLab, isOver: () => boolean) => Promise<number>;
  /** No command may be cut off. */
  readonly isGentle?: boolean;
  /** Where it happens, with runs of these numbers from `from` on; left out: a fleet of its own, on Restate. */
  readonly there?: { readonly lab: FleetLab; readonly from: number };
  readonly say?: (text: string) => void;
}

interface Seen {
  /** As many as there really were: the runs may have come to their end before. */
  readonly faults: number;
  /** What was wrong; nothing where all promises were kept. */
  readonly violations: readonly string[];
}

export async function fleetUnderFaults(faults: FleetFaults): Promise<Seen> {
  const { runs, workers, labels, mostMs, commandMs = 300, say = () => {} } = faults;
  const script = (request: unknown) => runsAll(labels)(request as never);
  const { lab, from } = faults.there ?? { lab: await FleetLab.open(faults.bin, script), from: 0 };
  try {
    await lab.startWorkers(workers - lab.workers.length);
    const names: string[] = [];
    for (let run = from; run < from + runs; run += 1)
      names.push(await lab.submit(run, lab.folder(run, commandMs)));
    const began = Date.now();
    let saidAt = began;
    const ended = lab.ended(names, mostMs, (left) => {
      if (Date.now() - saidAt < SAY_MS) return;
      saidAt = Date.now();
      const seconds = Math.round((saidAt - began) / 1000);
      say(
        `    ${seconds} s: ${runs - left} of ${runs} runs ended, ${commandsBegun(lab)} commands begun`,
      );
    });
    // It is awaited below; until then its failure is nobody's.
    ended.catch(() => {});
    let isOver = false;
    void ended.catch(() => {}).then(() => (isOver = true));
    const done = await faults.disturb(lab, () => isOver);
    say(`    ${done} faults after ${Math.round((Date.now() - began) / 1000)} s`);
    await ended.catch((error: Error) => say(error.message));
    const cut = faults.isGentle === true ? cutOff(lab, names) : [];
    const violations = [
      ...(await unfinished(lab, names)),
      ...judged(lab, names, labels),
      ...cut.map((name) => `a command of ${name} was cut off`),
    ];
    const all = [...violations, ...brokenChains(lab)];
    // The report at the end names only the first of them.
    for (const one of all) say(`    ${one}`);
    return { faults: done, violations: all };
  } finally {
    if (faults.there === undefined) await lab.close();
  }
}

const commandsBegun = (lab: FleetLab): number =>
  lab.witnessed().filter(([, , word]) => word === 'begins').length;

/** The same numbers for the same seed. */
function diceOf(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const SAY_MS = 30_000;
const LOOK_MS = 50;
const PAUSE_MS = 400;
/** Kills that come faster than anything can be done would only show how fast workers start. */
const MAX_IDLE_MS = 15_000;
const STOPPED_MS = 20_000;

interface Kills {
  readonly kills: number;
  readonly workers: number;
  readonly seed: number;
  /** Also workers that are stopped for longer than a lease. */
  readonly stops?: boolean;
}

/** Kills until there were as many as wanted, or everything has ended. */
export const killing =
  ({ kills, workers, seed, stops = false }: Kills): FleetFaults['disturb'] =>
  async (lab, isOver) => {
    const dice = diceOf(seed);
    let done = 0;
    for (; done < kills && !isOver(); done += 1) {
      await untilMore(lab, isOver);
      await after(dice(PAUSE_MS));
      const living = lab.workers;
      const one = living[dice(living.length)] as WorkerProcess;
      if (dice(10) === 0) await lab.killEngine();
      else if (stops && dice(8) === 0) {
        one.kill('SIGSTOP');
        setTimeout(() => one.kill('SIGCONT'), STOPPED_MS);
      } else {
        one.kill();
        await one.gone;
      }
      while (lab.workers.length < workers) await lab.startWorkers(1);
    }
    return done;
  };

/** A command was begun since; not for ever, since all may wait for a lease. */
async function untilMore(lab: FleetLab, isOver: () => boolean): Promise<void> {
  const before = commandsBegun(lab);
  const since = Date.now();
  while (commandsBegun(lab) === before && !isOver() && Date.now() - since < MAX_IDLE_MS)
    await after(LOOK_MS);
}

/** @param bin of the version that comes in; left out: the same again */
export const replacing =
  (most: number, bin?: string): FleetFaults['disturb'] =>
  async (lab, isOver) => {
    if (bin !== undefined) lab.bin = bin;
    let done = 0;
    for (; done < most && !isOver(); done += 1) {
      const [oldest] = lab.workers;
      await lab.startWorkers(1);
      oldest?.kill('SIGTERM');
      await oldest?.gone;
    }
    return done;
  };

/** Commands whose end nobody has seen: none where workers were told to stop. */
const cutOff = (lab: FleetLab, names: readonly string[]): readonly string[] =>
  names.filter((name) =>
    readFileSync(journalPath(join(lab.runs, name)), 'utf8').includes('"status":"interrupted"'),
  );

async function unfinished(lab: FleetLab, names: readonly string[]): Promise<readonly string[]> {
  const all = await Promise.all(names.map((name) => lab.standing(name)));
  return all.flatMap((standing, at) =>
    standing?.slice?.is === 'ended'
      ? []
      : [`${names[at]} is at ${JSON.stringify(standing?.slice)}`],
  );
}

/**
 * No command of a run lives beside another of it, and none is begun more often than the model asked for it. A model that
 * was told that a command was cut off may ask for it anew; one that ended well is never begun again.
 */
export function judged(
  lab: FleetLab,
  names: readonly string[],
  labels: readonly string[],
): readonly string[] {
  const begun = new Map<string, number>();
  const found: string[] = [];
  for (const [run = '', label = '', word] of lab.witnessed()) {
    if (!names.includes(`r${run}`)) continue;
    if (word === 'OVERLAP') found.push(`two commands of run ${run} at once: ${label}`);
    if (word === 'begins') begun.set(`${run} ${label}`, (begun.get(`${run} ${label}`) ?? 0) + 1);
  }
  for (const [name, count] of begun) {
    if (count === 1) continue;
    const calls = callsOf(lab, name);
    const endedWell = calls.findIndex(({ status }) => status === 'ok');
    const isRepeated = endedWell >= 0 && endedWell < calls.length - 1;
    if (count > calls.length || isRepeated)
      found.push(`the command ${name} was begun ${count} times: ${JSON.stringify(calls)}`);
  }
  if (begun.size > 0 && labels.length > 0) return found;
  return [...found, 'no command was seen'];
}

/** What the journal says of each call of a command, in order. */
function callsOf(lab: FleetLab, name: string): readonly { id: string; status: string }[] {
  const [run = '', label = ''] = name.split(' ');
  const lines = readFileSync(journalPath(join(lab.runs, `r${run}`)), 'utf8').split('\n');
  const calls = new Map<string, string>();
  for (const line of lines) {
    if (!line.includes(`step.mjs ${label}`) || !line.includes('"type":"action_')) continue;
    const { type, id, status } = JSON.parse(line);
    if (type === 'action_intended') calls.set(id, 'open');
    if (type === 'action_finished' && calls.has(id)) calls.set(id, status);
  }
  return [...calls].map(([id, status]) => ({ id, status }));
}

function brokenChains(lab: FleetLab): readonly string[] {
  const machine = thisMachine();
  return readdirSync(lab.runs).flatMap((name) => {
    const report = chainReport(machine, join(lab.runs, name));
    return report.kind === 'ok' ? [] : [`the journal of ${name}: ${JSON.stringify(report)}`];
  });
}

const LABELS = 'abcdefghijkl'.split('').map((letter) => `${letter}.`);
/** Two seconds pass between kills, so 200 runs with twelve commands each end before the last of 1,000 kills. */
const MANY_LABELS = ['w', 'x', 'y', 'z'].flatMap((first) =>
  LABELS.map((label) => `${first}${label}`),
);
const COMMAND_MS = 1000;
const RUNS = 200;
const KILLS = 1000;
const WORKERS = 3;
const REPLACED = 30;

const report = (kind: string, { faults, violations }: Seen): FaultReport => ({
  ...{ kind, cases: faults, violations: [...violations] },
});

export async function crashFleet(say: (text: string) => void): Promise<FaultReport[]> {
  if (WHY_NO_FLEET !== '') {
    say(`  skipped: ${WHY_NO_FLEET}`);
    return [];
  }
  const agent = pinAgent();
  try {
    const some = {
      bin: agent.bin,
      workers: WORKERS,
      labels: LABELS,
      mostMs: 60 * 60_000,
      commandMs: COMMAND_MS,
      say,
    };
    const kills = Number(process.env.FLEET_KILLS ?? KILLS);
    const runs = Number(process.env.FLEET_RUNS ?? RUNS);
    const killed = killing({ kills, workers: WORKERS, seed: 1, stops: true });
    const underKills = report(
      `workers and engine killed and stopped under ${runs} runs`,
      await fleetUnderFaults({ ...some, labels: MANY_LABELS, runs, disturb: killed }),
    );
    // It took half an hour, and what follows may fail.
    say(`    ${underKills.cases} kills and stops: ${underKills.violations.length} violations`);
    return [
      underKills,
      report(
        `all workers replaced under ${runs} runs`,
        await fleetUnderFaults({
          ...{ ...some, runs, isGentle: true },
          disturb: replacing(REPLACED, nextVersionOf(agent)),
        }),
      ),
    ];
  } finally {
    agent.dispose();
  }
}
