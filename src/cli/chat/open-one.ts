/** Opens the session that a command line means, with its model. */

import type { ChatHost, ChatRequest } from '../../host/chat-host.ts';
import type { ModelChoice } from '../../host/engine-port.ts';
import { parseModel } from '../../host/models/model-spec.ts';
import type { OpenedModel } from '../../host/providers/provider-row.ts';
import { furtherNames, isProviderName, rowOf } from '../../host/providers/providers.ts';
import { defined } from '../../lib/defined.ts';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { type ChatOptionValues, optionsForCall } from '../../options/option-values.ts';
import { OPTIONS } from '../../options/table.ts';
import type { SessionEvent } from '../../schema/events/events.ts';
import type { ServerEntries } from '../../schema/servers.ts';
import {
  lastSession,
  listStoredSessions,
  readSession,
  type SessionListing,
  sessionNamed,
  shownSessions,
} from '../../sessions/places.ts';
import type { Session } from '../../sessions/session.ts';
import type { CommandContext } from '../command-context.ts';
import { ignoredText } from '../command-line/option-flags.ts';
import { webFor } from '../command-line/web-for.ts';
import { choiceOf } from '../commands/run-model.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { checkSave, type StartWords, saveSession, startWords } from './named-files.ts';

export interface Opening {
  readonly signal: AbortSignal;
  onEvent(event: SessionEvent): void;
  readonly ask?: ChatRequest['ask'];
  /** What somebody at another terminal may do here. */
  readonly hooks?: ChatRequest['hooks'];
  /** Left out: no limit. */
  readonly maxToolCallsPerReply?: number;
  /** Servers from the user's settings, and those of the project that the person agreed to. */
  servers(): Promise<ServerEntries>;
  /** Absolute paths of the logs. */
  readonly hiddenFiles?: readonly string[];
}

export interface OpenOne {
  readonly session: Session;
  close(): Promise<void>;
}

/**
 * Opens the session that is meant, with its model.
 * @param words what it begins with. Reading a pipe waits for its other end, so a caller that already listens to Ctrl+C
 * must have read it before.
 */
export async function openOne(
  context: CommandContext,
  host: ChatHost,
  opening: Opening,
  words: StartWords,
): Promise<OpenOne> {
  const { invocation } = context;
  const { workspace, session: name = null, resume = false } = invocation;
  const mayGoOn = name !== null || resume;
  const found = !mayGoOn
    ? null
    : name === null
      ? lastSession(shownSessions(nodeFileSystem, workspace))
      : sessionNamed(listStoredSessions(nodeFileSystem, workspace), name);
  // A number names an existing session; any other word may name a new one.
  if (found === null && mayGoOn && (resume || /^\d+$/.test(name ?? ''))) throw noSuchSession(name);
  checkSave(context);
  if (found !== null && Object.keys(words).length > 0 && hasMessages(workspace, found))
    throw hasBegun(found);
  const opened = await openSessionModel(context, host, found?.id ?? null, opening);
  return heldOpen(context, opened, async () =>
    host.open({
      ...(await chatRequestFor(context, opened, opening)),
      ...words,
      ...(invocation.exec === undefined || mayGoOn ? {} : { once: true }),
      ...(found !== null ? { resume: true, name: found.id } : name === null ? {} : { name }),
    }),
  );
}

/** Opens the session that replaces another, with the same model; loaded files belong to the first session only. */
export async function openNext(
  context: CommandContext,
  host: ChatHost,
  before: Session,
  open: () => Opening,
): Promise<OpenOne> {
  const { invocation } = context;
  const words = startWords({ ...context, invocation: { ...invocation, load: undefined } });
  const opening = open();
  const opened = await openSessionModel(context, host, before.id, opening);
  return heldOpen(context, opened, async () =>
    host.clear(before, { ...(await chatRequestFor(context, opened, opening)), ...words }),
  );
}

/** The session with its model, which is closed if the session cannot be opened. */
async function heldOpen(
  context: CommandContext,
  { provider }: OpenedModel,
  open: () => Promise<Session>,
): Promise<OpenOne> {
  try {
    const session = await open();
    const close = async (): Promise<void> => {
      await session.close();
      await provider.close();
      saveSession(context, session.id);
    };
    return { session, close };
  } catch (error) {
    await provider.close();
    throw error;
  }
}

const noSuchSession = (name: string | null): TardigradeError =>
  usageError(
    name === null
      ? 'There is no conversation to continue in this folder.'
      : `There is no conversation ${name} in this folder.`,
    `List them: ${AGENT} sessions. Begin one: ${AGENT} chat`,
  );

/** False for a conversation without messages, which a failed start leaves. */
function hasMessages(workspace: string, { id }: SessionListing): boolean {
  const state = readSession(nodeFileSystem, workspace, id);
  return state !== null && (state.chat.messages > 0 || state.conversation.length > 0);
}

const hasBegun = ({ name, number, id }: SessionListing): TardigradeError =>
  misuse(
    `The conversation ${name ?? number ?? id} has already begun, so its beginning cannot change.`,
    'Begin a new one with it.',
  );

/** The model as typed, else the one that the session had, else the usual one. */
export async function openSessionModel(
  context: CommandContext,
  host: ChatHost,
  id: string | null,
  { signal, onEvent }: Opening,
): Promise<OpenedModel> {
  const { invocation, configured, terminal, engine } = context;
  const settled = id === null ? configured.begin : configured.goOn;
  const { cwd } = terminal;
  const further = furtherNames(configured.settings?.config.accounts.providers);
  const { model: typed = null, baseUrl = null } = invocation;
  const remembered =
    id === null || typed !== null ? null : host.remembered(invocation.workspace, id);
  const choice: ModelChoice =
    remembered !== null &&
    (isProviderName(remembered.provider) || further.includes(remembered.provider)) &&
    rowOf(remembered.provider).kind !== 'playback'
      ? remembered
      : choiceOf(context, null, null);
  const opened = await engine.openModel({
    choice,
    host: invocation.host ?? null,
    baseUrl: baseUrl ?? choice.baseUrl ?? null,
    report: (text) => onEvent({ type: 'notice', level: 'info', text }),
    signal,
    fallbacks: (settled.fallbacks ?? []).map((text) => parseModel(text, cwd, null, further)),
  });
  const left = ignoredText(opened, (setting) => invocation[setting] !== undefined);
  for (const text of [opened.notice, ...left].filter(Boolean))
    onEvent({ type: 'notice', level: 'warning', text });
  return opened;
}

export async function chatRequestFor(
  { invocation, configured, terminal }: CommandContext,
  { provider, model, profile, baseUrl, fallbacks }: OpenedModel,
  { signal, onEvent, ask, hooks, maxToolCallsPerReply, servers, hiddenFiles = [] }: Opening,
): Promise<ChatRequest> {
  // A conversation uses the model's own temperature unless one is typed.
  const options = {
    ...configured.begin,
    web: configured.begin.web ?? webFor(terminal),
    temperature: invocation.temperature,
  };
  return {
    ...optionsForCall<ChatOptionValues>('chat', options, OPTIONS),
    ...defined({ profile, baseUrl, fallbacks, ask, hooks, maxToolCallsPerReply }),
    workspace: invocation.workspace,
    rules: configured.rules,
    provider,
    model,
    signal,
    onEvent,
    hiddenFiles,
    servers: await servers(),
  };
}
