/** A conversation for a program that embeds this one: a folder, the name of a model, messages. */
import { checkCall } from '../host/library/checked-call.ts';
import { type ModelWish, openForCall } from '../host/library/open-model.ts';
import { given } from '../lib/given.ts';
import { thisMachine } from '../run/machine.ts';
import { openSession } from './open-session.ts';
import type { SessionOptions } from './options.ts';
import type { SendOptions, Sent } from './session.ts';

/** Everything but workspace and model may be left out. */
export type ConversationOptions = Omit<SessionOptions, 'provider' | 'model'> &
  ModelWish & { readonly model: NonNullable<ModelWish['model']> };

export interface ConversationSession {
  readonly id: string;
  /** True where a crash cut off the work on a message; `goOn` works on it to its end. */
  readonly isOpen: boolean;
  send(text: string, options?: SendOptions): Promise<Sent>;
  /** `null` where nothing was open. */
  goOn(options?: SendOptions): Promise<Sent | null>;
  close(): Promise<void>;
}

/** Throws `TardigradeError` and `ProviderError`; nothing that was recorded is lost. */
export async function createSession(options: ConversationOptions): Promise<ConversationSession> {
  checkCall({ goal: null, ...options });
  const { provider, model, providers, ...rest } = options;
  const { workspace, machine = thisMachine(), signal = new AbortController().signal } = rest;
  const wish = given({ provider, model, providers });
  const {
    close,
    notice = '',
    ...opened
  } = await openForCall(wish, null, {
    ...{ workspace, machine, signal },
  });
  try {
    if (notice !== '') rest.onEvent?.({ type: 'notice', level: 'warning', text: notice });
    const session = await openSession({ ...opened, ...rest, machine });
    return {
      id: session.id,
      get isOpen() {
        return session.isOpen;
      },
      send: (text, how) => session.send(text, how),
      goOn: (how) => session.goOn(how),
      close: async () => {
        await session.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
