/**
 * Every request of scripted conversations is, to the byte, what it was when the golden files were made, and
 * every message ends as it did; `UPDATE=1` writes them anew, for a change that is meant to be one. Every
 * event that programs are told of them fits the schema of events.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../../src/schema/events/stream.ts';
import { type GoldenScreen, playScreen, SCREENS } from '../support/golden-screen.ts';
import { type GoldenTalk, playTalk } from '../support/golden-talk.ts';
import { talkText } from '../support/golden-talk-text.ts';
import { TALKS } from '../support/golden-talks.ts';
import { someKills } from '../support/some-kills.ts';
import { expectToFit, streamsIn } from '../support/streams.ts';

const FOLDER = 'test/fixtures/conversations';

const fileOf = ({ name, way }: Pick<GoldenTalk, 'name' | 'way'>): string => `${name}-${way}.json`;

function expectGolden(talk: Pick<GoldenTalk, 'name' | 'way'>, text: string): void {
  const file = `${FOLDER}/${fileOf(talk)}`;
  if (process.env.UPDATE === '1') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, text);
  }
  expect(existsSync(file), `${file} is missing: write it with UPDATE=1`).toBe(true);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

/** Of these the events are looked at, too. */
const TOLD = someKills(TALKS, 3);

describe('the requests of a scripted conversation', () => {
  it.each(TALKS)('$name, $way, are as they were, and its events fit their schema', async (talk) => {
    const events: StreamEvent[] = [];
    const onEvent = (event: StreamEvent): void => void events.push(event);
    const played = await playTalk({ ...talk, options: { ...talk.options, onEvent } });
    const ends = played.came.flatMap((one) => ('ending' in one ? one.ending : []));
    expect(ends).toEqual(talk.ends);
    expect(played.requests).toHaveLength(talk.answers.length);
    const text = talkText(talk, played);
    expect(talk.shows.filter((shown) => !text.includes(shown))).toEqual([]);
    expectGolden(talk, text);
    const streams = streamsIn(events);
    expect(streams.map((stream) => stream.at(-1)?.type)).toEqual(ends.map(() => 'result'));
    if (TOLD.includes(talk)) for (const stream of streams) expectToFit(stream);
  });

  it.each(SCREENS)('$name at a terminal, $way, are as they were', async (screen: GoldenScreen) => {
    const text = await playScreen(screen);
    expect(screen.shows.filter((shown) => !text.includes(shown))).toEqual([]);
    expectGolden(screen, text);
  });

  it('have one golden file each, and there is no other', () => {
    const names = [...TALKS, ...SCREENS].map(fileOf);
    expect(readdirSync(FOLDER).sort()).toEqual([...new Set(names)].sort());
    expect(new Set(names).size).toBe(names.length);
  });
});
