import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAMS } from '../../../src/languages/commands/programs.ts';
import { childEnvironment } from '../../../src/processes/environment.ts';
import type { ProgramPlaces } from '../../../src/processes/programs/locate.ts';
import { resolveProgram } from '../../../src/processes/programs/resolve-program.ts';

/** @param links from a path to the file it leads to; any other path is no file. */
function placesWith(links: { readonly [path: string]: string }): ProgramPlaces {
  const file = (name: string) => {
    const real = links[name] ?? Object.values(links).find((one) => one === name);
    if (real === undefined) throw new Error(`ENOENT ${name}`);
    return real;
  };
  const info = { kind: 'file', size: 1, mode: 0o755, mtimeMs: 0 } as const;
  const stat = (name: string) => {
    file(name);
    return info as unknown as ReturnType<ProgramPlaces['fs']['stat']>;
  };
  return {
    ...{ platform: 'linux', workspace: '/ws', trusted: [], nodePath: '/usr/bin/node' },
    searchPath: ['/usr/bin'],
    fs: { stat, lstat: stat, realpath: file },
  };
}

const find = (program: string, links: { readonly [path: string]: string }) =>
  resolveProgram(program, placesWith(links), PROGRAMS, async () => true);

const LIB = '/usr/lib/go-1.22/bin';

describe('the programs of Go', () => {
  it('are found by their names', async () => {
    const here = { '/usr/bin/go': '/usr/bin/go', '/usr/bin/gofmt': '/usr/bin/gofmt' };
    for (const name of ['go', 'gofmt']) {
      const file = path.posix.join('/usr/bin', name);
      expect(await find(name, here)).toEqual({ kind: 'found', file, prefix: [], notice: '' });
    }
  });

  it('or beside go, where only go is on PATH', async () => {
    const linked = { '/usr/bin/go': `${LIB}/go`, [`${LIB}/gofmt`]: `${LIB}/gofmt` };
    expect(await find('gofmt', linked)).toEqual({
      ...{ kind: 'found', file: `${LIB}/gofmt`, prefix: [] },
      notice: 'gofmt is not on PATH; ran that of go',
    });
    expect(await find('gofmt', { '/usr/bin/go': `${LIB}/go` })).toMatchObject({ kind: 'missing' });
    expect(await find('gofmt', {})).toMatchObject({ kind: 'missing' });
  });

  it('run a source that was named as a program', async () => {
    expect(await find('./main.go', {})).toMatchObject({ hint: 'Run it as: go run ./main.go' });
    expect(await find('./main_test.go', {})).toMatchObject({
      hint: 'Name the program without its path: main_test.go',
    });
  });

  it('get what they need of the user, and no address that may carry a password', () => {
    const env = { GOPATH: '/home/me/go', GOTOOLCHAIN: 'local', GOPROXY: 'https://me:pw@x' };
    const options = { platform: 'linux', searchPath: [], known: PROGRAMS } as const;
    const child = childEnvironment({ ...options, env });
    expect(child).toMatchObject({ GOPATH: '/home/me/go', GOTOOLCHAIN: 'local' });
    expect(child.GOPROXY).toBeUndefined();
  });
});
