import { afterEach, describe, expect, test } from 'vitest';
import { traitsOf } from '../../src/schema/driver.ts';
import { agentLab, recordsIn } from '../support/e2e-agent.ts';
import { GAME, HELLO, type Walkthrough } from '../support/e2e-goals.ts';
import { APIS, expectUntold, KEY, reach } from '../support/e2e-hosted.ts';
import { expectGame, expectHello, unless } from '../support/e2e-walkthroughs.ts';
import type { HostedServer } from '../support/hosted-api.ts';
import { hasPython } from '../support/installed.ts';
import { inOneReply, workingModel } from '../support/models.ts';

const lab = agentLab();
let server: HostedServer;
afterEach(() => server?.close());

describe.each(APIS)('$name', (api) => {
  /** One goal in a fresh folder; whatever it comes to, the key is told to the server alone. */
  async function walk(work: Walkthrough, mode: 'native' | 'json', by: 'option' | 'environment') {
    server = await api.serve(inOneReply(workingModel(work)));
    const folder = lab.folder();
    const { words, env } = reach(api, server, by);
    const args = [work.goal, ...words, '--tool-mode', mode];
    // As a process for one of them: the others tell what is sent and kept, not how it is started.
    const isProcess = api.name === 'anthropic' && by === 'option';
    const start = isProcess ? lab.agent : lab.here;
    const end = await start(args, { in: folder, env });
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

  test.runIf(hasPython).each([
    ['native', 'option'],
    ['json', 'environment'],
  ] as const)(
    `a hello world script is written in 2 or 3 rounds${unless(hasPython, 'python')} (%s mode, address by %s)`,
    async (mode, by) => await expectHello(await walk(HELLO, mode, by)),
  );

  // Long ones in both modes are in walkthroughs.test.ts.
  test.runIf(hasPython && api.name === 'openai')(
    `a game is written and played through stdin in at most 8 rounds${unless(hasPython, 'python')}`,
    async () => await expectGame(await walk(GAME, 'native', 'environment')),
  );
});
