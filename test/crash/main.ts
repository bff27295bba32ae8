import type { FaultReport } from './contract.ts';
import { crashAgent } from './kill-matrix.ts';
import { SEEDED_BUGS } from './seeded-bugs.ts';
import { casesUntilCaught, crashStorage } from './storage.ts';

/** What `npm run crash` tries; more suites are added to this list. */
const SUITES: { readonly [name: string]: () => FaultReport[] | Promise<FaultReport[]> } = {
  storage: () => crashStorage(),
  'the built agent, killed': () => crashAgent(say),
};

function seededBugs(): FaultReport[] {
  return Object.entries(SEEDED_BUGS).map(([what, planted]) => {
    const cases = casesUntilCaught(planted, 1);
    return {
      kind: `caught: ${what}`,
      cases: cases ?? 0,
      violations: cases === null ? ['nobody noticed it'] : [],
    };
  });
}

const json = process.argv.includes('--json');
const say = (text: string) => {
  if (!json) process.stdout.write(`${text}\n`);
};
const results: { suite: string; reports: FaultReport[] }[] = [];
for (const [suite, run] of Object.entries({ ...SUITES, 'seeded bugs': seededBugs })) {
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
