/** A sample of the kill matrix; `npm run crash` tries all of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PinnedAgent, pinAgent } from '../support/kill-agent.ts';
import { openIntent } from '../support/kill-judge.ts';
import type { KillPoint, Witnessed } from '../support/kill-run.ts';
import { type KillScenario, SCENARIOS } from '../support/kill-scenarios.ts';
import { calmFaults, calmRun, everyPoint, violationsAt } from './kill-matrix.ts';

let agent: PinnedAgent;
beforeAll(() => {
  agent = pinAgent();
});
afterAll(() => agent.dispose());

/** Places worth a kill in every test run: where something is decided, begun, or hidden. */
function chosenPoints({ journal, requests }: Witnessed): readonly KillPoint[] {
  const { records } = journal;
  const isCommand = (at: number) => openIntent(records.slice(0, at + 1))?.class === 'command';
  const after = (at: number): readonly KillPoint[] =>
    at < 0 ? [] : [{ at: 'record', seq: at + 1 }];
  return [
    { at: 'request', n: 1, isHalfAnswered: false },
    { at: 'request', n: requests.length, isHalfAnswered: true },
    ...after(records.findIndex((one, at) => one.type === 'action_intended' && isCommand(at))),
    ...after(records.findLastIndex((one, at) => one.type === 'action_started' && isCommand(at))),
    ...after(records.findLastIndex((one) => one.type === 'action_finished')),
    ...after(records.findIndex((one) => one.type === 'compaction_started')),
    ...after(records.findIndex((one) => one.type === 'replan_started')),
  ];
}

/** The requests that ask for a file's content, which was decided on before. */
const contentRequests = ({ requests }: Witnessed): readonly KillPoint[] =>
  requests.flatMap(({ body }, index) => {
    const { format, tools } = JSON.parse(body);
    const isContent = format === undefined && tools === undefined;
    return isContent ? [{ at: 'request', n: index + 1, isHalfAnswered: false } as const] : [];
  });

const calmRuns = new Map<KillScenario, Promise<Witnessed>>();

async function checkedCalmRun(scenario: KillScenario): Promise<Witnessed> {
  const running = calmRuns.get(scenario) ?? calmRun(agent, scenario);
  calmRuns.set(scenario, running);
  const calm = await running;
  expect(calmFaults(scenario, calm)).toEqual([]);
  return calm;
}

const [helloJson, helloNative, tenActions, replan] = SCENARIOS as [
  KillScenario,
  KillScenario,
  KillScenario,
  KillScenario,
];

const LIMIT_MS = 180_000;

describe('the built agent, killed and started again, repeats nothing and asks what it would have asked', () => {
  // Within one process test/run/resume.test.ts tries every one.
  it('after every third record of a hello world', { timeout: LIMIT_MS }, async () => {
    const calm = await checkedCalmRun(helloJson);
    const every = everyPoint(calm)['killed after a record'] ?? [];
    expect(every.length).toBeGreaterThan(15);
    const points = every.filter((_, index) => index % 3 === 1);
    expect(await violationsAt(agent, helloJson, calm, points)).toEqual([]);
  });

  it.each([helloNative, tenActions, replan])(
    'at chosen places of $name',
    async (scenario) => {
      const calm = await checkedCalmRun(scenario);
      expect(await violationsAt(agent, scenario, calm, chosenPoints(calm))).toEqual([]);
    },
    LIMIT_MS,
  );

  it('between the decision on a file and its content', { timeout: LIMIT_MS }, async () => {
    const calm = await checkedCalmRun(replan);
    const points = contentRequests(calm).slice(-1);
    expect(points).toHaveLength(1);
    expect(await violationsAt(agent, replan, calm, points)).toEqual([]);
  });

  it('inside a command that does not let itself be ended', { timeout: LIMIT_MS }, async () => {
    const calm = await checkedCalmRun(tenActions);
    expect(await violationsAt(agent, tenActions, calm, [{ at: 'command' }])).toEqual([]);
  });
});
