import { damageSamples } from './damage.ts';
import { jsonSamples } from './json.ts';
import { nameSamples } from './names.ts';
import type { Sample } from './sample.ts';
import { shownSamples } from './shown.ts';
import { taggedSamples } from './tagged.ts';
import { tokenSamples } from './tokens.ts';

/** By the file they stand in. */
export const corpus: Readonly<Record<string, readonly Sample[]>> = {
  json: jsonSamples,
  tagged: taggedSamples,
  tokens: tokenSamples,
  damage: damageSamples,
  names: nameSamples,
  shown: shownSamples,
};
export const allSamples: readonly Sample[] = Object.values(corpus).flat();
