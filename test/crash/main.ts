import { crashBackground } from './background.ts';
import { crashChat } from './chat.ts';
import { crashChildren } from './children.ts';
import type { FaultReport } from './contract.ts';
import { crashDamage } from './damage.ts';
import { crashEngine, engineCasesUntilCaught } from './engine.ts';
import { ENGINE_BUGS } from './engine-bugs.ts';
import { crashFleet } from './fleet.ts';
import { crashTalks } from './golden-talks.ts';
import { crashAgent } from './kill-matrix.ts';
import { crashPermissions } from './permissions.ts';
import { SEEDED_BUGS } from './seeded-bugs.ts';
import { crashServer } from './server-kills.ts';
import { crashSpawns } from './spawn-window.ts';
import { casesUntilCaught, crashStorage } from './storage.ts';
import { crashSandboxed } from './walled.ts';
import { crashWholeRuns } from './whole-runs.ts';

type Suite = () => FaultReport[] | Promise<FaultReport[]>;

/** What `npm run crash` tries: all of it, or the suites named as arguments. */
const SUITES: { readonly [name: string]: Suite } = {
  storage: () => crashStorage(),
  engine: () => crashEngine(),
  conversation: () => crashChat(),
  'golden conversations': () => crashTalks(),
  damage: () => crashDamage(),
  agent: () => crashAgent(say),
  permissions: () => crashPermissions(say),
  spawns: () => crashSpawns(say),
  children: () => crashChildren(say),
  beside: () => crashBackground(say),
  walled: () => crashSandboxed(say),
  server: () => crashServer(),
  fleet: () => crashFleet(say),
  'whole runs': () => crashWholeRuns(),
  'seeded bugs': async () => [...storageBugs(), ...(await engineBugs())],
};

const caught = (what: string, cases: number | null): FaultReport => ({
  kind: `caught: ${what}`,
  cases: cases ?? 0,
  violations: cases === null ? ['nobody noticed it'] : [],
});

const storageBugs = (): FaultReport[] =>
  Object.entries(SEEDED_BUGS).map(([what, planted]) => caught(what, casesUntilCaught(planted)));

async function engineBugs(): Promise<FaultReport[]> {
  const reports: FaultReport[] = [];
  for (const [what, planted] of Object.entries(ENGINE_BUGS))
    reports.push(caught(what, await engineCasesUntilCaught(planted)));
  return reports;
}

const wanted = process.argv.slice(2).filter((argument) => argument !== '--json');
const unknown = wanted.find((name) => !(name in SUITES));
if (unknown !== undefined) {
  process.stderr.write(
    `There is no suite ${unknown}. Choose of: ${Object.keys(SUITES).join(', ')}.\n`,
  );
  process.exit(2);
}
const chosen = Object.entries(SUITES).filter(
  ([name]) => wanted.length === 0 || wanted.includes(name),
);
const json = process.argv.includes('--json');
const say = (text: string) => {
  if (!json) process.stdout.write(`${text}\n`);
};
const results: { suite: string; reports: FaultReport[] }[] = [];
for (const [suite, run] of chosen) {
  say(`\n${suite}`);
  const reports = await run();
  results.push({ suite, reports });
  for (const { kind, cases, violations } of reports) {
    const verdict = violations.length === 0 ? 'none' : String(violations.length);
    say(`  ${kind.padEnd(52)} ${String(cases).padStart(7)} cases   violations: ${verdict}`);
    for (const violation of violations.slice(0, 5)) say(`      ${violation}`);
  }
}
const all = results.flatMap(({ reports }) => reports);
const faults = all.reduce((sum, { cases }) => sum + cases, 0);
const violations = all.reduce((sum, report) => sum + report.violations.length, 0);
if (json) process.stdout.write(`${JSON.stringify({ faults, violations, results }, null, 2)}\n`);
say(`\n${faults} faults tried, ${violations} violations.`);
process.exitCode = violations === 0 ? 0 : 1;
