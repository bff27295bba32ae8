/**
 * The built agent killed while its commands are confined, and started again: what stands in the sandbox ends
 * with the kill and not only at the next start, nothing of the sandbox lies in the folder, and no command is run twice.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeOllama } from '../support/fake-ollama.ts';
import type { Reply } from '../support/fake-ollama-replies.ts';
import type { ChatRequest } from '../support/fake-ollama-validation.ts';
import {
  journalOf,
  newPlace,
  type PinnedAgent,
  type Place,
  pinAgent,
  startAgent,
} from '../support/kill-agent.ts';
import { hasSandbox } from '../support/sandboxed.ts';
import type { FaultReport } from './contract.ts';

const MODEL = 'scripted:1.5b';
/** What lies there afterwards, whatever was killed when. */
const NAMES = ['.agent_context', 'ran.log', 'walled.mjs'];

/** In the sandbox no witness can lie outside; a child of it stands in a session of its own, and is deaf. */
const WALLED = `import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
const [label, mark] = process.argv.slice(2);
process.on('SIGTERM', () => {});
if (label === 'child') setInterval(() => {}, 1000);
else {
  appendFileSync('ran.log', label + '\\n');
  const child = spawn(process.execPath, [process.argv[1], 'child', mark], { detached: true, stdio: 'ignore' });
  if (label === 'stay') setInterval(() => {}, 1000);
  else child.on('spawn', () => process.exit(0));
}
`;

const call = (name: string, args: object): Reply => ({
  toolCalls: [{ name, arguments: { ...args } }],
});

const replyWith =
  (mark: string) =>
  ({ messages }: ChatRequest): Reply => {
    const run = (label: string, more: object = {}) =>
      call('run_cmd', { cmd: `node walled.mjs ${label} ${mark}`, ...more });
    const subtasks = [{ do: 'Run it' }];
    const plan = { tasks: [{ description: 'the work', subtasks }], answer_only: true };
    const replies = [call('set_plan', plan), run('a'), run('stay', { background: true }), run('b')];
    const told = messages.filter(({ role }) => role === 'tool').length;
    return (
      replies[told] ?? call('mark_subtask_complete', { success: true, reason: 'each has run' })
    );
  };

export async function crashSandboxed(tell: (text: string) => void): Promise<FaultReport[]> {
  if (!hasSandbox) return [];
  const agent = pinAgent();
  try {
    const violations: string[] = [];
    const calm = await killedBehind(agent, null);
    violations.push(...calm.faults);
    for (let seq = 1; seq <= calm.records; seq += 1) {
      const { faults } = await killedBehind(agent, seq);
      violations.push(...faults.map((text) => `killed after record ${seq}: ${text}`));
    }
    tell(`  in a sandbox: killed after a record, ${calm.records} done`);
    return [{ kind: 'in a sandbox: killed after a record', cases: calm.records, violations }];
  } finally {
    agent.dispose();
  }
}

/** @param seq of the record behind which it is killed; `null`: it is not */
export async function killedBehind(
  agent: PinnedAgent,
  seq: number | null,
): Promise<{ readonly records: number; readonly faults: readonly string[] }> {
  const place = newPlace();
  writeFileSync(join(place.workspace, 'walled.mjs'), WALLED);
  const given = readdirSync(place.workspace);
  const mark = `walled-${process.pid}-${seq}`;
  const server = await startFakeOllama({
    models: [{ name: MODEL, contextLength: 32_768 }],
    script: replyWith(mark),
  });
  const words = ['run', 'Run it', '--model', MODEL, '--tool-mode', 'native', '--host', server.url];
  const start = (dieAfter: number | null) =>
    startAgent(agent, place, [...words, '--sandbox', 'require'], dieAfter).ended;
  try {
    const faults: string[] = [];
    let { code, output } = await start(seq);
    if (!(await isQuiet(mark))) faults.push('what stood in the sandbox works on');
    if (seq !== null) ({ code, output } = await start(null));
    const { records } = journalOf(place);
    if (code !== 0 && code !== 9) faults.push(`exit code ${code}: ${output}`);
    if (!(await isQuiet(mark))) faults.push('something works on after the end');
    const made = readdirSync(place.workspace).filter((name) => !given.includes(name));
    if (made.some((name) => !NAMES.includes(name))) faults.push(`it left ${made.join(', ')}`);
    for (const label of ['a', 'b', 'stay']) {
      const times = timesRun(place, label);
      if (times > 1) faults.push(`${label} was run again`);
      if (times === 0 && seq === null) faults.push(`${label} was not run at all`);
    }
    return { records: records.length, faults };
  } finally {
    await server.close();
    place.dispose();
  }
}

const timesRun = ({ workspace }: Place, label: string): number => {
  try {
    const lines = readFileSync(join(workspace, 'ran.log'), 'utf8').split('\n');
    return lines.filter((line) => line === label).length;
  } catch {
    return 0;
  }
};

const QUIET_MS = 3_000;
const LOOK_MS = 20;

/** It ends in its own time, and nobody else need end it. */
async function isQuiet(mark: string): Promise<boolean> {
  for (let waited = 0; waited < QUIET_MS; waited += LOOK_MS) {
    if (!isRunning(mark)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}

const isRunning = (mark: string): boolean =>
  readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
