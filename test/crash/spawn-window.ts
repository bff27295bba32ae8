/** The built agent killed with SIGKILL around the spawn of its commands, again and again in one run. */
import { type PinnedAgent, pinAgent } from '../support/kill-agent.ts';
import { type Kill, type KillPlan, killedAroundSpawns } from '../support/spawn-run.ts';
import type { FaultReport } from './contract.ts';

const KILLS = 500;
const SPAWN_MS = 5;
/** From the start of the process to well into its second command. */
const MOMENT_MS = 1_500;
/** Kills of one run: then it is let go to its end. */
const KILLS_EACH = 10;

const atSpawn = (): KillPlan => ({
  at: 'spawn',
  n: Math.random() < 0.7 ? 1 : 2,
  afterMs: Math.random() * SPAWN_MS,
});

const atMoment = (): KillPlan => ({ at: 'moment', ms: Math.random() * MOMENT_MS });

/** A third of the kills, or more, within 5 ms after a spawn. */
export async function crashSpawns(
  tell: (text: string) => void,
  wanted = KILLS,
): Promise<FaultReport[]> {
  if (process.platform !== 'linux') return [];
  const agent = pinAgent();
  const kills: Kill[] = [];
  const violations: string[] = [];
  let ran = 0;
  try {
    while (kills.length < wanted) {
      const most = Math.min(KILLS_EACH, wanted - kills.length);
      const run = await oneRun(agent, most, kills.length);
      kills.push(...run.kills);
      violations.push(...run.violations);
      ran += run.ran;
      tell(`  ${kills.length} kills, ${violations.length} violations`);
    }
  } finally {
    agent.dispose();
  }
  if (ran === 0) violations.push('no command ever ran');
  tell(`  ${ran} commands ran`);
  return reportsOf(kills, violations);
}

async function oneRun(agent: PinnedAgent, most: number, before: number) {
  let planned = 0;
  return killedAroundSpawns(agent, () => {
    if (planned === most) return null;
    planned += 1;
    return (before + planned) % 2 === 0 ? atMoment() : atSpawn();
  });
}

function reportsOf(kills: readonly Kill[], violations: readonly string[]): FaultReport[] {
  const cases = new Map<string, number>();
  for (const { plan, met } of kills) {
    const when = plan.at === 'spawn' ? `within ${SPAWN_MS} ms after a spawn` : 'at a random moment';
    const kind = `killed ${when}, ${met}`;
    cases.set(kind, (cases.get(kind) ?? 0) + 1);
  }
  const counted = [...cases].map(([kind, count]) => ({ kind, cases: count, violations: [] }));
  return [...counted, { kind: 'whatever came of them', cases: 0, violations }];
}
