/** The built agent killed with SIGKILL wherever a run or a conversation can be killed, and started again. */
import { type PinnedAgent, pinAgent } from '../support/kill-agent.ts';
import { disturbance, violationsOf } from '../support/kill-judge.ts';
import {
  type KilledRun,
  type KillPoint,
  killedAt,
  undisturbed,
  type Witnessed,
} from '../support/kill-run.ts';
import { type KillScenario, SCENARIOS } from '../support/kill-scenarios.ts';
import type { FaultReport } from './contract.ts';

/** Kills at moments nobody chose, over all scenarios. */
const RANDOM_KILLS = 50;
const AT_ONCE = 2;
const TRIES = 3;

/** Every kill there is: records, requests, long commands, and moments by chance. */
export async function crashAgent(tell: (text: string) => void): Promise<FaultReport[]> {
  const agent = pinAgent();
  try {
    const reports: FaultReport[] = [];
    for (const scenario of SCENARIOS) {
      const repeated: string[] = [];
      const calm = await calmRun(agent, scenario);
      const groups = {
        ...everyPoint(calm),
        'killed at a random moment': randomPoints(scenario, calm),
      };
      for (const [kind, points] of Object.entries(groups)) {
        if (points.length === 0) continue;
        const violations = await violationsAt(agent, scenario, calm, points, (why) =>
          repeated.push(why),
        );
        const faults = [...calmFaults(scenario, calm), ...violations];
        reports.push({
          kind: `${scenario.name}: ${kind}`,
          cases: points.length,
          violations: faults,
        });
        tell(`  ${scenario.name}: ${kind}, ${points.length} done`);
      }
      for (const why of repeated) tell(`  ${scenario.name}: a disturbed case was repeated: ${why}`);
    }
    return reports;
  } finally {
    agent.dispose();
  }
}

export function everyPoint(calm: Witnessed): { readonly [kind: string]: readonly KillPoint[] } {
  const { records } = calm.journal;
  // What is killed while the last message is worked on waits for a further one.
  const last = records.findLast(({ type }: { readonly type: string }) => type === 'person_said');
  const before = last === undefined ? records : records.slice(0, records.indexOf(last));
  const turns = before.filter(({ type }) => type === 'turn_finished').length;
  const requests = calm.requests
    .slice(0, last === undefined ? calm.requests.length : turns)
    .map((_, index) => index + 1);
  const inRequests = (isHalfAnswered: boolean) =>
    requests.map((n): KillPoint => ({ at: 'request', n, isHalfAnswered }));
  return {
    'killed after a record': before.map(({ seq }) => ({ at: 'record', seq })),
    'killed before an answer': inRequests(false),
    'killed inside an answer': inRequests(true),
    'killed inside a command': calm.witness.includes('long') ? [{ at: 'command' }] : [],
  };
}

function randomPoints({ says }: KillScenario, calm: Witnessed): readonly KillPoint[] {
  if (says !== undefined) return [];
  const count = Math.ceil(RANDOM_KILLS / SCENARIOS.length);
  return Array.from({ length: count }, () => ({
    at: 'moment',
    ms: Math.round(Math.random() * calm.durationMs),
  }));
}

/** A scenario that does not show what it is for proves nothing. */
export function calmFaults({ mustHave, name }: KillScenario, calm: Witnessed): readonly string[] {
  const counts = Object.entries(mustHave).flatMap(([type, least]) => {
    const count = calm.journal.records.filter((record) => record.type === type).length;
    return count >= least ? [] : [`${name}: ${count} ${type} instead of ${least}`];
  });
  const trouble = disturbance(calm);
  if (trouble !== null) counts.push(`${name}: ${trouble}`);
  // Some prove nothing of their work: then they end unverified, with what they tried in a copy.
  const hasEnded = calm.code === 0 || calm.code === 9;
  return hasEnded ? counts : [...counts, `${name}: exit code ${calm.code}: ${calm.output}`];
}

/** Kills at each point, a few runs at a time; what was wrong, each with its place. */
export async function violationsAt(
  agent: PinnedAgent,
  scenario: KillScenario,
  calm: Witnessed,
  points: readonly KillPoint[],
  onRepeat: (why: string) => void = () => {},
): Promise<readonly string[]> {
  const left = [...points];
  const found: string[] = [];
  const worker = async (): Promise<void> => {
    for (let point = left.shift(); point !== undefined; point = left.shift()) {
      const killed = await killedWithoutTrouble(agent, scenario, point, onRepeat);
      const place = `${JSON.stringify(point)}, after ${killed.before.journal.records.at(-1)?.type}`;
      found.push(...violationsOf(calm, killed).map((text) => `${place}: ${text}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return found;
}

async function killedWithoutTrouble(
  agent: PinnedAgent,
  scenario: KillScenario,
  point: KillPoint,
  onRepeat: (why: string) => void,
): Promise<KilledRun> {
  for (let tries = 1; ; tries += 1) {
    const killed = await killedAt(agent, scenario, point);
    const trouble = disturbance(killed);
    if (trouble === null || tries === TRIES) return killed;
    onRepeat(`${JSON.stringify(point)}: ${trouble}`);
  }
}

/** The run that the killed ones are compared with. */
export async function calmRun(agent: PinnedAgent, scenario: KillScenario): Promise<Witnessed> {
  let calm = await undisturbed(agent, scenario);
  for (let tries = 1; tries < TRIES && disturbance(calm) !== null; tries += 1)
    calm = await undisturbed(agent, scenario);
  return calm;
}
