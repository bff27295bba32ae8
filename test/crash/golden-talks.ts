/**
 * The golden conversations killed behind a record and gone on with by another process: the requests that are left are
 * the same to the byte, every message ends as it did, the files are the same, and no command runs once more. Where they
 * may be others is said by `OTHERWISE`; even there every request is one that a provider takes.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Located } from '../../src/schema/records.ts';
import {
  type Before,
  type GoldenTalk,
  type Life,
  lifeIn,
  type Played,
  playTalk,
  worldOf,
} from '../support/golden-talk.ts';
import { plainRequests } from '../support/golden-talk-text.ts';
import { answerText } from '../support/golden-talk-words.ts';
import { TALKS } from '../support/golden-talks.ts';
import { type TestWorld, WORKSPACE } from '../support/test-machine.ts';
import { watchingRecords } from '../support/written-records.ts';
import { faultsOfConversation } from './chat.ts';
import type { FaultReport } from './contract.ts';

/** A process in which each record is seen in the instant it is written. */
function watchedLife(world: TestWorld, onRecord: (record: Located, life: Life) => void): Life {
  const machine = world.machine();
  const fs = watchingRecords(machine.fs, (record) => onRecord(record, life));
  const life = lifeIn(world, { ...machine, fs });
  return life;
}

interface Whole extends Played {
  readonly world: TestWorld;
  /** Its records in the order in which they were written. */
  readonly records: readonly Located[];
}

async function wholeTalk(talk: GoldenTalk): Promise<Whole> {
  const world = worldOf(talk);
  const records: Located[] = [];
  const life = watchedLife(world, (record) => records.push(record));
  return { ...(await playTalk(talk, world, life)), world, records };
}

interface Killed {
  readonly talk: GoldenTalk;
  readonly world: TestWorld;
  readonly before: Before;
  /** What was written, in the order in which it was. */
  readonly records: readonly Located[];
}

/** @param at the number of the last record that is written */
async function killedBehind(talk: GoldenTalk, at: number): Promise<Killed> {
  const world = worldOf(talk);
  const records: Located[] = [];
  let answered = 0;
  let deedOfLast = -1;
  const life = watchedLife(world, (record, { deed, requests, machine }) => {
    records.push(record);
    answered = requests.length;
    deedOfLast = deed;
    if (records.length < at) return;
    machine.kill();
    throw new Error('killed');
  });
  await playTalk(talk, world, life).catch(() => null);
  const { deed, results, sessions } = life;
  const before = { deed, results, sessions, answered, hasBegun: deedOfLast === deed };
  return { talk, world, before, records };
}

/** Where the next process may ask otherwise than the one that was killed would have, each with its reason. */
const OTHERWISE: { readonly [why: string]: (killed: Killed) => boolean } = {
  'a command or a tool of the program was under way: nobody knows what it did': ({ records }) => {
    const open = records.findLast(({ type }) =>
      /^action_(?:intended|started|finished)$/.test(type),
    );
    return (
      open?.type === 'action_started' ||
      (open?.type === 'action_intended' && open.class !== 'write')
    );
  },
  'a file has changed meanwhile, which a process that begins tells': ({ talk, before }) =>
    talk.does
      .slice(0, before.deed + 1)
      .some((deed) => 'write' in deed || ('say' in deed && deed.changesSeen)),
  'the person was about to stop it, of which nothing is recorded yet': ({ talk, before }) =>
    'stopsAt' in (talk.does[before.deed] ?? {}),
  'messages of elsewhere were half taken over': ({ talk, before }) =>
    talk.options?.messages !== undefined && before.sessions.size === 0,
};

const whyOtherwise = (killed: Killed): string | null =>
  Object.keys(OTHERWISE).find((why) => OTHERWISE[why]?.(killed)) ?? null;

/** More than any of them asks. */
const MANY = 40;

/** Goes on as another process does; a model that is asked otherwise has words left. */
async function goneOn({ talk, world, before }: Killed): Promise<Played | Error> {
  const words = talk.way === 'held' ? answerText('Well.') : 'Well.';
  const answers = [...talk.answers, ...Array.from({ length: MANY }, () => words)];
  try {
    return await playTalk({ ...talk, answers }, world, lifeIn(world), before);
  } catch (error) {
    return error as Error;
  }
}

interface Judged {
  /** Why it may be otherwise; `null`: it may not. */
  readonly why: string | null;
  readonly isOtherwise: boolean;
  readonly violations: readonly string[];
}

async function judgedBehind(whole: Whole, talk: GoldenTalk, at: number): Promise<Judged> {
  const killed = await killedBehind(talk, at);
  const why = whyOtherwise(killed);
  const played = await goneOn(killed);
  const different =
    played instanceof Error
      ? [`it did not go on: ${played.message}`]
      : [...differences(whole, killed, played), ...otherFiles(whole, killed)];
  const asked = played instanceof Error ? [] : played.requests;
  const never = [
    ...asked.flatMap(({ messages }) => faultsOfConversation(messages)),
    ...commandsRunAgain(whole, killed),
  ];
  const violations = why === null ? [...different, ...never] : never;
  return { why, isOtherwise: different.length > 0, violations };
}

function differences(whole: Whole, { before }: Killed, played: Played): readonly string[] {
  const faults: string[] = [];
  const expected = plainRequests(whole).slice(before.answered);
  const asked = plainRequests(played);
  const at = expected.findIndex((one, n) => JSON.stringify(one) !== JSON.stringify(asked[n]));
  if (at >= 0)
    faults.push(`request ${at + 1} of ${expected.length}: ${where(expected[at], asked[at])}`);
  if (asked.length !== expected.length)
    faults.push(`${asked.length} requests in the place of ${expected.length}`);
  for (const [n, came] of played.came.entries()) {
    const should = whole.came[before.deed + n] ?? {};
    // Of a deed that was done already nothing is told.
    const isTold = Object.keys(came).length === Object.keys(should).length;
    if (isTold && !isDeepStrictEqual(came, should))
      faults.push(`deed ${before.deed + n + 1} came to ${JSON.stringify(came)}`);
  }
  return faults;
}

const otherFiles = (whole: Whole, { world }: Killed): readonly string[] =>
  isDeepStrictEqual(filesOf(world), filesOf(whole.world)) ? [] : ['the files are others'];

function commandsRunAgain(whole: Whole, { world }: Killed): readonly string[] {
  const linesOf = ({ commands }: TestWorld) => commands.map(({ line }) => line);
  const most = linesOf(whole.world);
  const ran = linesOf(world);
  const count = (lines: readonly string[], line: string) =>
    lines.filter((one) => one === line).length;
  return [...new Set(ran)]
    .filter((line) => count(ran, line) > count(most, line))
    .map((line) => `${line} ran once more`);
}

/** Every file of the workspace but the state, with its content. */
function filesOf(world: TestWorld): { readonly [path: string]: string | null } {
  const { fs } = world.machine();
  const absolute = (path: string): string =>
    [WORKSPACE, ...path.split('/').filter(Boolean)].join(fs.platform === 'win32' ? '\\' : '/');
  const pathsIn = (folder: string): readonly string[] =>
    fs.readdir(absolute(folder)).flatMap((name) => {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (path === '.agent_context') return [];
      return fs.lstat(absolute(path)).kind === 'directory' ? pathsIn(path) : [path];
    });
  return Object.fromEntries(pathsIn('').map((path) => [path, world.read(path)]));
}

/** The first place at which two requests part. */
function where(one: unknown, other: unknown): string {
  const [a, b] = [JSON.stringify(one) ?? '', JSON.stringify(other) ?? ''];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const from = Math.max(0, at - 40);
  return `${a.slice(from, at + 60)} / ${b.slice(from, at + 60)}`;
}

/** What was tried behind each record of a conversation. */
export interface TalkReport extends FaultReport {
  /** Reasons for which something was otherwise. */
  readonly reasons: readonly string[];
}

/** @param isChosen whether it is killed behind the record of that number, from 1 on; left out: behind each */
export async function crashTalk(
  talk: GoldenTalk,
  isChosen: (at: number) => boolean = () => true,
): Promise<TalkReport> {
  const whole = await wholeTalk(talk);
  const violations: string[] = [];
  const reasons = new Set<string>();
  let cases = 0;
  for (let at = 1; at <= whole.records.length; at += 1) {
    if (!isChosen(at)) continue;
    cases += 1;
    const judged = await judgedBehind(whole, talk, at);
    if (judged.why !== null && judged.isOtherwise) reasons.add(judged.why);
    const place = `behind record ${at}, ${whole.records[at - 1]?.type}`;
    violations.push(...judged.violations.map((fault) => `${place}: ${fault}`));
  }
  return { kind: `${talk.name}, ${talk.way}`, cases, violations, reasons: [...reasons] };
}

/** All of them behind every record; a reason that nothing needs any more is a violation. */
export async function crashTalks(): Promise<FaultReport[]> {
  const reports: TalkReport[] = [];
  for (const talk of TALKS) reports.push(await crashTalk(talk));
  const needed = new Set(reports.flatMap(({ reasons }) => reasons));
  const violations = Object.keys(OTHERWISE).filter((why) => !needed.has(why));
  const stale = {
    kind: 'reasons that nothing needs',
    cases: Object.keys(OTHERWISE).length,
    violations,
  };
  return [...reports, stale];
}
