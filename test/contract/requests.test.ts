/**
 * Every request of scripted whole runs is, to the byte, what it was when the golden files were
 * made; `UPDATE=1` writes them anew, for a change that is meant to be one. Every event that programs are
 * told of a sample of them fits the schema of events.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../../src/schema/events/stream.ts';
import { play, TOOL_LISTS } from '../support/golden-requests.ts';
import { SCENARIOS } from '../support/golden-scenarios.ts';
import { someKills } from '../support/some-kills.ts';
import { expectToFit, narrating } from '../support/streams.ts';

const FOLDER = 'test/fixtures/requests';

const fileOf = (name: string, mode: string): string => `${name}-${mode}.json`;

/** Of these the events are looked at, too. */
const TOLD = someKills(SCENARIOS, 3);

describe('the requests of a scripted run', () => {
  it.each(SCENARIOS)(
    '$name, $mode mode, are as they were, and its events fit their schema',
    async (scenario) => {
      const streams: StreamEvent[][] = [];
      const isTold = TOLD.includes(scenario);
      const text = await play(scenario, isTold ? narrating(streams) : undefined);
      expect(scenario.shows.filter((shown) => !text.includes(shown))).toEqual([]);
      const file = `${FOLDER}/${fileOf(scenario.name, scenario.mode)}`;
      if (process.env.UPDATE === '1') {
        mkdirSync(FOLDER, { recursive: true });
        writeFileSync(file, text);
      }
      expect(existsSync(file), `${file} is missing: write it with UPDATE=1`).toBe(true);
      expect(text).toBe(readFileSync(file, 'utf8'));
      if (!isTold) return;
      expect(streams.flat().at(-1)?.type).toBe('result');
      for (const stream of streams) expectToFit(stream);
    },
  );

  it('have one golden file each, and there is no other', () => {
    const names = SCENARIOS.map(({ name, mode }) => fileOf(name, mode));
    expect(readdirSync(FOLDER).sort()).toEqual([...new Set(names)].sort());
    expect(new Set(names).size).toBe(names.length);
  });

  it('and those of conversations name each list of tools that is kept', () => {
    const goldens = [FOLDER, 'test/fixtures/conversations'].flatMap((folder) =>
      readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8')),
    );
    const kept = readdirSync(TOOL_LISTS).map((file) => `"as in ${TOOL_LISTS}/${file}"`);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter((name) => !goldens.some((text) => text.includes(name)))).toEqual([]);
  });
});
