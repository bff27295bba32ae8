/** A golden conversation as text that can be compared to the byte, on every machine and at every time. */
import { createHash } from 'node:crypto';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { goldenText } from './golden-requests.ts';
import type { GoldenTalk, Played } from './golden-talk.ts';
import { WORKSPACE } from './test-machine.ts';

/** @param folder the absolute path of the workspace, which every machine says in its own way */
export const talkText = (
  { name, way }: Pick<GoldenTalk, 'name' | 'way'>,
  played: Played,
  folder = WORKSPACE,
): string => goldenText({ name, way, came: played.came }, plainRequests(played, folder));

/** Without what differs from machine to machine, and from one conversation to the next. */
export function plainRequests(
  { requests, sessions }: Pick<Played, 'requests' | 'sessions'>,
  folder = WORKSPACE,
): readonly ModelRequest[] {
  const seeds = seedsOf(sessions);
  const plain = requests.map(({ seed, messages, ...rest }) => ({
    ...rest,
    seed: seeds.get(seed) ?? `unknown: ${seed}`,
    messages: messages.map((message) => ({
      ...message,
      content: placeless(message.content, folder),
    })),
  }));
  return plain as unknown as readonly ModelRequest[];
}

const placeless = (text: string, folder: string): string =>
  text
    .replaceAll(folder, '/ws')
    .replace(/^Current time: \S+/m, 'Current time: TIME')
    .replace(/^Platform: .*$/m, 'Platform: PLATFORM');

const MAX_TURNS = 60;
const MAX_ATTEMPTS = 8;

/** Of a session, a turn and an attempt each request has a seed of its own, which is the same in every process. */
export function seedsOf(sessions: readonly string[]): ReadonlyMap<number, string> {
  const seeds = new Map<number, string>();
  for (const [at, session] of sessions.entries())
    for (let turn = 1; turn <= MAX_TURNS; turn += 1)
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const digest = createHash('sha256').update(`${session}\0${0}\0${turn}\0${attempt}`);
        const seed = digest.digest().readUInt32BE(0) & 0x7fffffff;
        seeds.set(seed, `session ${at + 1}, turn ${turn}, attempt ${attempt}`);
      }
  return seeds;
}
