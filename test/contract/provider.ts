/**
 * What holds for every provider, whatever its wire. A provider that a host passes in is held to it by
 * a harness of its own.
 */
import { afterAll, afterEach, describe } from 'vitest';
import { aborts } from './aborts.ts';
import { addresses } from './addresses.ts';
import { answers, models } from './answers.ts';
import type { Start } from './asking.ts';
import { failures } from './failures.ts';
import type { Harness, Stage } from './harness.ts';
import { patience } from './patience.ts';

/** Runs the whole contract. Parts that the harness cannot play are left out. */
export function providerContract(harness: Harness): void {
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });
  afterAll(() => harness.end?.());
  const start: Start = async (act) => {
    const stage = await harness.start(act);
    stages.push(stage);
    return stage;
  };
  describe(harness.name, () => {
    models(start);
    answers(start, harness);
    failures(start, harness);
    patience(start, harness);
    aborts(start, harness);
    if (harness.at) addresses(harness.at);
  });
}
