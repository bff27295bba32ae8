/** What a person and a model see of a conversation that an earlier build left behind. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asBefore } from './as-before.ts';
import { serve } from './e2e-model.ts';
import type { Agent, Answered } from './format-1-observed.ts';
import type { RecordedTalk } from './recorded-talks.ts';

export const linesOf = (file: string): readonly string[] =>
  readFileSync(file, 'utf8').trimEnd().split('\n');

/** Every journal of a conversation in the folder, in no order. */
function journalsOfTalks(folder: string): readonly string[] {
  const sessions = join(folder, '.agent_context/sessions');
  if (!existsSync(sessions)) return [];
  return readdirSync(sessions, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => join(sessions, name, 'history.jsonl'))
    .filter((file) => existsSync(file));
}

const isInPlaceOfAnother = (file: string): boolean =>
  (linesOf(file)[0] ?? '').includes('"before":');

/** The journal of the conversation that was begun first. */
export const journalOfTalk = (folder: string): string =>
  journalsOfTalks(folder).find((file) => !isInPlaceOfAnother(file)) ?? 'none';

/** The one that the name leads to: another one where it was cleared. */
export const goneOnIn = (folder: string): string =>
  journalsOfTalks(folder).find(isInPlaceOfAnother) ?? journalOfTalk(folder);

/** The conversation as it is exported. */
export async function exportedIn(agent: Agent, folder: string): Promise<readonly string[]> {
  const { stdout } = await agent(['export', 'talk'], folder);
  return stdout.trimEnd().split('\n');
}

/** Goes on with the conversation; `bodies` are the requests as they went over the wire. */
export async function talkIn(
  agent: Agent,
  folder: string,
  { resume, model, asks, ollama }: Pick<RecordedTalk, 'resume' | 'model' | 'asks' | 'ollama'>,
): Promise<Answered & { readonly bodies: readonly string[] }> {
  const server = await serve(model, ollama);
  try {
    const answered = await agent([...resume, '--model', asks, '--host', server.url], folder);
    return { ...answered, bodies: server.chats.map(asBefore) };
  } finally {
    await server.close();
  }
}
