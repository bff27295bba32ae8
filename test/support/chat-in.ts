import { CONVERSATION_FORMAT } from '../../src/context-manager/run-format.ts';
import { readPage } from '../../src/journal/read-journal.ts';
import type { Provider } from '../../src/llm/provider.ts';
import type { SessionEvent } from '../../src/schema/events/events.ts';
import type { Located } from '../../src/schema/records.ts';
import { openSession } from '../../src/sessions/open-session.ts';
import type { SessionOptions } from '../../src/sessions/options.ts';
import { layoutOfSession } from '../../src/sessions/places.ts';
import type { Session } from '../../src/sessions/session.ts';
import { SCRIPTED_MODEL } from './scripted-provider.ts';
import { type TestMachine, type TestWorld, WORKSPACE } from './test-machine.ts';

export interface ChatIn extends Partial<Omit<SessionOptions, 'machine' | 'provider'>> {
  readonly machine?: TestMachine;
}

export interface OpenChat {
  readonly session: Session;
  readonly events: SessionEvent[];
}

/** A session in a world; without a name it is the one called `talk`. */
export async function chatIn(
  world: TestWorld,
  provider: Provider,
  { machine = world.machine(), ...options }: ChatIn = {},
): Promise<OpenChat> {
  const events: SessionEvent[] = [];
  const session = await openSession({
    workspace: WORKSPACE,
    provider,
    model: SCRIPTED_MODEL,
    name: 'talk',
    onEvent: (event) => events.push(event),
    ...options,
    machine,
  });
  return { session, events };
}

/** The journal of a session, from its first record on. */
export function recordsOfChat(world: TestWorld, id: string): readonly Located[] {
  const { fs } = world.machine();
  return readPage(
    { fs, format: CONVERSATION_FORMAT },
    layoutOfSession(WORKSPACE, id).history,
    undefined,
    100_000,
  ).records;
}
