/** The same on a real durable engine, with workers as the built program starts them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { signAnswer, signRequest } from '../../src/fleet/signing.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { connect } from '../../src/server/client/client.ts';
import { fleetUnderFaults, killing, replacing } from '../crash/fleet.ts';
import type { EngineKind } from '../support/fleet-engines.ts';
import { FleetLab, runsAll, SECRET } from '../support/fleet-lab.ts';
import { type PinnedAgent, pinAgent } from '../support/kill-agent.ts';
import { ASKS, DONE, PLAN } from '../support/server-lab.ts';
import { sideBySideOnWire } from '../support/side-by-side.ts';

/** The commands of a run under faults. */
const LABELS: readonly string[] = ['a', 'b', 'c'];

export function describeFleet(kind: EngineKind): void {
  const { name, whyNot } = kind;
  describe.skipIf(whyNot !== '')(`a fleet on ${name}${whyNot && ` (${whyNot})`}`, () => {
    let agent: PinnedAgent;
    let lab: FleetLab;
    beforeAll(async () => {
      vi.setConfig({ testTimeout: 120_000 });
      agent = pinAgent();
      lab = await FleetLab.open(
        agent.bin,
        (request) => {
          const text = JSON.stringify(request.messages);
          if (text.includes('side by side')) return sideBySideOnWire(request as never);
          if (/commands of r\d\d/.test(text)) return runsAll(LABELS)(request as never);
          if (!text.includes('begin a repository')) return runsAll(['a', 'b'])(request as never);
          const told = request.messages.filter(({ role }) => role === 'tool').length;
          if (told === 0) return PLAN;
          return /exit code 0|said no/.test(text) ? DONE : ASKS;
        },
        [],
        kind,
      );
      await lab.startWorkers(2);
    }, 300_000);
    afterAll(async () => {
      await lab?.close();
      agent?.dispose();
    });

    const records = (folder: string): readonly string[] =>
      readFileSync(layoutOf(folder).history, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => /"type":"(\w+)"/.exec(line)?.[1] ?? '');

    it('works on a run that is submitted twice once, and never on one that nobody of this user has signed', async () => {
      const folder = lab.folder(1);
      await lab.submit(1, folder);
      await lab.submit(1, folder);
      const theirs = { run: 'theirs', workspace: folder, goal: 'something else', words: [] };
      const request = { ...theirs, tenant: 'test', at: 0 };
      await lab.engine.submit(signRequest(Buffer.alloc(32, 8), request));
      await lab.ended(['r1'], 60_000);
      const begun = lab.witnessed().filter(([run, , word]) => run === '1' && word === 'begins');
      expect(begun.map(([, label]) => label)).toEqual(['a', 'b']);
      expect((await lab.standing('theirs'))?.slice).toMatchObject({
        is: 'pausing',
        why: 'E_FOREIGN',
      });
      expect(records(folder).filter((type) => type === 'run_opened')).toHaveLength(1);
    });

    it('ends the command of a run that is cancelled, and goes on once it is resumed', async () => {
      const folder = lab.folder(2, 20_000);
      await lab.submit(2, folder);
      await vi.waitUntil(
        () => lab.witnessed().some(([run, , word]) => run === '2' && word === 'begins'),
        {
          timeout: 60_000,
          interval: 20,
        },
      );
      const pid = Number(lab.witnessed().find(([run]) => run === '2')?.[3]);
      await lab.engine.cancel('r2');
      await vi.waitUntil(async () => (await lab.standing('r2'))?.isStopped, {
        timeout: 30_000,
        interval: 20,
      });
      expect(records(folder).at(-1)).toBe('run_paused');
      expect(() => process.kill(pid, 0)).toThrow();
      writeFileSync(join(folder, 'step.mjs'), "console.log('step', process.argv[2], 'done');");
      await lab.engine.resume('r2');
      await lab.ended(['r2'], 60_000);
    });

    it('works on subtasks that are runs of their own, and one undo puts all of it back', async () => {
      const folder = lab.folder(4);
      await lab.submit(4, folder, 'Write two files side by side', ['--yes', '--parallel', '2']);
      await lab.ended(['r4'], 60_000);
      expect(records(folder).filter((type) => type === 'child_joined')).toHaveLength(2);
      const texts = () => ['a.txt', 'b.txt'].map((name) => existsSync(join(folder, name)));
      expect(texts()).toEqual([true, true]);
      const words = ['undo', '--yes', '--workspace', folder];
      await execa(process.execPath, [agent.bin, ...words], {
        ...{ cwd: lab.runs, env: lab.environment, extendEnv: false },
      });
      expect(texts()).toEqual([false, false]);
    });

    it('waits for an answer at no worker, and takes it from any machine', async () => {
      const folder = lab.folder(3);
      await lab.submit(3, folder, 'begin a repository here', []);
      await vi.waitUntil(async () => (await lab.standing('r3'))?.slice?.is === 'waiting', {
        timeout: 60_000,
        interval: 50,
      });
      const slice = (await lab.standing('r3'))?.slice;
      const id = slice?.is === 'waiting' ? (slice.questions[0]?.id ?? '') : '';
      const answer = { id, allowed: true, why: '' };
      const forged = signAnswer(Buffer.alloc(32, 8), 'r3', answer);
      expect(await lab.engine.answer('r3', forged)).toContain('not signed');
      // From a folder that has no run at all.
      const say = (...words: string[]) =>
        execa(process.execPath, [agent.bin, ...words, '--fleet', lab.address], {
          ...{ cwd: lab.runs, env: lab.environment, extendEnv: false, reject: false },
        });
      expect(await say('attach', 'r3')).toMatchObject({
        ...{ exitCode: 6, stdout: expect.stringContaining('begin a repository here') },
        stderr: expect.stringContaining('agent approve r3 --fleet'),
      });
      const said = await say('approve', 'r3', id.slice(0, 8));
      expect(said).toMatchObject({ exitCode: 0, stderr: '' });
      await lab.ended(['r3'], 60_000);
      expect(records(folder)).toContain('approval_given');
      const ended = (await lab.standing('r3'))?.slice;
      const exitCode = ended?.is === 'ended' ? ended.exitCode : null;
      expect(await say('attach', 'r3')).toMatchObject({ exitCode });
      expect(await say('attach', 'nobody')).toMatchObject({ exitCode: 2 });
    });

    it('is shown by a server that sees the folder, with its runs as the server shows its own', async () => {
      const words = ['serve', '--port', '0', '--root', lab.runs];
      const server = execa(process.execPath, [agent.bin, ...words], {
        ...{ cwd: lab.runs, env: lab.environment, extendEnv: false, reject: false },
      });
      onTestFinished(async () => {
        server.kill();
        await server;
      });
      let said = '';
      server.stdout.on('data', (text) => {
        said += text;
      });
      await vi.waitUntil(() => said.includes('#k='), { timeout: 60_000, interval: 20 });
      const client = await connect({ url: /http:\S+/.exec(said)?.[0] ?? '' });
      const { runs } = await client.runs();
      const shown = runs.find(({ id }) => id === 'r1');
      expect(shown).toMatchObject({ goal: 'run the commands of r1', standing: 'unverified' });
    });

    it('keeps no key of a model in what the engine has', async () => {
      expect(await lab.engineHas('begin a repository here')).toBe(true);
      expect(await lab.engineHas(SECRET)).toBe(false);
    });

    // A sample: `npm run crash` takes 200 runs, a thousand kills, and a new version for every worker.
    const sampleFrom = (from: number) => ({
      ...{ bin: agent.bin, there: { lab, from }, runs: 2, workers: 2 },
      ...{ labels: LABELS, mostMs: 150_000 },
    });

    it('loses nothing and does nothing twice where workers and engine are killed', async () => {
      // One of a worker, then one of the engine.
      const disturb = killing({ kills: 2, workers: 2, seed: 18 });
      const seen = await fleetUnderFaults({ ...sampleFrom(10), disturb });
      expect(seen.violations).toEqual([]);
      expect(seen.faults).toBeGreaterThan(0);
    }, 180_000);

    it('fails no run and cuts no command off where all workers are replaced one by one', async () => {
      const disturb = replacing(2);
      const seen = await fleetUnderFaults({ ...sampleFrom(20), disturb, isGentle: true });
      expect(seen.violations).toEqual([]);
      expect(seen.faults).toBeGreaterThan(0);
    }, 180_000);
  });
}
