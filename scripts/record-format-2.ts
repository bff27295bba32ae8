// node scripts/run.mjs scripts/record-format-2.ts DIST [NAME…]: runs the build of commit 63b715c4, whose
// `dist` is given, and puts what it leaves behind into test/fixtures/format-2: runs of format 2 and
// conversations of their format 1. Only that build can make them anew.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Format1Run } from '../test/support/format-1.ts';
import {
  changedIn,
  filesIn,
  inCopyOf,
  journalIn,
  putFiles,
  resumeIn,
  undoIn,
} from '../test/support/format-1-observed.ts';
import { FIXTURES_2, type RecordedTalk, RUNS_2, TALKS } from '../test/support/format-2.ts';
import { linesOf, talkIn } from '../test/support/format-2-observed.ts';
import { copyState, expectFormat, oldBuild } from './lib/old-build.ts';

const [dist = '', ...names] = process.argv.slice(2);
const bin = resolve(dist, 'bin.js');
if (dist === '' || !existsSync(bin)) {
  console.error('usage: node scripts/run.mjs scripts/record-format-2.ts DIST [NAME…]');
  process.exit(2);
}
const home = mkdtempSync(join(tmpdir(), 'tardigrade-home-'));
const key = join(home, '.local/share/tardigrade-agent/origin.key');
const { agent, play } = oldBuild(bin, home);

/** One key signs every fixture. */
function keepKey(): void {
  const kept = join(FIXTURES_2, 'origin.key');
  mkdirSync(FIXTURES_2, { recursive: true });
  if (!existsSync(kept)) return;
  mkdirSync(join(key, '..'), { recursive: true, mode: 0o700 });
  copyFileSync(kept, key);
}

function keep(fixture: string, folder: string, journal: string, format: number): void {
  expectFormat(journal, format);
  rmSync(fixture, { recursive: true, force: true });
  mkdirSync(fixture, { recursive: true });
  putFiles(join(fixture, 'workspace'), filesIn(folder));
  copyState(join(folder, '.agent_context'), join(fixture, 'agent_context'));
  if (!existsSync(join(FIXTURES_2, 'origin.key')))
    copyFileSync(key, join(FIXTURES_2, 'origin.key'));
}

function write(fixture: string, expected: object, bodies: readonly string[]): void {
  writeFileSync(join(fixture, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
  const [next] = bodies;
  if (next !== undefined) writeFileSync(join(fixture, 'next-request.json'), next);
  console.log(`  then: ${bodies.length} requests`);
}

async function recordRun(run: Format1Run): Promise<void> {
  const fixture = join(FIXTURES_2, run.name);
  const prepare = (folder: string) => putFiles(folder, run.before);
  await play({ ...run, prepare, journalIn }, (folder) =>
    keep(fixture, folder, journalIn(folder), 2),
  );
  const { changed } = await inCopyOf(fixture, (folder) => undoIn(agent, folder, run.before));
  const { told, bodies } = await inCopyOf(fixture, (folder) => resumeIn(agent, folder, run));
  const records = linesOf(join(fixture, 'agent_context/history.jsonl')).length;
  write(fixture, { records, undo: changed, resume: told.changed }, bodies);
}

/** There is one conversation in each folder. */
function sessionJournal(folder: string): string {
  const sessions = join(folder, '.agent_context/sessions');
  const [id = 'none'] = existsSync(sessions) ? readdirSync(sessions) : [];
  return join(sessions, id, 'history.jsonl');
}

async function recordTalk(talk: RecordedTalk): Promise<void> {
  const fixture = join(FIXTURES_2, talk.name);
  const prepare = (folder: string) => putFiles(folder, talk.before);
  await play({ ...talk, prepare, journalIn: sessionJournal }, (folder) => {
    const journal = sessionJournal(folder);
    const text = readFileSync(journal, 'utf8');
    const missing = talk.holds.filter((type) => !text.includes(`"type":"${type}"`));
    if (missing.length > 0) throw new Error(`${talk.name} holds no ${missing.join(', ')}.`);
    keep(fixture, folder, journal, 1);
  });
  // A command that was under way comes to its end: what is said of it must not depend on the hour.
  if (talk.starts.some(({ stop }) => stop.at === 'record')) await sleep(5_000);
  await inCopyOf(fixture, async (folder) => {
    const records = linesOf(sessionJournal(folder)).length;
    const { bodies } = await talkIn(agent, folder, talk);
    const { stdout } = await agent(['export', 'talk'], folder);
    write(
      fixture,
      { records, transcript: stdout, changed: changedIn(folder, talk.before) },
      bodies,
    );
  });
}

const isWanted = ({ name }: { readonly name: string }): boolean =>
  names.length === 0 || names.includes(name);

keepKey();
for (const run of RUNS_2.filter(isWanted)) await recordRun(run);
for (const talk of TALKS.filter(isWanted)) await recordTalk(talk);
rmSync(home, { recursive: true, force: true });
