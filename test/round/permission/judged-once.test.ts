/** One call, one reading, one judgement: what was judged is what is carried out. */
import { describe, expect, it } from 'vitest';
import type { PolicyRequest } from '../../../src/tools/decision.ts';
import { diligentModel } from '../../support/models.ts';
import { asked, callingOwn, runWith, SEND } from '../../support/own-tools.ts';
import { runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const TIPS = diligentModel({
  subtasks: [
    { action: 'write_file', file: 'tips.mjs', purpose: 'prints tips' },
    { action: 'run_cmd', cmd: 'node tips.mjs', purpose: 'see it' },
  ],
  verify: { cmd: 'node tips.mjs', prints: 'tips' },
  files: { 'tips.mjs': ['console.log("tips");\n'] },
});

/** Notes what the rules were asked, and says nothing to it. */
function noting() {
  const requests: PolicyRequest[] = [];
  return { requests, policy: (request: PolicyRequest) => void requests.push(request) };
}

describe('a call is judged once', () => {
  it('where the rules allow it, and where they deny it', async () => {
    for (const rules of [{ allow: ['tool(send)'] }, { deny: ['tool(send)'] }]) {
      const { requests, policy } = noting();
      await runWith(testWorld(), callingOwn(SEND), {
        tools: [asked(() => 'sent')],
        policy,
        ...rules,
      });
      const sends = requests.filter(({ tool }) => tool === 'send');
      expect(sends).toHaveLength('allow' in rules ? 1 : 0);
    }
  });

  it('where nobody can be asked, and once more when a person has answered', async () => {
    for (const ask of [async () => 'once' as const, undefined]) {
      const { requests, policy } = noting();
      await runWith(testWorld(), callingOwn(SEND), {
        ...{ tools: [asked(() => 'sent')], policy },
        ...(ask ? { canUseTool: async () => ({ behavior: 'allow' as const }) } : {}),
      });
      expect(requests.filter(({ tool }) => tool === 'send')).toHaveLength(ask ? 2 : 1);
    }
  });

  it('and what holds by the time of the answer counts', async () => {
    const sent: string[] = [];
    let isLate = false;
    const { resultsOf } = await runWith(testWorld(), callingOwn(SEND), {
      tools: [asked(({ to }) => void sent.push(to))],
      policy: () => (isLate ? 'deny' : undefined),
      canUseTool: async () => {
        isLate = true;
        return { behavior: 'allow' };
      },
    });
    expect(sent).toEqual([]);
    expect(resultsOf('send')).toMatchObject([{ status: 'denied' }]);
  });

  it('and so are the commands of checks and of the proof', async () => {
    const { requests, policy } = noting();
    const { records } = await runIn(testWorld(), scriptedProvider(TIPS), { policy });
    const ran = records.flatMap((record) =>
      (record.type === 'action_finished' && record.touches !== 'nothing') ||
      (record.type === 'check_ran' && record.id !== null)
        ? [record.type]
        : [],
    );
    expect(ran).toContain('check_ran');
    expect(
      requests.map(({ asker }) => (asker === 'model' ? 'action_finished' : 'check_ran')),
    ).toEqual(ran);
  });
});

describe('a command line is split once', () => {
  it('and what was read goes with the question', async () => {
    const { requests, policy } = noting();
    await runIn(testWorld(), scriptedProvider(TIPS), { policy });
    const commands = requests.filter(({ target }) => target?.kind === 'command');
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.every(({ line }) => line?.ok === true)).toBe(true);
  });
});
