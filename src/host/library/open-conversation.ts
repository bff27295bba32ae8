/** A conversation as a call of the library opens it: with its model, which is closed with it. */
import type { SessionEmit } from '../../schema/events/events.ts';
import { openSession } from '../../sessions/open-session.ts';
import type { SessionOptions } from '../../sessions/options.ts';
import type { Session } from '../../sessions/session.ts';
import { type LiveOption, liveIn } from './live-option.ts';
import { type ModelOptions, openForCall, splitModelOptions, stoppedOr } from './open-model.ts';
import { machineOf } from './place.ts';

type Call = ModelOptions & LiveOption & Omit<SessionOptions, keyof ModelOptions | 'onEvent'>;

interface OpenConversation {
  readonly session: Session;
  close(): Promise<void>;
}

/** Throws what opening the model or the conversation throws; then nothing stays open. */
export const openConversationFor = (
  call: Call,
  signal: AbortSignal,
  onEvent: SessionEmit,
): Promise<OpenConversation> =>
  opened(call, signal, onEvent).catch((error: unknown) => {
    throw stoppedOr(error);
  });

async function opened(
  call: Call,
  signal: AbortSignal,
  onEvent: SessionEmit,
): Promise<OpenConversation> {
  const { live, ...ownOptions } = call;
  const { modelOptions: request, rest } = splitModelOptions(ownOptions);
  const { workspace } = rest;
  const machine = rest.machine ?? machineOf({});
  const followed = liveIn(live, rest.originKey, machine);
  const {
    close,
    notice = '',
    ...model
  } = await openForCall(request, null, {
    workspace,
    machine,
    signal,
  });
  try {
    if (notice !== '') onEvent({ type: 'notice', level: 'warning', text: notice });
    const options: SessionOptions = { ...model, ...rest, machine, onEvent };
    const session = await (followed === null
      ? openSession(options)
      : (await import('../live/live-work.ts')).openLive(options, followed, openSession));
    return { session, close: () => session.close().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}
