/**
 * The built agent killed while its commands wait for a person, while the person answers, and while the run goes on:
 * no command runs without its yes, none runs twice by itself, and none is lost.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stamped } from '../../src/schema/records.ts';
import { startFakeOllama } from '../support/fake-ollama.ts';
import type { Reply } from '../support/fake-ollama-replies.ts';
import type { ChatRequest } from '../support/fake-ollama-validation.ts';
import {
  type JournalView,
  journalOf,
  newPlace,
  type PinnedAgent,
  type Place,
  pinAgent,
  startAgent,
  witnessOf,
} from '../support/kill-agent.ts';
import { UNKNOWN } from '../support/kill-models.ts';
import type { FaultReport } from './contract.ts';

const MODEL = 'scripted:1.5b';
const LABELS: readonly string[] = ['a', 'b', 'c'];
/** Starts, answers and resumes of a run that is killed once; more of them is a run that does not get on. */
const MAX_PROCESSES = 24;
const WAITS_FOR_A_PERSON = 6;

const cmdOf = (label: string): string => `node step.mjs ${label}`;

const call = (name: string, args: object): Reply => ({
  toolCalls: [{ name, arguments: { ...args } }],
});

/** Each command until the model is told of its end, or that nobody knows its end. */
const replyWith =
  (labels: readonly string[]) =>
  ({ messages }: ChatRequest): Reply => {
    const subtasks = [{ do: 'Run the commands' }];
    if (!messages.some(({ role }) => role === 'tool'))
      return call('set_plan', {
        tasks: [{ description: 'the work', subtasks }],
        answer_only: true,
      });
    const isTold = (label: string): boolean =>
      messages.some(
        ({ role, content }) =>
          (role === 'tool' && content.includes(`step ${label} done`)) ||
          (content.includes(UNKNOWN) && content.includes(cmdOf(label))),
      );
    const label = labels.find((one) => !isTold(one));
    return label === undefined
      ? call('mark_subtask_complete', { success: true, reason: 'each has run' })
      : call('run_cmd', { cmd: cmdOf(label) });
  };

export type Kill =
  | { readonly at: 'record'; readonly seq: number }
  /** In the process with this number, from 0. */
  | { readonly at: 'moment'; readonly process: number; readonly ms: number };

export interface Answered {
  readonly records: number;
  /** Milliseconds that each process took. */
  readonly processes: readonly number[];
  readonly faults: readonly string[];
}

/** A run with its answers, killed once or not at all. */
export async function answeredAndKilled(
  agent: PinnedAgent,
  kill: Kill | null,
  labels = LABELS,
): Promise<Answered> {
  const place = newPlace();
  askFirst(place);
  const server = await startFakeOllama({
    models: [{ name: MODEL, contextLength: 32_768 }],
    script: replyWith(labels),
  });
  const host = ['--host', server.url];
  const first = ['run', 'Run it', '--model', MODEL, '--tool-mode', 'native', ...host];
  const faults: string[] = [];
  const processes: number[] = [];
  let left = kill;
  try {
    let code: number | null = null;
    for (let words = first; words.length > 0; ) {
      const before = journalOf(place);
      const { ended, child } = startAgent(
        agent,
        place,
        words,
        left?.at === 'record' ? left.seq : null,
      );
      const ms = left?.at === 'moment' && left.process === processes.length ? left.ms : null;
      const timer = ms === null ? undefined : setTimeout(() => child.kill('SIGKILL'), ms);
      const startedAt = performance.now();
      const end = await ended;
      clearTimeout(timer);
      processes.push(performance.now() - startedAt);
      if (end.code === null || ms !== null) left = null;
      code = end.code;
      faults.push(...faultsOf(place, before));
      words = nextWords(journalOf(place), { code, said: end.output, faults, first, host });
      if (processes.length >= MAX_PROCESSES) {
        faults.push(`it does not get on: ${end.output}`);
        break;
      }
    }
    const { records } = journalOf(place);
    faults.push(...lostIn(place, records, labels));
    return { records: records.length, processes, faults };
  } finally {
    await server.close();
    place.dispose();
  }
}

function askFirst({ home }: Place): void {
  const settings = join(home, '.config', 'tardigrade-agent');
  mkdirSync(settings, { recursive: true });
  const permissions = { ask: ['node step.mjs *'] };
  writeFileSync(join(settings, 'config.json'), JSON.stringify({ permissions }));
}

type OfType<Type extends Stamped['type']> = Extract<Stamped, { type: Type }>;
const of = <Type extends Stamped['type']>(records: readonly Stamped[], type: Type) =>
  records.filter((one): one is OfType<Type> => one.type === type);

/** What a person types next; nothing once the run is over. */
function nextWords(
  { records }: JournalView,
  last: {
    readonly code: number | null;
    readonly said: string;
    readonly faults: string[];
    readonly first: string[];
    readonly host: string[];
  },
): string[] {
  if (records.length === 0) return last.first;
  if (records.at(-1)?.type === 'run_finished') return [];
  const open = of(records, 'permission_noted').filter(
    ({ id, seq }) => !of(records, 'approval_given').some((one) => one.id === id && one.seq > seq),
  );
  const isPaused = last.code === WAITS_FOR_A_PERSON;
  if (open.length === 0 && isPaused) {
    last.faults.push(`it waits, and nothing is asked: ${last.said}`);
    return [];
  }
  const [wish] = open;
  if (wish !== undefined) return ['approve', wish.id];
  return ['resume', ...last.host];
}

/** Every line stays, and what ran had its yes. */
function faultsOf(place: Place, before: JournalView): readonly string[] {
  const { lines, records } = journalOf(place);
  const isKept = before.lines.every((line, at) => lines[at] === line);
  const faults = isKept ? [] : ['the journal lost or changed a record'];
  const yes = of(records, 'approval_given').filter(({ allowed }) => allowed);
  const asked = of(records, 'permission_noted');
  for (const label of new Set(witnessOf(place))) {
    const ids = asked.filter(({ target }) => target === cmdOf(label)).map(({ id }) => id);
    const times = witnessOf(place).filter((one) => one === label).length;
    if (!yes.some(({ id }) => ids.includes(id))) faults.push(`${label} ran without a yes`);
    if (times > 1) faults.push(`${label} ran ${times} times`);
  }
  return faults;
}

/** What never ran is told as unknown, and only where it had begun. */
function lostIn(
  place: Place,
  records: readonly Stamped[],
  labels: readonly string[],
): readonly string[] {
  const witness = witnessOf(place);
  const interrupted = of(records, 'action_finished').filter(
    ({ status }) => status === 'interrupted',
  );
  const intended = of(records, 'action_intended');
  return labels
    .filter((label) => !witness.includes(label))
    .flatMap((label) => {
      const ids = intended.filter(({ args }) => args.cmd === cmdOf(label)).map(({ id }) => id);
      return interrupted.some(({ id }) => ids.includes(id)) ? [] : [`lost: ${label} never began`];
    });
}

const RANDOM_KILLS = 120;
const AT_ONCE = 2;

export async function crashPermissions(tell: (text: string) => void): Promise<FaultReport[]> {
  const agent = pinAgent();
  try {
    const calm = await answeredAndKilled(agent, null);
    const records = Array.from(
      { length: calm.records },
      (_, n): Kill => ({ at: 'record', seq: n + 1 }),
    );
    const moments = Array.from({ length: RANDOM_KILLS }, (): Kill => {
      const process = Math.floor(Math.random() * calm.processes.length);
      const ms = Math.round(Math.random() * (calm.processes[process] ?? 0));
      return { at: 'moment', process, ms };
    });
    const reports: FaultReport[] = [];
    for (const [kind, kills] of Object.entries({ record: records, 'random moment': moments })) {
      const violations = [...calm.faults];
      const left = [...kills];
      const worker = async (): Promise<void> => {
        for (let kill = left.shift(); kill !== undefined; kill = left.shift()) {
          const { faults } = await answeredAndKilled(agent, kill);
          violations.push(...faults.map((text) => `${JSON.stringify(kill)}: ${text}`));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      const name = `permissions: killed at a ${kind}`;
      reports.push({ kind: name, cases: kills.length, violations });
      tell(`  ${name}, ${kills.length} done`);
    }
    return reports;
  } finally {
    agent.dispose();
  }
}
