// What an earlier build left behind, put into a folder of fixtures: one key signs them all.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { filesIn, putFiles } from '../../test/support/format-1-observed.ts';
import { ORIGIN_KEY } from '../../test/support/format-2.ts';
import { copyState, expectFormat, type OldBuild, oldBuild } from './old-build.ts';

export interface SignedFixtures extends OldBuild {
  /** The workspace and its state; throws unless the journal is of that format. */
  keep(fixture: string, folder: string, journal: string, format: number): void;
  /** What the build saw in a copy of it, and the first request that it sent. */
  write(fixture: string, expected: object, bodies: readonly string[]): void;
  dispose(): void;
}

/** The build in that `dist`, with a home of its own. Ends the process where there is none. */
export function signedFixtures(dist: string, usage: string): SignedFixtures {
  const bin = resolve(dist, 'bin.js');
  if (dist === '' || !existsSync(bin)) {
    console.error(`usage: ${usage}`);
    process.exit(2);
  }
  const home = mkdtempSync(join(tmpdir(), 'tardigrade-home-'));
  const key = join(home, '.local/share/tardigrade-agent/origin.key');
  if (existsSync(ORIGIN_KEY)) {
    mkdirSync(join(key, '..'), { recursive: true, mode: 0o700 });
    copyFileSync(ORIGIN_KEY, key);
  }
  return {
    ...oldBuild(bin, home),
    keep: (fixture, folder, journal, format) => {
      expectFormat(journal, format);
      rmSync(fixture, { recursive: true, force: true });
      mkdirSync(fixture, { recursive: true });
      putFiles(join(fixture, 'workspace'), filesIn(folder));
      copyState(join(folder, '.agent_context'), join(fixture, 'agent_context'));
      if (!existsSync(ORIGIN_KEY)) copyFileSync(key, ORIGIN_KEY);
    },
    write: (fixture, expected, bodies) => {
      writeFileSync(join(fixture, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
      const [next] = bodies;
      if (next !== undefined) writeFileSync(join(fixture, 'next-request.json'), next);
      console.log(`  then: ${bodies.length} requests`);
    },
    dispose: () => rmSync(home, { recursive: true, force: true }),
  };
}
