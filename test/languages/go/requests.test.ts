import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { play } from '../../support/golden-requests.ts';
import { SCENARIOS } from '../../support/golden-scenarios.ts';

const WITHOUT_GO = ['python', 'pytest', 'ruff', 'node'];

describe('a run whose goal is not about Go', () => {
  it.each(SCENARIOS)('sends the same where go is installed: $name, $mode', async (scenario) => {
    const installed = [...(scenario.installed ?? WITHOUT_GO), 'go', 'gofmt'];
    const golden = `test/fixtures/requests/${scenario.name}-${scenario.mode}.json`;
    expect(await play({ ...scenario, installed })).toBe(readFileSync(golden, 'utf8'));
  });
});
