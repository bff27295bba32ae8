import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { play } from '../../support/golden-requests.ts';
import { SCENARIOS } from '../../support/golden-scenarios.ts';
import { someKills } from '../../support/some-kills.ts';

const WITHOUT_GO = ['python', 'pytest', 'ruff', 'node'];

describe('a run whose goal is not about Go', () => {
  // What Go would add, it would add to all of them; `npm run crash` plays all.
  it.each(someKills(SCENARIOS, 20))(
    'sends the same where go is installed: $name, $mode',
    async (scenario) => {
      const installed = [...(scenario.installed ?? WITHOUT_GO), 'go', 'gofmt'];
      const golden = `test/fixtures/requests/${scenario.name}-${scenario.mode}.json`;
      expect(await play({ ...scenario, installed })).toBe(readFileSync(golden, 'utf8'));
    },
  );
});

describe('a run whose goal is about Go', () => {
  it('is told how Go is run, and which of its commands are allowed', async () => {
    const scenario = SCENARIOS.find(({ name }) => name === 'refused-calls');
    if (scenario === undefined) throw new Error('the scenario has another name');
    const installed = [...WITHOUT_GO, 'go'];
    const text = await play({ ...scenario, goal: `${scenario.goal} in Go`, installed });
    expect(text).toContain(
      'COMMANDS: python, pytest, ruff, pip list|show|check, go build|test|vet|run|fmt|version|env|list|doc, gofmt',
    );
    const guided = SCENARIOS.find(({ mode }) => mode === 'json');
    if (guided === undefined) throw new Error('no scenario is guided');
    expect(await play({ ...guided, goal: `${guided.goal} in Go`, installed })).toContain(
      'Go: a program is package main in a file NAME.go',
    );
  });
});
