/** The server is killed again and again while runs and conversations work: the test of the suite, with more of both. */
import { execa } from 'execa';
import type { FaultReport } from './contract.ts';

const KILLS = Number(process.env.SERVER_KILLS ?? 200);
const RUNS = 5;

export async function crashServer(): Promise<FaultReport[]> {
  const { exitCode, stdout } = await execa(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'test/server/outlives.test.ts'],
    {
      ...{
        env: { SERVER_KILLS: String(KILLS), SERVER_RUNS: String(RUNS) },
        reject: false,
        all: true,
      },
    },
  );
  const violations = exitCode === 0 ? [] : [stdout.slice(-4000)];
  return [
    {
      kind: `server killed while ${RUNS} runs and ${RUNS} conversations work`,
      cases: KILLS,
      violations,
    },
  ];
}
