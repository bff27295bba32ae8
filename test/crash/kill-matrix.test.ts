/** A sample of the kill matrix; `npm run crash` tries all of it, and a run that plans and shortens anew, too. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PinnedAgent, pinAgent } from '../support/kill-agent.ts';
import { openIntent } from '../support/kill-judge.ts';
import type { KillPoint, Witnessed } from '../support/kill-run.ts';
import { type KillScenario, SCENARIOS, THREE_ACTIONS } from '../support/kill-scenarios.ts';
import { someKills } from '../support/some-kills.ts';
import { calmFaults, calmRun, everyPoint, violationsAt } from './kill-matrix.ts';

let agent: PinnedAgent;
beforeAll(() => {
  agent = pinAgent();
});
afterAll(() => agent.dispose());

/** Places worth a kill in every test run: where something is decided, begun, or hidden. */
const CHOSEN = {
  begun: ({ journal: { records } }: Witnessed): readonly KillPoint[] => {
    const isCommand = (at: number) => openIntent(records.slice(0, at + 1))?.class === 'command';
    return [
      ...after(records.findIndex((one, at) => one.type === 'action_intended' && isCommand(at))),
      ...after(records.findLastIndex((one, at) => one.type === 'action_started' && isCommand(at))),
    ];
  },
  /** The last request that asks for a file's content, which was decided on before: not answered, and then half. */
  content: ({ requests }: Witnessed): readonly KillPoint[] => {
    const isContent = ({ body }: { readonly body: string }): boolean => {
      const { format, tools } = JSON.parse(body);
      return format === undefined && tools === undefined;
    };
    const last = requests.findLastIndex(isContent);
    return [false, true].flatMap((isHalfAnswered) =>
      last < 0 ? [] : [{ at: 'request', n: last + 1, isHalfAnswered }],
    );
  },
  command: (): readonly KillPoint[] => [{ at: 'command' }],
};

const after = (at: number): readonly KillPoint[] => (at < 0 ? [] : [{ at: 'record', seq: at + 1 }]);

const calmRuns = new Map<KillScenario, Promise<Witnessed>>();

async function checkedCalmRun(scenario: KillScenario): Promise<Witnessed> {
  const running = calmRuns.get(scenario) ?? calmRun(agent, scenario);
  calmRuns.set(scenario, running);
  const calm = await running;
  expect(calmFaults(scenario, calm)).toEqual([]);
  return calm;
}

const [helloJson] = SCENARIOS as [KillScenario];

const LIMIT_MS = 180_000;

describe('the built agent, killed and started again, repeats nothing and asks what it would have asked', () => {
  // Within one process test/run/recovery/resume.test.ts tries a sample of other runs, too: commands that a plan names, say.
  it('after some records of a hello world', { timeout: LIMIT_MS }, async () => {
    const calm = await checkedCalmRun(helloJson);
    const every = everyPoint(calm)['killed after a record'] ?? [];
    expect(every.length).toBeGreaterThan(15);
    const points = someKills(every, 32, 1);
    expect(await violationsAt(agent, helloJson, calm, points)).toEqual([]);
  });

  it.each([
    ['where something is begun', THREE_ACTIONS, CHOSEN.begun, 2],
    [
      'between the decision on a file and its content, and inside that',
      helloJson,
      CHOSEN.content,
      2,
    ],
    ['inside a command that does not let itself be ended', THREE_ACTIONS, CHOSEN.command, 1],
  ] as const)(
    '%s',
    async (_, scenario, chosen, count) => {
      const calm = await checkedCalmRun(scenario);
      const points = chosen(calm);
      expect(points).toHaveLength(count);
      expect(await violationsAt(agent, scenario, calm, points)).toEqual([]);
    },
    LIMIT_MS,
  );
});
