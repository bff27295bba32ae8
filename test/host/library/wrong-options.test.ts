/** What a program without types gives wrongly is refused by its name, before anything is created. */
import { expect, it } from 'vitest';
import { createSession } from '../../../src/host/library/create-session.ts';
import { executeTurn } from '../../../src/host/library/execute-turn.ts';
import { memoryJournal } from '../../../src/host/library/memory-journal.ts';
import { runGoal } from '../../../src/host/library/run-goal.ts';
import type { HostPolicy } from '../../../src/policy/host-policy.ts';
import { systemMachine } from '../../../src/run/machine.ts';
import { asked, callingOwn, OWN_GOAL, SEND } from '../../support/own-tools.ts';
import { SCRIPTED_MODEL } from '../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const optionsIn = (world = testWorld()) => ({
  ...{
    goal: OWN_GOAL,
    workspace: WORKSPACE,
    machine: world.machine(),
    toolMode: 'native' as const,
  },
  ...{ provider: callingOwn(SEND), model: SCRIPTED_MODEL, instructions: false },
});

const tool = (more: object) => ({ tools: [{ ...asked(() => 'sent'), ...more }] });

it.each<readonly [string, object]>([
  ['policy', { policy: 'x' }],
  ['emit', { emit: 'x' }],
  ['canUseTool', { canUseTool: 5 }],
  ['saveRules', { saveRules: 5 }],
  ['ask', { ask: 5 }],
  ['keys', { keys: 'abc' }],
  ['provider', { provider: {} }],
  ['provider', { provider: 'openai' }],
  ['tools', { tools: {} }],
  ['journal', { journal: {} }],
  ['machine', { machine: {} }],
  ['machine', { machine: null }],
  ['inbox', { inbox: 5 }],
  ['servers', { servers: [] }],
  ['"idle"', { deadlines: { idle: 5 } }],
  ['deadlines', { deadlines: null }],
  ['"planner"', { models: { planner: 'a/b' } }],
  ['"commands"', { keptOutput: { commands: 5 } }],
  ['rules has no option "users"', { rules: { users: { deny: ['git'] } } }],
  ['rules.user has no option "denied"', { rules: { user: { denied: ['git'] } } }],
  ['rules.project has no option "allow"', { rules: { project: { allow: ['git'] } } }],
  ['rules.user.deny', { rules: { user: { deny: 'git' } } }],
  ['rules', { rules: null }],
  ['fallbacks', { fallbacks: [null] }],
  ['fallbacks', { fallbacks: [{ model: 'm' }] }],
  ['servers.files', { servers: { files: { comand: 'npx' } } }],
  ['servers.files', { servers: { files: null } }],
  ['lessons', { lessons: {} }],
  ['cooldowns', { cooldowns: { leftFor: () => 0 } }],
  ['leases', { leases: {} }],
  ['programConsents', { programConsents: { isKept: () => true, keep: () => {} } }],
  ['skipTrials', { skipTrials: true }],
  ['originKey', { originKey: 'x'.repeat(32) }],
  ['maxTimeMs is Infinity', { maxTimeMs: Number.POSITIVE_INFINITY }],
  ['maxTokens is NaN', { maxTokens: Number.NaN }],
  ['tool "send"', tool({ touches: 'disk' })],
  ['tool "send"', tool({ afterCrash: 'again' })],
  ['tool "send"', tool({ timeoutMs: 'x' })],
  ['keys', { keys: [null] }],
  ['template', { template: null }],
  ['parent', { parent: null }],
  ['worker', { worker: 7 }],
  ['backupFolder', { backupFolder: 7 }],
  ['ask', { ask: {} }],
  ['askPlan', { askPlan: [] }],
  ['providers.openai has no option "baseURL"', { providers: { openai: { baseURL: 'http://a' } } }],
  ['providers.openai.apiKey', { providers: { openai: { apiKey: 7 } } }],
  ['providers.openai.headers', { providers: { openai: { headers: { a: 1 } } } }],
  ['profiles', { profiles: [{ id: 'x', provider: 'openai' }] }],
])('%s: %j is refused', async (name, more) => {
  const call = runGoal({ ...optionsIn(), ...more } as never);
  await expect(call).rejects.toMatchObject({
    code: 'E_USAGE',
    message: expect.stringContaining(name),
  });
});

it('a value that is no JSON is refused, too', async () => {
  const call = runGoal({ ...optionsIn(), seed: 10n } as never);
  await expect(call).rejects.toMatchObject({ message: expect.stringContaining('seed is 10, ') });
});

it.each<readonly [string, object]>([
  ['name', { name: 7 }],
  ['key', { key: [] }],
  ['resume', { resume: 'false' }],
  ['system', { system: 7 }],
  ['systemPrompt', { systemPrompt: null }],
  ['isUnanswered', { isUnanswered: 'no' }],
  ['journal', { journal: 'none' }],
  ['journal', { journal: {} }],
  ['temperature is 3', { temperature: 3 }],
  ['temperature', { temperature: 'warm' }],
])('a conversation refuses %s: %j', async (name, more) => {
  const { goal: _goal, ...options } = optionsIn();
  await expect(createSession({ ...options, ...more } as never)).rejects.toMatchObject({
    code: 'E_USAGE',
    message: expect.stringContaining(name),
  });
});

it.each<readonly [string, string, HostPolicy]>([
  [
    'throws',
    'no such thing',
    () => {
      throw new Error('no such thing');
    },
  ],
  ['answers later', 'must answer at once', (async () => 'allow') as never],
])('a policy that %s is told once', async (_how, why, policy) => {
  const told: string[] = [];
  const run = runGoal({
    ...optionsIn(),
    ...{ ...tool({ touches: 'network' }), policy, maxRounds: 5 },
    emit: (event) => {
      if (event.type === 'notice') told.push(event.text);
    },
  });
  await run;
  expect(told.filter((text) => text.includes('The function policy'))).toHaveLength(1);
  expect(told.join('\n')).toContain(why);
});

it.each<readonly [string, () => unknown]>([
  ['a machine without an environment', () => systemMachine({ nodePath: null } as never)],
  ['a machine of nothing', () => systemMachine(undefined as never)],
  ['a journal in memory of nothing', () => memoryJournal(null as never)],
  ['a journal in memory of a text', () => memoryJournal({ mostMB: 'x' as never })],
  ['a message that is none', () => executeTurn({ model: 'm', messages: [null as never] })],
])('%s is refused as a mistake of the call', async (_, call) => {
  await expect((async () => call())()).rejects.toMatchObject({ code: 'E_USAGE' });
});

const tree: { type: string; properties: object } = { type: 'object', properties: {} };
tree.properties = { left: tree };

it.each<readonly [string, object, string]>([
  ['whose schema contains itself', { inputSchema: tree }, 'The tool "send" cannot be used.'],
  ['without a name', { name: undefined }, 'The tool without a name cannot be used.'],
])('a tool %s is refused', async (_, more, message) => {
  await expect(runGoal({ ...optionsIn(), ...tool(more) } as never)).rejects.toMatchObject({
    code: 'E_USAGE',
    message,
  });
});
