// node scripts/run.mjs scripts/record-format-1.ts DIST [NAME…]: runs the build of commit 4c35833, whose
// `dist` is given, and puts the state directories it leaves behind, with what it then tells of them,
// into test/fixtures/format-1. Only a build that writes format 1 can make them anew.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FIXTURES, FORMAT_1, type Format1Run } from '../test/support/format-1.ts';
import {
  filesIn,
  historyOf,
  inCopyOf,
  journalIn,
  putFiles,
  resumeIn,
  runsOf,
  statusOf,
  undoIn,
} from '../test/support/format-1-observed.ts';
import { copyState, expectFormat, oldBuild } from './lib/old-build.ts';

const [dist = '', ...names] = process.argv.slice(2);
const bin = resolve(dist, 'bin.js');
if (dist === '' || !existsSync(bin)) {
  console.error('usage: node scripts/run.mjs scripts/record-format-1.ts DIST [NAME…]');
  process.exit(2);
}
const home = mkdtempSync(join(tmpdir(), 'tardigrade-home-'));
const { agent, play } = oldBuild(bin, home);

async function record(run: Format1Run): Promise<void> {
  const fixture = join(FIXTURES, run.name);
  const prepare = (folder: string) => putFiles(folder, run.before);
  await play({ ...run, prepare, journalIn }, (folder) => {
    expectFormat(journalIn(folder), 1);
    rmSync(fixture, { recursive: true, force: true });
    mkdirSync(fixture, { recursive: true });
    putFiles(join(fixture, 'workspace'), filesIn(folder));
    copyState(join(folder, '.agent_context'), join(fixture, 'agent_context'));
  });
  await observe(run, fixture);
}

async function observe(run: Format1Run, fixture: string): Promise<void> {
  const read = await inCopyOf(fixture, async (folder) => ({
    status: await statusOf(agent, folder),
    history: await historyOf(agent, folder),
    runs: await runsOf(agent, folder),
  }));
  const undo = await inCopyOf(fixture, (folder) => undoIn(agent, folder, run.before));
  const { told, bodies } = await inCopyOf(fixture, (folder) => resumeIn(agent, folder, run));
  const expected = { ...read, undo, resume: told };
  writeFileSync(join(fixture, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
  const [next] = bodies;
  if (next !== undefined) writeFileSync(join(fixture, 'next-request.json'), next);
  console.log(`  then: ${told.exitCode} ${told.state}, ${bodies.length} requests`);
}

for (const run of FORMAT_1) {
  if (names.length === 0 || names.includes(run.name)) await record(run);
}
rmSync(home, { recursive: true, force: true });
