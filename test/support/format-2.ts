/** The runs of format 2 that the build 63b715c4 left in `test/fixtures/format-2`; `scripts/record-format-2.ts` made them. */
import { FORMAT_1, type Format1Run } from './format-1.ts';

export const FIXTURES_2 = 'test/fixtures/format-2';

/** It signed all that earlier builds left; it belongs to nobody. */
export const ORIGIN_KEY = `${FIXTURES_2}/origin.key`;

/** Runs as those of format 1, with plans as the build of format 2 asks for them. */
export const RUNS_2: readonly Format1Run[] = FORMAT_1.filter(
  ({ name }) => name !== 'switched-to-json' && !name.startsWith('killed-in-a-replan'),
);
