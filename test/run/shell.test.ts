/** A run whose model has a shell, and asks for a line of it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type RunGoalOptions, runGoal } from '../../src/agent.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import { openSession } from '../../src/sessions/open-session.ts';
import { leading } from '../support/leading.ts';
import { realFolder, realMachine } from '../support/real-run.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';

const WORK = { subtasks: [{ action: 'read_file', file: 'a.txt', purpose: 'look' }] };
const LINE = { name: 'shell', args: { line: 'echo made > made.txt' } };
const DONE = { name: 'mark_subtask_complete', args: { success: true, reason: 'it is seen' } };

async function run(options: Partial<RunGoalOptions>, workspace = realFolder({ 'a.txt': 'a' })) {
  const script = leading(WORK, ({ messages }) => {
    const calls = messages.filter(({ role }) => role === 'tool').length;
    return { text: '', calls: [calls < 2 ? LINE : DONE] };
  });
  const events: RunEvent[] = [];
  const result = await runGoal({
    ...{ goal: 'look at it', workspace, provider: scriptedProvider(script, LARGE) },
    ...{ model: SCRIPTED_MODEL, machine: realMachine(), emit: (event) => void events.push(event) },
    ...options,
  });
  const said = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  const outcome = events.flatMap((event) =>
    event.type === 'record' &&
    event.record.type === 'action_finished' &&
    event.record.tool === 'shell'
      ? [event.record]
      : [],
  )[0];
  const made = existsSync(join(workspace, 'made.txt'));
  return { result, said: said.join('\n'), outcome, made, workspace };
}

it.skipIf(process.platform === 'win32')(
  'in a conversation it is there where it was asked for, and each line is asked about',
  async () => {
    const talk = async (shell: boolean) => {
      const workspace = realFolder();
      const asked: string[] = [];
      const provider = scriptedProvider(
        ({ messages }) =>
          messages.some(({ role }) => role === 'tool') ? 'Done.' : { calls: [LINE] },
        LARGE,
      );
      const said: string[] = [];
      const session = await openSession({
        onEvent: (event) => event.type === 'notice' && said.push(event.text),
        ...{ workspace, provider, model: SCRIPTED_MODEL, machine: realMachine(), shell },
        ask: async ({ tool, target }) => {
          asked.push(`${tool} ${target}`);
          return { kind: 'once' };
        },
      });
      await session.send('make it');
      await session.close();
      const told = provider.requests[0]?.tools?.some(({ name }) => name === 'shell') ?? false;
      const isSaid = said.some((text) => text.startsWith('A shell is on'));
      return { told, isSaid, asked, made: existsSync(join(workspace, 'made.txt')) };
    };
    expect(await talk(false)).toEqual({ told: false, isSaid: false, asked: [], made: false });
    expect(await talk(true)).toEqual({
      ...{ told: true, isSaid: true, asked: ['shell echo made > made.txt'], made: true },
    });
  },
);

it.skipIf(process.platform === 'win32')(
  'each line is asked about, whatever is allowed, and only a yes to all does without',
  async () => {
    const off = await run({});
    expect(off.outcome).toMatchObject({ status: 'error', facts: { fault: 'tool' } });
    const nobody = await run({ shell: true, allow: ['sh'] });
    expect(nobody.said).toContain('A shell is on: each of its lines is asked about');
    expect(nobody).toMatchObject({ outcome: { status: 'denied' }, made: false });
    const asked: string[] = [];
    const person = await run({
      shell: true,
      ask: async (question) => {
        asked.push(`${question.tool} ${question.target} ${question.offered.length}`);
        return { kind: 'once' };
      },
    });
    expect(asked).toEqual(['shell echo made > made.txt 0']);
    expect(person).toMatchObject({ outcome: { status: 'ok' }, made: true });
    const yes = await run({ shell: true, yes: true });
    expect(yes.said).toContain('nothing is asked');
    expect(yes).toMatchObject({ outcome: { status: 'ok' }, made: true });
    expect(yes.outcome).not.toHaveProperty('does');
  },
);
