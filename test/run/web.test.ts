/** A run whose model asks for pages of the web. */
import { expect, it } from 'vitest';
import { type RunGoalOptions, runGoal } from '../../src/agent.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import type { RecordOf } from '../../src/schema/records.ts';
import type { WebPorts } from '../../src/tools/web/ports.ts';
import { leading } from '../support/leading.ts';
import { realFolder, realMachine } from '../support/real-run.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';

const WORK = { subtasks: [{ action: 'read_file', file: 'a.txt', purpose: 'look' }] };
const DONE = { name: 'mark_subtask_complete', args: { success: true, reason: 'it is seen' } };

/** Every name is known, and leads where nothing is fetched: what was asked for is seen, and nothing leaves. */
const web = (asked: string[]): WebPorts => ({
  lookup: async (name) => {
    asked.push(name);
    return [{ address: '127.0.0.1', family: 4 }];
  },
  isSpecial: () => true,
  proxyFor: () => null,
  totalMs: 1_000,
});

async function run(urls: readonly string[], options: Partial<RunGoalOptions> = {}) {
  const script = leading(WORK, ({ messages }) => {
    const done = messages.filter(({ role }) => role === 'tool').length - 1;
    const url = urls[done];
    return { text: '', calls: [url === undefined ? DONE : { name: 'web_fetch', args: { url } }] };
  });
  const looked: string[] = [];
  const outcomes: RecordOf<'action_finished'>[] = [];
  const intents: string[] = [];
  const emit = (event: RunEvent): void => {
    if (event.type !== 'record') return;
    if (event.record.type === 'action_intended') intents.push(event.record.class);
    if (event.record.type === 'action_finished' && event.record.tool === 'web_fetch')
      outcomes.push(event.record);
  };
  const result = await runGoal({
    ...{ goal: 'look at it', workspace: realFolder({ 'a.txt': 'a' }), emit },
    ...{ provider: scriptedProvider(script, LARGE), model: SCRIPTED_MODEL },
    machine: { ...realMachine(), web: web(looked) },
    ...options,
  });
  return { result, looked, outcomes, intents };
}

it('has no such tool in the library unless it is switched on', async () => {
  const { outcomes, looked } = await run(['https://a.test/']);
  expect(outcomes).toMatchObject([{ status: 'error', facts: { fault: 'tool' } }]);
  expect(looked).toEqual([]);
});

it('asks with the whole address, and a yes for a host counts for the run and for no other host', async () => {
  const asked: string[] = [];
  const urls = ['https://a.test/\u202e?q=1', 'https://a.test/2', 'https://b.a.test/'];
  const { outcomes, looked, intents } = await run(urls, {
    web: 'on',
    ask: async ({ target, offered, folder, isForRunOnly }) => {
      asked.push([target, ...offered, folder, isForRunOnly].join(' '));
      return { kind: 'always' };
    },
    saveRules: () => asked.push('kept for ever'),
  });
  expect(asked).toEqual([
    'https://a.test/%E2%80%AE?q=1 web_fetch(a.test)  true',
    'https://b.a.test/ web_fetch(b.a.test)  true',
  ]);
  expect(looked).toEqual(['a.test', 'a.test', 'b.a.test']);
  expect(outcomes.map(({ status, touches }) => `${status} ${touches}`)).toEqual([
    ...['error network', 'error network', 'error network'],
  ]);
  // An intent without an outcome is interrupted after a crash, as that of a command.
  expect(intents).toEqual(['command', 'command', 'command']);
});

it('without a person is refused and noted, before a plan as well, and holds nothing of the work back', async () => {
  const { result, outcomes, looked } = await run(['https://a.test/'], { web: 'on' });
  expect(outcomes).toMatchObject([
    { status: 'denied', facts: { refused: true, onlyLooked: true } },
  ]);
  expect(looked).toEqual([]);
  expect(result.state.permissions?.open).toMatchObject([{ rules: ['web_fetch(a.test)'] }]);
});
