/** What the tests of settling share: intents as a killed run left them, and what settles them. */
import { expect } from 'vitest';
import { NO_COMMAND_CHANGES } from '../../../src/context-manager/fold/files/command-changes.ts';
import { defined } from '../../../src/lib/defined.ts';
import { RUN_WITHOUT_PAUSES } from '../../../src/lib/interruptible.ts';
import type { Processes } from '../../../src/processes/contract.ts';
import { endLeftover } from '../../../src/processes/leftovers.ts';
import type { SettleDeps } from '../../../src/run/recovery/settle-ports.ts';
import type { ProcessPlace } from '../../../src/schema/actions.ts';
import type { RecordOf } from '../../../src/schema/records.ts';
import type { OpenIntent, RunState } from '../../../src/schema/state.ts';
import type { RunCmdOptions } from '../../../src/tools/builtin/run-cmd.ts';
import { executeCall } from '../../../src/tools/execute.ts';
import { builtinTools } from '../../../src/tools/registry.ts';
import { fake } from '../../processes/fake-system.ts';
import { allowAll, type TestWorkspace } from '../../tools/support.ts';

export type Intended = RecordOf<'action_intended'>;
type Finished = Omit<RecordOf<'action_finished'>, 'type'>;

const tools = builtinTools({} as RunCmdOptions);

export function intent(more: Partial<Intended>): Intended {
  return {
    type: 'action_intended',
    id: '1.1#1#0',
    class: 'command',
    tool: 'run_cmd',
    args: {},
    signature: 'sig',
    files: [],
    ...more,
  };
}

/** As the processes of a test workspace are started. */
export const HERE: ProcessPlace = { boot: 'today', pidNamespace: '', isGated: true };

/** The processes of a test workspace, on a machine of that name; none of another is looked for. */
export const systemProcessesAt = (workspace: TestWorkspace, place: ProcessPlace): Processes => ({
  ...workspace.context.processes,
  place,
  endLeftover: (started, there) =>
    endLeftover(started, there, {
      ...{ system: fake('linux'), place, workspace: workspace.root },
      killTree: () => Promise.reject(new Error('nothing is ended')),
    }),
});

export interface Circumstances extends Partial<Pick<OpenIntent, 'process' | 'place'>> {
  readonly files?: RunState['files'];
  readonly commandChanges?: RunState['commandChanges'];
}

export function stateOf(
  intents: readonly Intended[],
  { process = null, place, files = {}, commandChanges = NO_COMMAND_CHANGES }: Circumstances = {},
): RunState {
  const open = intents.map((record, index): [string, OpenIntent] => [
    record.id,
    {
      ...{ id: record.id, class: record.class, tool: record.tool, files: record.files },
      ...{ seq: index, offset: index, signature: record.signature, process },
      ...defined({ place }),
    },
  ]);
  const calls = [{ id: 'call-1', name: 'x', args: {} }];
  const pending = { calls, next: 0, unreportedResult: null, isHalted: false };
  return { intents: Object.fromEntries(open), pending, files, commandChanges } as never;
}

export function makeDeps(workspace: TestWorkspace, intents: readonly Intended[]) {
  const finished: Finished[] = [];
  const unseen: string[] = [];
  const deps: SettleDeps = {
    tools,
    context: workspace.context,
    log: { finished: (record) => void finished.push(record) },
    resultHash: (text) => `hash of ${text}`,
    imageOf: (hash) => workspace.blobs.get(hash) ?? null,
    readIntent: (offset) => intents[offset] as Intended,
    *recordingUnseen(id) {
      unseen.push(id);
      yield;
    },
    runInterruptibly: RUN_WITHOUT_PAUSES,
    wasCutBehind: () => false,
  };
  return { finished, unseen, deps };
}

/** The intent a live run would have recorded for a call, without carrying it out. */
export async function intended(
  workspace: TestWorkspace,
  name: string,
  args: Record<string, unknown>,
) {
  const records: Intended[] = [];
  const stop = new Error('killed');
  const run = executeCall({ id: 'call-1', name, args }, '1.1#1#0', {
    tools,
    context: workspace.context,
    log: {
      intended: (record) => {
        records.push({ type: 'action_intended', ...record });
        throw stop;
      },
      started: () => {},
      finished: () => {},
      barrier: () => {},
    },
    clock: { monotonic: () => 0 },
    signal: new AbortController().signal,
    onOutput: () => {},
    blocked: null,
    watch: null,
    decide: allowAll,
    resultHash: () => '',
  });
  await expect(run).rejects.toBe(stop);
  return records[0] as Intended;
}
