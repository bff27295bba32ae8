import { type RunGoalOptions, type RunResult, runGoal } from '../../src/agent.ts';
import { RUN_FORMAT } from '../../src/context-manager/run-format.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { readPage } from '../../src/journal/read-journal.ts';
import type { Provider } from '../../src/llm/provider.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import type { JournalRecord, Located } from '../../src/schema/records.ts';
import type { RunState } from '../../src/schema/state.ts';
import { SCRIPTED_MODEL } from './scripted-provider.ts';
import { type TestMachine, type TestWorld, WORKSPACE } from './test-machine.ts';
import { watchingRecords } from './written-records.ts';

/** A goal of which nothing can be shown, so that nobody asks how it is read. */
export const UNSTATED = 'say hello';

/** A goal that states what shows it. */
export const SAY_HELLO = 'Write hello.mjs: node hello.mjs prints "hello"';

export interface Told {
  readonly result: RunResult;
  readonly records: readonly Located[];
  readonly states: readonly RunState[];
  readonly events: readonly RunEvent[];
}

export interface RunIn extends Partial<Omit<RunGoalOptions, 'machine' | 'provider'>> {
  readonly machine?: TestMachine;
  /** Called in the instant each record is written; throwing ends the run there. */
  readonly onRecord?: (record: JournalRecord, index: number) => void;
  /** How the run is worked to its end; left out: in one process. */
  readonly works?: (options: RunGoalOptions) => Promise<RunResult>;
}

/** Runs a goal in a world to its end or pause, with everything it told on the way. */
export async function runIn(
  world: TestWorld,
  provider: Provider,
  { machine = world.machine(), onRecord, emit, works = runGoal, ...options }: RunIn = {},
): Promise<Told> {
  const records: Located[] = [];
  const states: RunState[] = [];
  const events: RunEvent[] = [];
  let written = 0;
  const wrote = (record: JournalRecord): void => {
    written += 1;
    onRecord?.(record, written);
  };
  const watched = onRecord ? { ...machine, fs: watchingRecords(machine.fs, wrote) } : machine;
  const result = await works({
    goal: SAY_HELLO,
    workspace: WORKSPACE,
    provider,
    model: SCRIPTED_MODEL,
    // Most scripts begin with a plan.
    plainTry: false,
    ...options,
    emit: (event) => {
      events.push(event);
      if (event.type === 'record') {
        records.push(event.record as Located);
        states.push(event.state);
        // The first one comes into being with the file.
        if (records.at(-1)?.seq === 1) wrote(event.record);
      }
      emit?.(event);
    },
    machine: watched,
  });
  return { result, records, states, events };
}

/** The journal of the world's current run, from its first record on. */
export function journalOf(world: TestWorld): readonly Located[] {
  const { history } = layoutOf(WORKSPACE);
  const { fs } = world.machine();
  const records: Located[] = [];
  let page = readPage({ fs, format: RUN_FORMAT }, history);
  for (;;) {
    records.push(...page.records);
    if (page.isEnd) return records;
    page = readPage({ fs, format: RUN_FORMAT }, history, page.next);
  }
}
