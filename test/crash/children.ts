/**
 * A run of which three subtasks are runs of their own, killed at each record of its journal and of each of
 * theirs, and started again: one is joined, one collides with it, one is given up.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stamped } from '../../src/schema/records.ts';
import { startFakeOllama } from '../support/fake-ollama.ts';
import type { Reply } from '../support/fake-ollama-replies.ts';
import type { ChatRequest } from '../support/fake-ollama-validation.ts';
import {
  type JournalView,
  journalAt,
  journalOf,
  newPlace,
  type PinnedAgent,
  type Place,
  pinAgent,
  startAgent,
  witnessOf,
} from '../support/kill-agent.ts';
import { openIntent } from '../support/kill-judge.ts';
import { nextCalls } from '../support/kill-models.ts';
import { SEEDS } from '../support/kill-programs.ts';
import type { FaultReport } from './contract.ts';

const MODEL = 'scripted:32b';
const GOAL = 'Carry out three parts that need no other';
const AT_ONCE = 2;

/** What the user has, and two of the subtasks change. */
const NOTES = 'old\n';

const CHILDREN = ['1.1', '1.2', '1.3'] as const;

const write = (path: string, content: string) => ({
  name: 'write_file',
  arguments: { path, content },
});
const read = (path: string) => ({ name: 'read_file', arguments: { path } });
const step = (label: string) => ({
  name: 'run_cmd',
  arguments: { cmd: `node step.mjs ${label}` },
});

const TURNS = {
  '1.1': [[read('notes.txt')], [write('notes.txt', `${NOTES}by one\n`), step('one')]],
  '1.2': [[read('notes.txt'), step('two')], [write('notes.txt', `${NOTES}by two\n`)]],
  '1.3': [[write('three.txt', 'by three\n'), step('three')]],
};

/** Done again in the run, by commands of other names: a model that looks whether one ran must not see a child's. */
const IN_RUN = {
  ...TURNS,
  '1.2': [[read('notes.txt'), step('again2')], [write('notes.txt', `${NOTES}by two\n`)]],
  '1.3': [[write('three.txt', 'by three\n'), step('again3')]],
};

const FILES = { 'notes.txt': `${NOTES}by two\n`, 'three.txt': 'by three\n' };

const PLAN = {
  tasks: [
    {
      description: 'the parts',
      subtasks: [
        { do: 'the first part', files: ['notes.txt'], independent: true },
        { do: 'the second part', files: ['notes.txt'], independent: true },
        { do: 'the third part', files: ['three.txt'], independent: true },
      ],
    },
  ],
  proof: { cmd: 'node step.mjs proof', prints: 'step proof done' },
};

/** A child has not been told of any. */
const isInRun = (body: string): boolean => body.includes('worked on in a copy');

function reply({ messages }: ChatRequest): Reply {
  const call = (name: string, args: object) => ({
    toolCalls: [{ name, arguments: { ...args } }],
  });
  const text = messages.map(({ content }) => content).join('\n');
  const id = subtaskIn(text);
  if (id === '') return call('set_plan', PLAN);
  const start = messages.findLastIndex(({ content }) => content.includes(`ACTIVE SUBTASK ${id}`));
  const all = isInRun(text) ? IN_RUN : TURNS;
  const turns = id in all ? all[id as keyof typeof all] : [];
  const success = id !== '1.3' || isInRun(text);
  const end = call('mark_subtask_complete', { success, reason: success ? 'done' : 'given up' });
  return nextCalls(messages.slice(start + 1), turns) ?? end;
}

const subtaskIn = (text: string): string =>
  [...text.matchAll(/ACTIVE SUBTASK (\d\.\d)/g)].at(-1)?.[1] ?? '';

/** '': of the run itself. */
type Conversation = '' | (typeof CHILDREN)[number];
const ALL: readonly Conversation[] = ['', ...CHILDREN];

const conversationOf = (body: string): string => (isInRun(body) ? '' : subtaskIn(body));

export interface ChildPoint {
  readonly in: Conversation;
  readonly seq: number;
}

export interface Seen {
  readonly code: number | null;
  readonly output: string;
  readonly requests: readonly string[];
  readonly witness: readonly string[];
  readonly journals: { readonly [name in Conversation]: JournalView };
  readonly files: { readonly [path: string]: string };
  /** What an undo leaves; `null`: none was made. */
  readonly undone: { readonly [path: string]: string } | null;
  /** At the moment of the kill. */
  readonly before: { readonly [name in Conversation]: JournalView } | null;
}

const NOTHING: JournalView = { lines: [], records: [] };

function journalsOf(place: Place): Seen['journals'] {
  const run = journalOf(place);
  const of = (subtask: string): JournalView => {
    const begun = run.records.find(
      (one) => one.type === 'child_started' && one.subtask === subtask,
    );
    if (begun?.type !== 'child_started') return NOTHING;
    const folder = join(place.workspace, '.agent_context', 'children', begun.child);
    return journalAt(join(folder, '.agent_context', 'history.jsonl'));
  };
  return { '': run, '1.1': of('1.1'), '1.2': of('1.2'), '1.3': of('1.3') };
}

const textsIn = ({ workspace }: Place, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      try {
        return [[name, readFileSync(join(workspace, name), 'utf8')]];
      } catch {
        return [];
      }
    }),
  );

const THEIRS = [...Object.keys(SEEDS), ...Object.keys(FILES)];

/** @param point `null`: it is not killed */
export async function seenOf(agent: PinnedAgent, point: ChildPoint | null): Promise<Seen> {
  const place = newPlace();
  writeFileSync(join(place.workspace, 'notes.txt'), NOTES);
  const requests: string[] = [];
  const server = await startFakeOllama({
    models: [{ name: MODEL, contextLength: 32_768, parameterSize: '32B' }],
    script: (request, _n, body) => {
      requests.push(body);
      return reply(request);
    },
  });
  try {
    const host = ['--host', server.url];
    const run = ['run', GOAL, '--parallel', '3', '--model', MODEL, '--tool-mode', 'native'];
    let before: Seen['before'] = null;
    let words = [...run, ...host];
    if (point !== null) {
      await startAgent(agent, place, words, point.seq, point.in).ended;
      before = journalsOf(place);
      // Typed again, or resumed without any of its words, as people do; --parallel is among the limits.
      if (point.seq % 2 === 0) words = ['resume', ...host];
    }
    const { code, output } = await startAgent(agent, place, words, null).ended;
    const seen = { journals: journalsOf(place), files: textsIn(place, THEIRS) };
    const isUndone = point !== null && point.seq % 3 === 0;
    if (isUndone) await startAgent(agent, place, ['undo', '--yes'], null).ended;
    return {
      ...{ code, output, requests, witness: witnessOf(place), before, ...seen },
      undone: isUndone ? textsIn(place, THEIRS) : null,
    };
  } finally {
    await server.close();
    place.dispose();
  }
}

/** A run that does not show what it is for proves nothing. */
export function calmFaults({ code, output, journals, files }: Seen): readonly string[] {
  const joined = journals[''].records.flatMap((one) =>
    one.type === 'child_joined' ? [[one.subtask, one.status ?? one.summary]] : [],
  );
  const wanted = [
    ['1.1', 'completed'],
    ['1.2', 'notes.txt is not as it was when it began'],
    ['1.3', 'given up'],
  ];
  return [
    ...(code === 0 || code === 9 ? [] : [`exit code ${code}: ${output}`]),
    ...(JSON.stringify(joined.map(([id]) => id)) === JSON.stringify(wanted.map(([id]) => id)) &&
    joined.every(([, what = ''], at) => what.includes(wanted[at]?.[1] ?? '-'))
      ? []
      : [`joined: ${JSON.stringify(joined)}`]),
    ...(JSON.stringify(files) === JSON.stringify({ ...SEEDS, ...FILES })
      ? []
      : [`files: ${JSON.stringify(files).slice(0, 400)}`]),
  ];
}

export function pointsOf({ journals }: Seen): readonly ChildPoint[] {
  return ALL.flatMap((one) => journals[one].records.map(({ seq }) => ({ in: one, seq })));
}

/** What is wrong with a run that was killed, against one that was not. */
export function faultsOf(calm: Seen, killed: Seen, point: ChildPoint): readonly string[] {
  const before = killed.before ?? calm.journals;
  const last = before[point.in].records.at(-1)?.seq;
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return [
    ...(last === point.seq ? [] : [`killed after record ${last} instead of ${point.seq}`]),
    ...(killed.code === calm.code ? [] : [`exit code ${killed.code}: ${killed.output}`]),
    ...(same(killed.files, calm.files) ? [] : ['other files']),
    ...(killed.undone === null || same(killed.undone, { ...SEEDS, 'notes.txt': NOTES })
      ? []
      : ['an undo leaves other files']),
    ...(same(killed.witness.toSorted(), calm.witness.toSorted())
      ? []
      : [`commands ran: ${killed.witness.join(' ')}`]),
    ...ALL.flatMap((one) => [
      ...requestFaults(one, calm, killed, before[one].records),
      ...journalFaults(one, before[one], killed.journals[one]),
    ]),
  ];
}

const requestsIn = ({ requests }: Seen, one: Conversation): readonly string[] =>
  requests.filter((body) => conversationOf(body) === one);

/** A request without a durable outcome may be sent again; all else is sent once, and is the same. */
function requestFaults(
  one: Conversation,
  calm: Seen,
  killed: Seen,
  before: readonly Stamped[],
): readonly string[] {
  const from = one === '' ? 0 : (before.find(({ type }) => type === 'child_begun')?.seq ?? 1e9);
  const durable = before.filter(({ type, seq }) => type === 'turn_finished' && seq > from).length;
  const wanted = requestsIn(calm, one);
  const seen = requestsIn(killed, one);
  const isSame = (other: readonly string[]) => JSON.stringify(seen) === JSON.stringify(other);
  const hidden = openIntent(before);
  if (hidden?.class === 'command' && hidden.seq > from) {
    const next = seen.slice(durable).join('\n');
    const isTold = next.includes('outcome unknown') || next.includes('Not run: ');
    const isPrefix = wanted.slice(0, durable).every((body, at) => seen[at] === body);
    return isTold && isPrefix ? [] : [`${one}: a command that was cut off is not told as such`];
  }
  const again = [...wanted.slice(0, durable + 1), ...wanted.slice(durable)];
  if (isSame(wanted) || isSame(again)) return [];
  const at = wanted.findIndex((body, index) => seen[index] !== body);
  return [
    `${one || 'run'}: ${seen.length} requests instead of ${wanted.length}, ${durable} durable, the first other one is ${at}: ${seen[at]?.slice(-300)}`,
  ];
}

function journalFaults(
  one: Conversation,
  before: JournalView,
  after: JournalView,
): readonly string[] {
  const isOwn = one === '' || before.records.some(({ type }) => type === 'child_begun');
  const isKept = !isOwn || before.lines.every((line, at) => after.lines[at] === line);
  const ids = after.records.flatMap((record) =>
    record.type === 'action_intended' && record.class === 'command' ? [record.id] : [],
  );
  const ends = (id: string) =>
    after.records.filter((record) => record.type === 'action_finished' && record.id === id).length;
  return [
    ...(isKept ? [] : [`${one || 'run'}: its journal lost or changed a record`]),
    ...(new Set(ids).size === ids.length ? [] : [`${one || 'run'}: a command was begun twice`]),
    ...ids.filter((id) => ends(id) !== 1).map((id) => `${one || 'run'}: ${id} has no one outcome`),
  ];
}

export async function crashChildren(tell: (text: string) => void): Promise<FaultReport[]> {
  const agent = pinAgent();
  try {
    const calm = await seenOf(agent, null);
    const faults = calmFaults(calm);
    if (faults.length > 0)
      return [{ kind: 'a run that is not killed', cases: 1, violations: faults }];
    const left = [...pointsOf(calm)];
    const found = new Map<Conversation, string[]>(ALL.map((one) => [one, []]));
    const counts = new Map<Conversation, number>();
    const worker = async (): Promise<void> => {
      for (let point = left.shift(); point !== undefined; point = left.shift()) {
        const killed = await seenOf(agent, point);
        counts.set(point.in, (counts.get(point.in) ?? 0) + 1);
        const type = killed.before?.[point.in].records.at(-1)?.type;
        for (const text of faultsOf(calm, killed, point)) {
          found.get(point.in)?.push(`record ${point.seq} (${type}): ${text}`);
          tell(`  ${point.in || 'run'} ${point.seq} (${type}): ${text.slice(0, 200)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return ALL.map((one) => ({
      kind: one === '' ? 'at each record of the run' : `at each record of ${one}`,
      cases: counts.get(one) ?? 0,
      violations: found.get(one) ?? [],
    }));
  } finally {
    agent.dispose();
  }
}
