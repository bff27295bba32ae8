import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Evidence, type Goal, missed, type Verdict } from '../goal.ts';
import { testsHold } from '../python-tests.ts';
import { filesIn } from '../workspace-files.ts';

const INPUT = 'name,city\nAda,London\n"Kurt, G.",Vienna\n';
const ROWS = [
  { name: 'Ada', city: 'London' },
  { name: 'Kurt, G.', city: 'Vienna' },
];

function isRight(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(ROWS);
  } catch {
    return false;
  }
}

async function judge(evidence: Evidence): Promise<Verdict> {
  const { workspace, programs } = evidence;
  if (!filesIn(workspace).includes('csv2json.py')) return missed('there is no csv2json.py');
  const input = join(workspace, 'oracle-input.csv');
  const output = join(workspace, 'oracle-output.json');
  writeFileSync(input, INPUT);
  const run = await programs.python(['csv2json.py', 'oracle-input.csv', 'oracle-output.json'], {
    cwd: workspace,
  });
  if (!existsSync(output)) {
    return missed(
      `it wrote no output, exit code ${run.exitCode}: ${run.output.trim().slice(-120)}`,
    );
  }
  if (!isRight(readFileSync(output, 'utf8')))
    return missed('its output is not the rows of the input');
  rmSync(input);
  rmSync(output);
  return testsHold(evidence, { least: 1, imports: /^\s*(?:from|import)\s+csv2json\b/m });
}

export const csvToJson: Goal = {
  name: 'csv-to-json',
  text: 'Create csv2json.py that turns a CSV file into a JSON list of objects ("python csv2json.py INPUT OUTPUT"), and a test for it',
  maxRounds: 12,
  needs: ['python', 'pytest'],
  judge,
};
