/** Workers on two machines that see one folder, each with a host name and a boot of its own. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { layoutOf } from '../../src/journal/layout.ts';
import { FleetLab, runsAll, WHY_NO_FLEET } from '../support/fleet-lab.ts';
import { whyNoMachines } from '../support/fleet-machines.ts';
import { pinAgent } from '../support/kill-agent.ts';

const WHY_NOT = WHY_NO_FLEET || whyNoMachines();

describe.skipIf(WHY_NOT !== '')(
  `two machines that see one folder${WHY_NOT && ` (${WHY_NOT})`}`,
  () => {
    it('where the first hangs beyond its lease the second goes on, and the first writes nothing once it wakes', async () => {
      const agent = pinAgent();
      const labels = ['a', 'b'];
      const lab = await FleetLab.open(agent.bin, (request) => runsAll(labels)(request as never));
      onTestFinished(async () => {
        await lab.close();
        agent.dispose();
      });
      const [one] = await lab.startWorkers(1, 'one');
      const folder = lab.folder(1, 1000);
      await lab.submit(1, folder);
      await vi.waitUntil(() => lab.witnessed().some(([, , word]) => word === 'begins'), {
        ...{ timeout: 60_000, interval: 20 },
      });
      if (one !== undefined) lab.hang(one);
      await lab.startWorkers(1, 'two');
      await lab.ended(['r1'], 90_000);
      const journal = () => readFileSync(layoutOf(folder).history, 'utf8');
      const before = journal();
      expect(before).toMatch(/"type":"lease_taken".*"host":"two"/);
      one?.killAll('SIGCONT');
      one?.kill('SIGTERM');
      await one?.gone;
      expect(journal()).toBe(before);
      const begun = lab.witnessed().filter(([, , word]) => word === 'begins');
      expect(begun.map(([, label]) => label)).toEqual(labels);
    }, 120_000);
  },
);
