/**
 * Whether this user's agent held a conversation: what is signed of a run is signed of it, under its own
 * word, so that neither passes for the other. A session that is not this user's is not gone on with.
 */
import type { Origin, OriginFacts } from '../context-manager/origin.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { ChatRecord, ChatRecordOf } from '../schema/chat-records.ts';
import type { ChatState } from '../schema/chat-state.ts';
import type { RecordOf } from '../schema/records.ts';

const WORD = 'session';

type Begun = Pick<ChatState, 'session' | 'name' | 'startedAt' | 'version' | 'mac'>;

const factsOf = ({ session, name, startedAt, version, mac }: Begun): OriginFacts => ({
  ...{ run: session, goal: name ?? '', goalHash: WORD, startedAt, version, mac },
});

/** The record as it is written: signed, where others are to believe it. */
export function signed<R extends ChatRecord>(record: R, session: string, origin: Origin): R {
  switch (record.type) {
    case 'session_opened':
      return { ...record, ...macOf(signedOpening(record, origin)) };
    case 'session_settings': {
      const { mac: _mac, ...settings } = record as ChatRecordOf<'session_settings'>;
      if (settings.baseUrl === undefined) return settings as R;
      return { ...settings, ...macOf(origin.sign(addressOf(settings), session)) } as R;
    }
    case 'approval_given':
      return origin.sign(record, session) as R;
    default:
      return record;
  }
}

const macOf = ({ mac }: { readonly mac?: string | undefined }) =>
  mac === undefined ? {} : { mac };

const signedOpening = (
  record: ChatRecordOf<'session_opened'>,
  origin: Origin,
): RecordOf<'run_opened'> => {
  const { session, name = null, startedAt, version } = record;
  const facts = factsOf({ session, name, startedAt, version });
  const { run, goal, goalHash } = facts;
  return origin.sign(
    { type: 'run_opened', format: record.format, run, goal, goalHash, startedAt, version },
    session,
  );
};

/** What of the settings is signed, in the shape in which a run's are. */
const addressOf = (
  settings: Omit<ChatRecordOf<'session_settings'>, 'mac'>,
): RecordOf<'settings_changed'> => {
  const { provider, model, digest, numCtx, seed, systemPrompt, tools, why } = settings;
  const { profile, baseUrl } = settings;
  return {
    ...{ type: 'settings_changed', driver: 'free', temperature: 0, mayChangeDriver: false },
    ...{ provider, model, digest, numCtx, seed, systemPrompt, tools, why },
    ...(profile === undefined ? {} : { profile }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
};

/** Whether the address in the settings may be asked, and sent a key. */
export const hasOwnAddress = ({ session, settings }: ChatState, origin: Origin): boolean =>
  origin.hasOwnAddress({ run: session, settings });

/** For opening a journal: throws E_FOREIGN before anything of it is changed. */
export const acceptedBy =
  (origin: Origin) =>
  (state: ChatState, hashOf: (bytes: number) => string): void => {
    if (origin.isOwn(factsOf(state), hashOf)) return;
    throw new TardigradeError(
      'E_FOREIGN',
      `The session ${state.name ?? state.number ?? state.session} was not held by your agent here: it came with the folder. It can be exported, and is not gone on with.`,
      'Begin a new session.',
    );
  };
