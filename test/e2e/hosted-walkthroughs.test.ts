import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { traitsOf } from '../../src/schema/driver.ts';
import { agentLab, recordsIn } from '../support/e2e-agent.ts';
import { HELLO_NODE } from '../support/e2e-goals.ts';
import { APIS, expectUntold, KEY, reach } from '../support/e2e-hosted.ts';
import type { HostedServer } from '../support/hosted-api.ts';
import { inOneReply, workingModel } from '../support/models.ts';

const lab = agentLab();
let server: HostedServer;
afterEach(() => server?.close());

describe.each(APIS)('$name', (api) => {
  /** One goal in a fresh folder; whatever it comes to, the key is told to the server alone. */
  async function walk(mode: 'native' | 'json', by: 'option' | 'environment') {
    server = await api.serve(inOneReply(workingModel(HELLO_NODE)));
    const folder = lab.folder();
    const { words, env } = reach(api, server, by);
    const args = [HELLO_NODE.goal, ...words, '--tool-mode', mode];
    const end = await lab.here(args, { in: folder, env });
    expect(server.keys()).toEqual([KEY]);
    expectUntold(folder, end, KEY);
    const hasTools = server.asked.some((body) => 'tools' in JSON.parse(body));
    expect(hasTools).toBe(mode === 'native');
    const settings = recordsIn(folder, 'settings_changed');
    expect(settings.map((one) => [one.provider, one.model, traitsOf(one).mode])).toEqual([
      [api.name, api.model, mode],
    ]);
    return { folder, ...end };
  }

  test.each([
    ['native', 'option'],
    ['json', 'environment'],
  ] as const)('a script is written (%s mode, address by %s)', async (mode, by) => {
    const { folder, stderr, exitCode } = await walk(mode, by);
    expect(stderr).toContain('Done in');
    expect(exitCode).toBe(0);
    expect(readFileSync(join(folder, 'hello.mjs'), 'utf8')).toBe("console.log('Hello');\n");
  });
});
