import { describe, expect, it } from 'vitest';
import type { HostDecision } from '../../src/policy/host-policy.ts';
import {
  askBy,
  type CanUseTool,
  type PermissionUpdate,
} from '../../src/round/permission/can-use-tool.ts';
import type { PermissionQuestion } from '../../src/round/permission/person.ts';
import { exitCodeOfResult } from '../../src/run/exit-codes.ts';
import { asked, callingOwn, runWith, SEND } from '../support/own-tools.ts';
import { testWorld } from '../support/test-machine.ts';

type Seen = readonly [
  string,
  object,
  { toolUseID: string; suggestions?: readonly object[] | undefined },
];

/** What was sent, and what was asked about it. */
async function sendBy(
  canUseTool: CanUseTool,
  options: Parameters<typeof runWith>[2] = {},
  calls = [SEND],
) {
  const sent: string[] = [];
  const seen: Seen[] = [];
  const send = asked(({ to }) => void sent.push(to));
  const told = await runWith(testWorld(), callingOwn(...calls), {
    tools: [send],
    canUseTool: (name, input, { toolUseID, suggestions, signal }) => {
      seen.push([name, input, { toolUseID, suggestions }]);
      return canUseTool(name, input, { toolUseID, signal });
    },
    ...options,
  });
  return { ...told, sent, seen };
}

const allow: CanUseTool = async () => ({ behavior: 'allow' });

describe('canUseTool', () => {
  it('is called for what the rules ask, with the call and what would allow it from now on', async () => {
    const { sent, seen, events } = await sendBy(allow);
    expect(sent).toEqual(['ada']);
    const rules = [{ toolName: 'tool', ruleContent: 'send' }];
    const suggestions = [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
    expect(seen).toEqual([
      ['send', { to: 'ada' }, { toolUseID: expect.stringMatching(/./), suggestions }],
    ]);
    const types = events.flatMap((event) => (event.type === 'record' ? [event.record.type] : []));
    expect(types.filter((type) => type.startsWith('approval'))).toEqual([
      'approval_asked',
      'approval_given',
    ]);
  });

  it('is not called for what a rule allows or denies', async () => {
    expect((await sendBy(allow, { allow: ['tool(send)'] })).seen).toEqual([]);
    const denied = await sendBy(allow, { deny: ['tool(send)'] });
    expect([denied.seen, denied.sent]).toEqual([[], []]);
  });

  it('that says no is told to the model in its words, and one that throws or says nothing is a no', async () => {
    const answers: readonly [CanUseTool, string][] = [
      [async () => ({ behavior: 'deny', message: 'not at night' }), 'not at night'],
      [() => Promise.reject(new Error('no window')), 'no window'],
      [
        () => {
          throw new Error('at once');
        },
        'at once',
      ],
      [async () => undefined as never, 'neither allow nor deny'],
    ];
    for (const [canUseTool, words] of answers) {
      const { sent, resultsOf } = await sendBy(canUseTool);
      expect(sent).toEqual([]);
      expect(resultsOf('send')).toMatchObject([{ status: 'denied' }]);
      expect(resultsOf('send')[0]?.result).toContain(words);
    }
  });

  it('may change what the tool gets, which stands in the journal', async () => {
    const change: CanUseTool = async () => ({ behavior: 'allow', updatedInput: { to: 'grace' } });
    const { sent, seen, events } = await sendBy(change);
    expect(sent).toEqual(['grace']);
    expect(seen).toHaveLength(1);
    const given = events.find(
      (event) => event.type === 'record' && event.record.type === 'approval_given',
    );
    expect(given).toMatchObject({ record: { allowed: true, input: { to: 'grace' } } });
  });

  it('changes nothing to what does not fit, or what the rules deny', async () => {
    const wrong: CanUseTool = async () => ({ behavior: 'allow', updatedInput: { to: '' } });
    const misfit = await sendBy(wrong);
    expect(misfit.sent).toEqual([]);
    expect(misfit.resultsOf('send')[0]?.result).toContain('The changed input cannot be used');
    const change: CanUseTool = async () => ({ behavior: 'allow', updatedInput: { to: 'grace' } });
    const policy = ({ args }: { args: { to?: unknown } }) =>
      args.to === 'grace' ? 'deny' : undefined;
    const denied = await sendBy(change, { policy });
    expect(denied.sent).toEqual([]);
    expect(denied.resultsOf('send')[0]?.result).toContain('The changed input is not allowed');
  });

  it('may give a rule for the run with its answer', async () => {
    const sent: string[] = [];
    let questions = 0;
    const canUseTool: CanUseTool = async (_name, _input, { suggestions = [] }) => {
      questions += 1;
      return { behavior: 'allow', updatedPermissions: suggestions };
    };
    const calls = [SEND, { name: 'send', args: { to: 'grace' } }];
    const tools = [asked(({ to }) => void sent.push(to))];
    const { result } = await runWith(testWorld(), callingOwn(...calls), { tools, canUseTool });
    expect([questions, sent]).toEqual([1, ['ada', 'grace']]);
    expect(result.state.permissions?.rules).toMatchObject([{ rule: 'tool(send)', scope: 'run' }]);
  });

  it('gives no rule that it did not return', async () => {
    const offered = ['run_cmd(git *)', 'run_cmd(npm *)'];
    const question = {
      tool: 'run_cmd',
      input: {},
      callId: 'c',
      offered,
    } as unknown as PermissionQuestion;
    const answerTo = (change: (all: PermissionUpdate) => PermissionUpdate) =>
      askBy(
        async (_name, _input, { suggestions = [] }) => ({
          behavior: 'allow',
          updatedPermissions: suggestions.map(change),
        }),
        () => {},
      )(question, new AbortController().signal);
    const narrower = { toolName: 'run_cmd', ruleContent: 'git status' };
    expect(await answerTo((all) => all)).toEqual({ kind: 'run' });
    expect(await answerTo((all) => ({ ...all, destination: 'localSettings' }))).toEqual({
      kind: 'always',
    });
    for (const rules of [[narrower], []])
      expect(await answerTo((all) => ({ ...all, rules }))).toEqual({ kind: 'once' });
    expect(await answerTo((all) => ({ ...all, rules: all.rules?.slice(1) ?? [] }))).toEqual({
      kind: 'once',
    });
  });

  it('keeps no rule where its changed input makes its yes a no', async () => {
    const saved: string[] = [];
    const canUseTool: CanUseTool = async () => ({
      behavior: 'allow',
      updatedInput: { to: '' },
      updatedPermissions: [
        {
          ...{ type: 'addRules', behavior: 'allow', destination: 'localSettings' },
          rules: [{ toolName: 'tool', ruleContent: 'send' }],
        },
      ],
    });
    const saveRules = (rules: readonly string[]) => void saved.push(...rules);
    expect((await sendBy(canUseTool, { saveRules })).sent).toEqual([]);
    expect(saved).toEqual([]);
  });

  it('may stop the run with its no', async () => {
    const canUseTool: CanUseTool = async () => ({
      behavior: 'deny',
      message: 'stop',
      interrupt: true,
    });
    const { result, sent } = await sendBy(canUseTool);
    expect(result).toMatchObject({ ending: 'paused', why: 'interrupted' });
    expect(sent).toEqual([]);
  });

  it('may wait for ever: the run stops with its signal, and the next start asks again', async () => {
    const world = testWorld();
    const stop = new AbortController();
    const sent: string[] = [];
    const tools = [asked(({ to }) => void sent.push(to))];
    const first = await runWith(world, callingOwn(SEND), {
      ...{ tools, signal: stop.signal },
      canUseTool: () => {
        stop.abort();
        return new Promise(() => {});
      },
    });
    expect(first.result).toMatchObject({ ending: 'paused', why: 'interrupted' });
    expect(first.result.state.permissions?.open).toHaveLength(1);
    let questions = 0;
    const canUseTool: CanUseTool = async () => {
      questions += 1;
      return { behavior: 'allow' };
    };
    await runWith(world, callingOwn(SEND), { tools, canUseTool });
    expect([questions, sent]).toEqual([1, ['ada']]);
  });

  it('whose answer a crash left behind is not asked again, a changed input included', async () => {
    const world = testWorld();
    const dying = world.machine();
    const sent: string[] = [];
    const tools = [asked(({ to }) => void sent.push(to))];
    const originKey = new Uint8Array(32).fill(7);
    const canUseTool: CanUseTool = async () => ({
      behavior: 'allow',
      updatedInput: { to: 'grace' },
    });
    const first = runWith(world, callingOwn(SEND), {
      ...{ tools, canUseTool, originKey, machine: dying },
      emit: (event) => {
        if (event.type === 'action_started' && event.call.name === 'send') dying.kill();
      },
    });
    await expect(first).rejects.toThrow();
    const never: CanUseTool = () => expect.fail('asked again');
    await runWith(world, callingOwn(SEND), { tools, canUseTool: never, originKey });
    expect(sent).toEqual(['grace']);
  });

  it('is not what leaves a question open: where ask says none, the run waits for a person', async () => {
    const ask = async () => ({ kind: 'none' }) as const;
    const tools = [asked(() => expect.fail('ran'))];
    const { result } = await runWith(testWorld(), callingOwn(SEND), { tools, ask });
    expect(result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(exitCodeOfResult(result)).toBe(6);
    expect(result.state.permissions?.open).toMatchObject([{ tool: 'send', isNoted: false }]);
  });

  it('stands in the place of ask, not beside it', async () => {
    const ask = async () => ({ kind: 'none' }) as const;
    await expect(sendBy(allow, { ask })).rejects.toMatchObject({ code: 'E_USAGE' });
  });
});

describe('a policy of the program', () => {
  it('is not asked about the plan and the end, which reach nothing', async () => {
    const about: string[] = [];
    const policy = ({ tool }: { tool: string }): HostDecision => {
      about.push(tool);
      return 'deny';
    };
    const { result } = await sendBy(allow, { policy });
    expect(about).not.toEqual([]);
    expect(new Set(about)).toEqual(new Set(['send']));
    expect(result.ending).not.toBe('paused');
    expect(result.state.plan).not.toBeNull();
  });

  it('allows, asks and denies beside the rules', async () => {
    const seen: unknown[] = [];
    const policy = ({ tool }: { tool: string }, byRules: string) => {
      if (tool === 'send') seen.push(byRules);
      return tool === 'send' ? 'allow' : undefined;
    };
    const allowed = await sendBy(() => expect.fail('asked'), { policy });
    expect(allowed.sent).toEqual(['ada']);
    expect(seen).toContain('ask');
    const asking = await sendBy(allow, { policy: () => 'ask', allow: ['tool(send)'] });
    expect(asking.seen.some(([name]) => name === 'send')).toBe(true);
    const reason = 'not on Sundays';
    const denied = await sendBy(allow, { policy: () => ({ decision: 'deny', reason }) });
    expect([denied.sent, denied.resultsOf('send')[0]?.result]).toEqual([
      [],
      expect.stringContaining(reason),
    ]);
  });

  it('lifts no deny, and what it throws or promises is one', async () => {
    const lifting = await sendBy(allow, { policy: () => 'allow', deny: ['tool(send)'] });
    expect(lifting.sent).toEqual([]);
    const throwing = () => {
      throw new Error('no table');
    };
    for (const policy of [throwing, async () => 'allow'] as never[]) {
      const { sent, resultsOf } = await sendBy(allow, { policy });
      expect([sent, resultsOf('send')[0]?.status]).toEqual([[], 'denied']);
    }
  });
});
