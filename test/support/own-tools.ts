/** Runs that call tools of the embedding program. */
import { type RunGoalOptions, runGoal } from '../../src/agent.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import type { RecordOf } from '../../src/schema/records.ts';
import type { PlainTool } from '../../src/tools/own/plain-tool.ts';
import { leading } from './leading.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type ScriptedCall,
  type ScriptedProvider,
  scriptedProvider,
} from './scripted-provider.ts';
import { type TestWorld, WORKSPACE } from './test-machine.ts';

export const OWN_GOAL = 'tell what the tool says';

const WORK = { subtasks: [{ action: 'answer', file: '', purpose: 'ask the tool' }] };

/** It makes these calls, one a reply, as long as their results do not stand in the conversation, and ends. */
export const callingOwn = (...calls: readonly ScriptedCall[]): ScriptedProvider => {
  const end = {
    name: 'mark_subtask_complete',
    args: { success: true, reason: 'asked', answer: 'done' },
  };
  return scriptedProvider(
    leading(WORK, ({ messages }) => {
      const told = messages.filter(
        (message) => message.role === 'tool' && calls.some(({ name }) => name === message.toolName),
      );
      return { calls: [calls[told.length] ?? end] };
    }),
    LARGE,
  );
};

export async function runWith(
  world: TestWorld,
  provider: ScriptedProvider,
  options: Partial<RunGoalOptions>,
) {
  const events: RunEvent[] = [];
  const result = await runGoal({
    ...{ goal: OWN_GOAL, workspace: WORKSPACE, machine: world.machine() },
    ...{ provider, model: SCRIPTED_MODEL, toolMode: 'native' },
    emit: (event) => void events.push(event),
    ...options,
  });
  const finished = events.flatMap((event) =>
    event.type === 'record' && event.record.type === 'action_finished' ? [event.record] : [],
  );
  const resultsOf = (name: string): readonly RecordOf<'action_finished'>[] =>
    finished.filter(({ tool }) => tool === name);
  return { result, events, resultsOf };
}

/** It says nothing of what it reaches, so it is asked about. */
export const asked = (
  execute: (input: { readonly to: string }) => unknown,
  more: Partial<PlainTool> = {},
): PlainTool => ({
  ...{ name: 'send', description: 'Sends a note.' },
  inputSchema: {
    ...{ type: 'object', required: ['to'], additionalProperties: false },
    properties: { to: { type: 'string', minLength: 1 } },
  },
  execute: (input) => execute(input as { readonly to: string }),
  ...more,
});

export const SEND: ScriptedCall = { name: 'send', args: { to: 'ada' } };
