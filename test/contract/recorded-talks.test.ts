/**
 * Conversations that earlier builds left behind are readable for ever: they are told as they were, and they go on
 * with the request that the build which wrote them would have sent.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMAT_VERSION } from '../../src/schema/records.ts';
import { changedIn, inCopyOf, nextRequestOf } from '../support/format-1-observed.ts';
import { type RecordedTalk, TALK_SETS, TALKS } from '../support/recorded-talks.ts';
import {
  exportedIn,
  goneOnIn,
  journalOfTalk,
  linesOf,
  talkIn,
} from '../support/recorded-talks-observed.ts';
import { someKills } from '../support/some-kills.ts';
import { expectRaised, signingAgent } from './signing-agent.ts';

const { agent } = signingAgent();

interface Expected {
  readonly records: number;
  readonly exported?: readonly string[];
  readonly changed: ReturnType<typeof changedIn>;
}

const SETS = Object.keys(TALK_SETS);

it.each(SETS)(
  '%s: every recorded conversation has its folder, and every folder its recording',
  (set) => {
    const names = readdirSync(join('test/fixtures', set)).filter((name) =>
      name.startsWith('talk-'),
    );
    expect(names.sort()).toEqual(TALKS.map(({ name }) => name).sort());
  },
);

/**
 * The request without what today's build decides anew: the words of a refused call with what is allowed now and the rule
 * that would allow it, and the token limit of a summary.
 */
function withoutToday(request: string | null): string | null {
  if (request === null) return null;
  const body = request.replace(
    /Allowed are: .*?\. The user can allow it with --allow '[^']*'/g,
    'Allowed are: …',
  );
  return body.includes('Summarize this conversation.')
    ? body.replace(/"(num_predict|max_tokens)":\d+/, '"$1":"…"')
    : body;
}

/** Every second of one build, and the others of the next one; `npm run crash` takes all of both. */
const RECORDED = SETS.flatMap((set, at) =>
  someKills(TALKS, 2, at).map((talk): RecordedTalk & { readonly set: string } => ({
    ...talk,
    set,
  })),
);

describe.each(RECORDED)('a conversation of $set: $name', (talk) => {
  const fixture = join('test/fixtures', talk.set, talk.name);
  const expected: Expected = JSON.parse(readFileSync(join(fixture, 'expected.json'), 'utf8'));

  it('is told as it was, and goes on with the request that its build would have sent', async () => {
    await inCopyOf(fixture, async (folder) => {
      expect(linesOf(journalOfTalk(folder))).toHaveLength(expected.records);
      const exported = await exportedIn(agent, folder);
      if (expected.exported !== undefined) expect(exported).toEqual(expected.exported);
      const { bodies, exitCode } = await talkIn(agent, folder, talk);
      expect(exitCode).toBe(0);
      expect(withoutToday(bodies[0] ?? null)).toEqual(withoutToday(nextRequestOf(fixture)));
      expect(changedIn(folder, talk.before)).toEqual(expected.changed);
      if (TALK_SETS[talk.set] !== FORMAT_VERSION) expectRaised(goneOnIn(folder));
    });
  });
});
