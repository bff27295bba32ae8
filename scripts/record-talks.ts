// node scripts/run.mjs scripts/record-talks.ts SET DIST [NAME…]: runs the build whose `dist` is given, and puts the
// conversations that it leaves behind into test/fixtures/SET. Only the build of that set can make them anew.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { changedIn, inCopyOf, putFiles } from '../test/support/format-1-observed.ts';
import { type RecordedTalk, TALK_SETS, TALKS } from '../test/support/recorded-talks.ts';
import {
  exportedIn,
  journalOfTalk,
  linesOf,
  talkIn,
} from '../test/support/recorded-talks-observed.ts';
import { signedFixtures } from './lib/signed-fixtures.ts';

const [name = '', dist = '', ...names] = process.argv.slice(2);
const sets = Object.keys(TALK_SETS).join('|');
const usage = `node scripts/run.mjs scripts/record-talks.ts ${sets} DIST [NAME…]`;
const format = TALK_SETS[name];
const { agent, play, keep, write, dispose } = signedFixtures(
  format === undefined ? '' : dist,
  usage,
);

async function recordTalk(talk: RecordedTalk): Promise<void> {
  const fixture = `test/fixtures/${name}/${talk.name}`;
  const prepare = (folder: string) => putFiles(folder, talk.before);
  await play({ ...talk, prepare, journalIn: journalOfTalk }, (folder) => {
    const journal = journalOfTalk(folder);
    const text = readFileSync(journal, 'utf8');
    const missing = talk.holds.filter((type) => !text.includes(`"type":"${type}"`));
    if (missing.length > 0) throw new Error(`${talk.name} holds no ${missing.join(', ')}.`);
    keep(fixture, folder, journal, format ?? 0);
  });
  // A command that was under way comes to its end: what is said of it must not depend on the hour.
  if (talk.starts.some(({ stop }) => stop.at === 'record')) await sleep(5_000);
  const exported = await inCopyOf(fixture, (folder) => exportedIn(agent, folder));
  await inCopyOf(fixture, async (folder) => {
    const records = linesOf(journalOfTalk(folder)).length;
    const { bodies } = await talkIn(agent, folder, talk);
    write(fixture, { records, exported, changed: changedIn(folder, talk.before) }, bodies);
  });
}

for (const talk of TALKS)
  if (names.length === 0 || names.includes(talk.name)) await recordTalk(talk);
dispose();
