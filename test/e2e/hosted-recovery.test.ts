import { afterEach, describe, expect, test } from 'vitest';
import { agentLab, recordsIn } from '../support/e2e-agent.ts';
import { HELLO_NODE } from '../support/e2e-goals.ts';
import { APIS, expectUntold, KEY, reach, SECOND_KEY } from '../support/e2e-hosted.ts';
import type { HostedApi, HostedServer } from '../support/hosted-api.ts';
import { workingModel } from '../support/models.ts';

const lab = agentLab();
let server: HostedServer;
afterEach(() => server?.close());

const { goal } = HELLO_NODE;
const script = workingModel(HELLO_NODE);

/** No turn is paid twice, and every prompt holds the one before. */
function expectOnlyGrown(api: HostedApi, { asked }: HostedServer): void {
  expect(new Set(asked).size).toBe(asked.length);
  // The plan is asked for in a conversation of its own.
  const bodies = asked.slice(1);
  for (const [index, prompt] of bodies.map(api.partsOf).entries()) {
    const before = api.partsOf(bodies[Math.max(0, index - 1)] ?? '');
    expect(prompt.slice(0, before.length), `request ${index + 2}`).toEqual(before);
  }
  expect(new Set(bodies.map((body) => JSON.stringify(JSON.parse(body).tools))).size).toBe(1);
}

describe.each(APIS)('$name', (api) => {
  test('a pause prints the command that continues, at the address that the run keeps and without the key; every prompt only grows', async () => {
    server = await api.serve(script);
    const folder = lab.folder();
    const { words, env } = reach(api, server, 'option');
    const limited = [goal, ...words, '--tool-mode', 'native', '--max-rounds', '1'];
    let end = await lab.here(limited, { in: folder, env });
    expect(end.exitCode).toBe(4);
    expect(end.stderr).toContain('Paused: limit of rounds reached');
    while (end.exitCode === 4) {
      const [, command = ''] = /Resume: agent (.*)/.exec(end.stderr) ?? [];
      expect(command).toMatch(/^resume .*--max-rounds 1$/);
      expectUntold(folder, end, KEY);
      const paid = server.asked.length;
      end = await lab.here(command.split(' '), { in: folder, env });
      expect(server.asked.length).toBeGreaterThan(paid);
    }
    expect(end.stderr).toContain('Done in');
    expect(recordsIn(folder, 'turn_finished')).toHaveLength(server.asked.length);
    expectOnlyGrown(api, server);
  });

  test('an expired key gives way to the second one, which is said, and neither is told', async () => {
    server = await api.serve(script, { onlyKey: SECOND_KEY });
    const folder = lab.folder();
    const second = `${api.keyVariable}_2`;
    const keys = { [api.keyVariable]: KEY, [second]: SECOND_KEY };
    const { words, env } = reach(api, server, 'environment', keys);
    const end = await lab.here([goal, ...words], { in: folder, env });
    expect(end.stderr).toContain(second);
    expect(end.stderr).toContain('Done in');
    expect(end.exitCode).toBe(0);
    expect(server.keys()).toEqual([KEY, SECOND_KEY]);
    expect(recordsIn(folder, 'turn_finished')).toHaveLength(server.asked.length);
    expectUntold(folder, end, KEY, SECOND_KEY);
  });
});
