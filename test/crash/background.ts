/**
 * The built agent killed while programs of its model work beside it, and started again: none of them
 * works on, none begins without its record or a second time by itself, and the model knows what became of each.
 */
import type { Stamped } from '../../src/schema/records.ts';
import type { Reply } from '../support/fake-ollama-replies.ts';
import type { ChatRequest } from '../support/fake-ollama-validation.ts';
import { type PinnedAgent, pinAgent } from '../support/kill-agent.ts';
import { disturbance, placeFaults } from '../support/kill-judge.ts';
import { type KilledRun, type KillPoint, killedAt, type Witnessed } from '../support/kill-run.ts';
import type { KillScenario } from '../support/kill-scenarios.ts';
import { setPlanArgs } from '../support/models.ts';
import type { FaultReport } from './contract.ts';
import { calmFaults, calmRun, everyPoint } from './kill-matrix.ts';

/** It and a child of it do not let themselves be asked to end; each beginning is in the witness. */
const SERVICE = `import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
const [label, role] = process.argv.slice(2);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
appendFileSync(homedir() + '/pids', process.pid + '\\n');
if (role !== 'child') {
  appendFileSync(homedir() + '/witness.log', label + '\\n');
  spawn(process.execPath, [process.argv[1], label, 'child'], { stdio: 'ignore' });
  createServer().listen(0, '127.0.0.1');
}
setInterval(() => {}, 1000);
`;

const call = (name: string, args: object) => ({
  toolCalls: [{ name, arguments: { ...args } }],
});
const beside = (label: string) =>
  call('run_cmd', { cmd: `node service.mjs ${label}`, background: true });
const step = (label: string) => call('run_cmd', { cmd: `node step.mjs ${label}` });

/** Of each subtask, one after the other, whatever became of the one before. */
const CALLS: { readonly [subtask: string]: readonly Reply[] } = {
  '1.1': [beside('one'), step('a'), call('stop_process', { id: 'bg1' }), step('b')],
  '1.2': [beside('two'), step('c')],
};

function reply({ messages }: ChatRequest): Reply {
  const isPlanned = messages.some(({ content }) => content.includes('ACTIVE SUBTASK'));
  if (!isPlanned)
    return call(
      'set_plan',
      setPlanArgs({
        tasks: [
          {
            description: 'the work',
            subtasks: [
              { action: 'run_cmd', cmd: 'node step.mjs b', purpose: 'with one beside it' },
              { action: 'run_cmd', cmd: 'node step.mjs c', purpose: 'with another' },
            ],
          },
        ],
        verify: { cmd: 'node step.mjs proof', prints: 'step proof done', stdin: '' },
      }),
    );
  const start = messages.findLastIndex(({ content }) => content.includes('ACTIVE SUBTASK'));
  const [, subtask = ''] = /ACTIVE SUBTASK ([\d.]+)/.exec(messages[start]?.content ?? '') ?? [];
  const told = messages.slice(start + 1).filter(({ role }) => role === 'tool').length;
  return (
    CALLS[subtask]?.[told] ??
    call('mark_subtask_complete', { success: true, reason: 'each has run' })
  );
}

export const BESIDE: KillScenario = {
  ...{ name: 'programs beside it, native', goal: 'Work with two programs beside you' },
  ...{ toolMode: 'native', contextLength: 32_768, reply },
  files: { 'service.mjs': SERVICE },
  mustHave: { background_started: 2, background_ended: 2, action_intended: 5 },
};

export async function crashBackground(tell: (text: string) => void): Promise<FaultReport[]> {
  const agent = pinAgent();
  try {
    const calm = await calmRun(agent, BESIDE);
    const reports: FaultReport[] = [];
    for (const [kind, points] of Object.entries(everyPoint(calm))) {
      if (points.length === 0) continue;
      const violations: string[] = [...calmFaults(BESIDE, calm), ...alone(calm)];
      const left = [...points];
      const worker = async (): Promise<void> => {
        for (let point = left.shift(); point !== undefined; point = left.shift())
          violations.push(...(await faultsAt(agent, point)));
      };
      await Promise.all([worker(), worker()]);
      reports.push({ kind: `${BESIDE.name}: ${kind}`, cases: points.length, violations });
      tell(`  ${BESIDE.name}: ${kind}, ${points.length} done`);
    }
    return reports;
  } finally {
    agent.dispose();
  }
}

export async function faultsAt(agent: PinnedAgent, point: KillPoint): Promise<readonly string[]> {
  let killed = await killedAt(agent, BESIDE, point);
  for (let tries = 1; tries < 3 && disturbance(killed) !== null; tries += 1)
    killed = await killedAt(agent, BESIDE, point);
  const place = `${JSON.stringify(point)}, after ${killed.before.journal.records.at(-1)?.type}`;
  return [...placeFaults(killed), ...alone(killed), ...afterKill(killed)].map(
    (text) => `${place}: ${text}`,
  );
}

type OfType<Type extends Stamped['type']> = Extract<Stamped, { type: Type }>;
const of = <Type extends Stamped['type']>(records: readonly Stamped[], type: Type) =>
  records.filter((one): one is OfType<Type> => one.type === type);

/** What holds for every run, killed or not. */
function alone({ journal: { records }, witness, code, output }: Witnessed): readonly string[] {
  const faults = ['one', 'two'].flatMap((label) => {
    const begun = witness.filter((line) => line === label).length;
    const recorded = of(records, 'background_started').filter(({ cmd }) => cmd.endsWith(label));
    return begun <= recorded.length
      ? []
      : [`${label} began ${begun} times, with ${recorded.length} records of a start`];
  });
  const ended = new Set(of(records, 'background_ended').map(({ id }) => id));
  for (const { id } of of(records, 'background_started'))
    if (!ended.has(id)) faults.push(`${id} has no end`);
  if (code !== 0 && code !== 9) faults.push(`exit code ${code}: ${output}`);
  return faults;
}

function afterKill({ point, before, journal, requests, survivors }: KilledRun): readonly string[] {
  const faults = survivors.filter(({ isAlive }) => isAlive).map(({ pid }) => `${pid} works on`);
  const isKept = before.journal.lines.every((line, at) => journal.lines[at] === line);
  if (!isKept) faults.push('the journal lost or changed a record');
  const intended = of(journal.records, 'action_intended').filter(({ args }) => args.background);
  const started = of(journal.records, 'background_started');
  if (started.length > intended.length)
    faults.push(`${started.length} were started, and ${intended.length} asked for`);
  const known = new Set(of(before.journal.records, 'background_ended').map(({ id }) => id));
  const isOver = before.journal.records.at(-1)?.type === 'run_finished';
  for (const { id } of isOver ? [] : of(before.journal.records, 'background_started')) {
    if (known.has(id)) continue;
    const end = of(journal.records, 'background_ended').find((one) => one.id === id);
    if (end?.how !== 'crash') faults.push(`${id} is said to have ended by ${end?.how}`);
    const isTold = requests
      .slice(before.requests)
      .some(({ body }) => body.includes(`${id} (node service.mjs`));
    // A kill that left nothing shows nothing.
    if (point.at === 'request' && survivors.length === 0) faults.push(`${id} died with the agent`);
    const isAsked = requests.length > before.requests;
    if (isAsked && !isTold) faults.push(`the model is not told what became of ${id}`);
  }
  return faults;
}
