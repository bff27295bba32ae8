// node scripts/run.mjs scripts/record-format-2.ts DIST [NAME…]: runs the build of commit 63b715c4, whose
// `dist` is given, and puts the runs of format 2 that it leaves behind into test/fixtures/format-2. Only that build
// can make them anew.
import { join } from 'node:path';
import type { Format1Run } from '../test/support/format-1.ts';
import {
  inCopyOf,
  journalIn,
  putFiles,
  resumeIn,
  undoIn,
} from '../test/support/format-1-observed.ts';
import { FIXTURES_2, RUNS_2 } from '../test/support/format-2.ts';
import { linesOf } from '../test/support/recorded-talks-observed.ts';
import { signedFixtures } from './lib/signed-fixtures.ts';

const [dist = '', ...names] = process.argv.slice(2);
const usage = 'node scripts/run.mjs scripts/record-format-2.ts DIST [NAME…]';
const { agent, play, keep, write, dispose } = signedFixtures(dist, usage);

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

for (const run of RUNS_2) if (names.length === 0 || names.includes(run.name)) await recordRun(run);
dispose();
