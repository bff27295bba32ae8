/** A checker that the repository itself does not pass: what it said before the run is no obstacle after it. */
import { describe, expect, it } from 'vitest';
import { runGoal } from '../../src/agent.ts';
import type { RunEvent } from '../../src/schema/events.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { realFolder, realMachine } from '../support/real-run.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
/** Names each line that says \`bad\`, and fails where there is one. */
const CHECKER = `import { readFileSync } from 'node:fs';
const bad = ['a.txt', 'b.txt'].flatMap((name) =>
  readFileSync(name, 'utf8').split('\\n').flatMap((line, at) =>
    line.includes('bad') ? [name + '(' + (at + 1) + '): error: ' + line] : []));
console.log(bad.join('\\n'));
process.exit(bad.length > 0 ? 2 : 0);
`;
const CHECK = call('run_cmd', { cmd: 'node check.mjs' });
const DONE = call('mark_subtask_complete', { success: true, reason: 'it is changed' });
const PLAN = call('set_plan', {
  tasks: [
    {
      description: 'work',
      subtasks: [{ do: 'change b.txt', files: ['b.txt'], done_when: 'node check.mjs was run' }],
    },
  ],
});

async function run(text: string) {
  const workspace = realFolder({ 'check.mjs': CHECKER, 'a.txt': 'bad old line\n', 'b.txt': 'b\n' });
  const ended: Extract<JournalRecord, { type: 'action_finished' }>[] = [];
  const write = call('write_file', { path: 'b.txt', content: text });
  await runGoal({
    ...{
      goal: 'Change b.txt; `node check.mjs` has something against a.txt',
      workspace,
      model: SCRIPTED_MODEL,
    },
    provider: scriptedProvider(({ messages }) => {
      const said = messages.filter(({ role }) => role === 'assistant').length;
      const read = call('read_file', { path: 'b.txt' });
      return {
        calls: said === 0 ? [CHECK, read] : said === 1 ? [PLAN, write, CHECK, DONE] : [DONE],
      };
    }, LARGE),
    machine: realMachine(),
    emit: (event: RunEvent) => {
      if (event.type === 'record' && event.record.type === 'action_finished')
        ended.push(event.record);
    },
  });
  return ended.find(({ does }) => does === 'ends_subtasks');
}

describe('a command that failed before the run had changed anything', () => {
  it('is no obstacle where it fails as before', async () => {
    expect(await run('b\nc\n')).toMatchObject({ status: 'ok' });
  });

  it('is one where more of it fails, and is named with its exit code', async () => {
    expect(await run('b\nbad new line\n')).toMatchObject({
      status: 'denied',
      result:
        'The command node check.mjs ended with exit code 2: mend that, and run it again. Then call mark_subtask_complete again.',
    });
  });
});
