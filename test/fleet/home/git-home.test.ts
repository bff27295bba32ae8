/** Runs in a repository: each on the disk of the worker that has it, and on another one once that is gone. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FleetRequest, Slice, Slices } from '../../../src/fleet/contract.ts';
import { checkRepository } from '../../../src/fleet/home/git.ts';
import { layoutOf } from '../../../src/journal/layout.ts';
import { diligentModel, type PlannedWork, wantedBy } from '../../support/models.ts';
import type { Script } from '../../support/scripted-provider.ts';
import { git, gitFleet, submitted } from './git-machines.ts';

/** Before each command, and so before each check, a run is stored in its home: most are without. */
const WORK: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: '' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};
const GOAL = 'Write hello.mjs';
const CHECKED: PlannedWork = { ...WORK, verify: { cmd: 'node hello.mjs', prints: 'hello' } };
const CHECKED_GOAL = 'Write hello.mjs: node hello.mjs prints "hello"';
const FILES = {
  '.gitignore': 'dist/\n',
  '.gitattributes': '*.txt text eol=lf\n',
  'lines.txt': 'a\r\nb\r\n',
  'deep/er/bytes.bin': Buffer.from([0, 255, 13, 10, 0]),
};
const never = new AbortController().signal;

/** Runs the step until it is told how that came out, or that nobody knows. */
const stepping = (work: PlannedWork): Script => {
  const model = diligentModel(work);
  return (request, n) => {
    if (wantedBy(request) !== 'tools') return model(request, n);
    const told = request.messages.map(({ content }) => content).join('\n');
    if (/step is done|unknown|interrupted/i.test(told)) return model(request, n);
    return { calls: [{ name: 'run_cmd', args: { cmd: 'node step.mjs' } }] };
  };
};

const STEP = `import { appendFileSync } from 'node:fs';
appendFileSync('../../witness', 'begun\\n');
console.log('step is done');
`;

const made = await submitted({ ...FILES, 'step.mjs': STEP });
const fleet = (work = WORK) => gitFleet(made, stepping(work));

const linesWith = (text: string, ...words: string[]): readonly string[] =>
  text.split('\n').filter((line) => words.every((word) => line.includes(word)));

/** The files of a run that are kept in the journal of a machine. */
const journal = (root: string, run: string): string =>
  readFileSync(layoutOf(join(root, run)).history, 'utf8');

async function untilOver(slices: Slices, request: FleetRequest): Promise<Slice> {
  for (;;) {
    const slice = await slices.advance(request, never);
    if (slice.is !== 'going_on') return slice;
  }
}

describe('a run whose home is a repository', () => {
  it('comes to its end on another machine, with its work on a branch of its own and no other branch changed', async () => {
    const { begin, machineNamed, remote } = fleet(CHECKED);
    const before = git(remote, 'rev-parse', 'main');
    const request = await begin('r1', CHECKED_GOAL);
    const one = machineNamed('one');
    expect(await one.slices.advance(request, never)).toMatchObject({ is: 'going_on' });
    writeFileSync(join(one.root, 'r1/lines.txt'), 'a\r\nb\r\n');
    await one.slices.release('r1');
    const said = journal(one.root, 'r1');
    const two = machineNamed('two');
    expect(await untilOver(two.slices, request)).toMatchObject({ is: 'ended', ending: 'achieved' });
    expect(journal(two.root, 'r1').startsWith(said)).toBe(true);
    expect(journal(two.root, 'r1')).toMatch(/"type":"lease_taken".*"host":"two"/);
    expect(readFileSync(join(two.root, 'r1/lines.txt'), 'utf8')).toBe('a\r\nb\r\n');
    expect(readFileSync(join(two.root, 'r1/deep/er/bytes.bin'))).toEqual(
      FILES['deep/er/bytes.bin'],
    );
    expect(git(remote, 'show', 'tardigrade/r1:hello.mjs')).toBe('console.log("hello");');
    expect(git(remote, 'ls-tree', '--name-only', 'tardigrade/r1')).not.toContain('.agent_context');
    expect(git(remote, 'rev-parse', 'main', 'tardigrade/r1~1')).toBe(`${before}\n${before}`);
    expect(git(join(two.root, 'r1'), 'status', '--short')).toContain('?? hello.mjs');
  }, 240_000);

  it('goes on elsewhere a minute after its machine is gone: the command under way is named, and begun by nobody a second time', async () => {
    const { begin, machineNamed, pass, top } = fleet();
    const request = await begin('r1', GOAL);
    const two = machineNamed('two');
    await new Promise<void>((died) => {
      const one = machineNamed('one', died);
      // Nobody hears what a dead machine still meets with.
      untilOver(one.slices, request).catch(() => {});
    });
    expect(await two.slices.advance(request, never)).toMatchObject({ is: 'busy' });
    pass(59_000);
    expect(await two.slices.advance(request, never)).toMatchObject({ is: 'busy' });
    pass(1000);
    expect(await untilOver(two.slices, request)).toMatchObject({ is: 'ended' });
    const outcome = linesWith(journal(two.root, 'r1'), 'action_finished', 'node step.mjs')[0] ?? '';
    expect(outcome).toContain('"status":"interrupted"');
    expect(existsSync(join(top, 'witness'))).toBe(false);
  }, 240_000);

  it('is given up by a worker that comes back after another one took it, and nothing of it reaches the home', async () => {
    const { begin, machineNamed, pass, remote } = fleet();
    const request = await begin('r1', GOAL);
    const one = machineNamed('one');
    const two = machineNamed('two');
    expect(await one.slices.advance(request, never)).toMatchObject({ is: 'going_on' });
    one.cut(true);
    expect(await two.slices.advance(request, never)).toMatchObject({ is: 'busy' });
    pass(60_000);
    expect(await two.slices.advance(request, never)).toMatchObject({ is: 'going_on' });
    one.cut(false);
    const before = git(remote, 'for-each-ref', 'refs/tardigrade/runs', 'refs/heads');
    await untilOver(one.slices, request).catch(() => {});
    await one.slices.release('r1').catch(() => {});
    expect(git(remote, 'for-each-ref', 'refs/tardigrade/runs', 'refs/heads')).toBe(before);
    await two.slices.release('r1');
    // What it had done stays on its disk, beside what it takes from the home now.
    expect(await one.slices.advance(request, never)).toMatchObject({ is: 'going_on' });
    expect(readdirSync(join(one.root, '.aside'))).toHaveLength(1);
  }, 240_000);

  it('starts no program that its own repository names, and takes no link for a state', async () => {
    const { begin, machineNamed, remote, top } = fleet();
    const request = await begin('r1', GOAL);
    const one = machineNamed('one');
    await one.slices.advance(request, never);
    const own = join(one.root, 'r1');
    const harm = `${process.execPath} -e "require('fs').writeFileSync('${join(top, 'harm')}','')"`;
    for (const key of ['core.fsmonitor', 'core.sshCommand', 'uploadpack.packObjectsHook'])
      git(own, 'config', key, harm);
    writeFileSync(join(own, '.git', 'config'), `[filter "x"]\n\tclean = ${harm}\n`, { flag: 'a' });
    writeFileSync(join(own, '.gitattributes'), '* filter=x\n');
    writeFileSync(join(own, 'more.txt'), 'more');
    await one.slices.release('r1');
    expect(git(remote, 'show', 'tardigrade/r1:more.txt')).toBe('more');
    expect(existsSync(join(top, 'harm'))).toBe(false);
    expect(await one.slices.advance(request, never)).toMatchObject({ is: 'going_on' });
    symlinkSync(top, join(own, '.agent_context', 'blobs', 'link'));
    await one.slices.release('r1');
    const two = machineNamed('two');
    expect(await two.slices.advance(request, never)).toMatchObject({
      is: 'pausing',
      why: 'E_FOREIGN',
    });
  }, 240_000);

  it('stores the files of repositories in its folder, and what the run wrote in them though git ignores it', async () => {
    const { begin, machineNamed, remote } = fleet();
    await begin('r1', GOAL);
    const claim = await machineNamed('one').home.claim('r1');
    const there = ['dist/out.txt', 'new/c.txt', 'sub/b.txt', 'sub/dist/d.txt', 'sub/in/e.txt'];
    const left = ['dist/x.txt', 'sub/dist/x.txt', 'sub/own.txt'];
    for (const path of [...there, ...left]) {
      mkdirSync(dirname(join(claim.workspace, path)), { recursive: true });
      writeFileSync(join(claim.workspace, path), path);
    }
    writeFileSync(join(claim.workspace, 'sub/.gitignore'), 'own.txt\n');
    for (const folder of ['new', 'sub', 'sub/in', 'dist'])
      git(join(claim.workspace, folder), 'init', '-q');
    const written = there.filter((path) => path.includes('dist'));
    await claim.keep(written);
    // Now with a commit, which git would store as a link.
    for (const folder of ['sub', 'new'])
      git(join(claim.workspace, folder), 'commit', '-q', '--allow-empty', '-m', 'of the run');
    writeFileSync(join(claim.workspace, 'new/more.txt'), 'more');
    await claim.giveUp(written);
    const two = await machineNamed('two').home.claim('r1');
    const has = (paths: readonly string[]) =>
      paths.filter((path) => existsSync(join(two.workspace, path)));
    expect(has([...there, 'new/more.txt'])).toEqual([...there, 'new/more.txt']);
    expect(has(left)).toEqual([]);
    expect(git(remote, 'ls-tree', '-r', 'tardigrade/r1')).not.toContain('160000');
    writeFileSync(join(two.workspace, 'sub/b.txt'), 'changed');
    await two.giveUp([]);
    expect(git(remote, 'show', 'tardigrade/r1:sub/b.txt')).toBe('changed');
  }, 60_000);

  it('takes a link to a commit for its files once somebody has put a repository there', async () => {
    const { begin, machineNamed, remote, project } = fleet();
    const head = git(project, 'rev-parse', 'HEAD');
    for (const name of ['far', 'near'])
      git(project, 'update-index', '--add', '--cacheinfo', `160000,${head},${name}`);
    git(project, 'commit', '-q', '-m', 'links');
    await begin('r2', GOAL);
    const one = machineNamed('one');
    const claim = await one.home.claim('r2');
    git(claim.workspace, 'clone', '-q', project, 'near');
    const before = one.asked.length;
    await claim.giveUp([]);
    const words = one.asked.slice(before).map(([first]) => first);
    // Where its own repository has not moved, nothing is fetched from it.
    expect(words).not.toContain('fetch');
    expect(words.filter((word) => word === 'update-ref')).toHaveLength(1);
    const kept = git(remote, 'ls-tree', '-r', 'tardigrade/r2');
    expect(kept).toContain(`160000 commit ${head}\tfar`);
    expect(kept).toContain('near/step.mjs');
  }, 60_000);

  it('pauses and says why where git cannot store a file, and forces nothing over what a person has put on its branch', async () => {
    const { begin, machineNamed, remote, project } = fleet();
    const request = await begin('r1', GOAL);
    const one = machineNamed('one');
    await one.slices.advance(request, never);
    const before = git(remote, 'rev-parse', 'tardigrade/r1');
    const refused = join(one.root, 'r1/git~1');
    writeFileSync(refused, 'a name that git refuses');
    expect(await untilOver(one.slices, request)).toMatchObject({
      ...{ is: 'pausing', why: 'E_USAGE' },
      detail: expect.stringContaining("'git~1'"),
    });
    expect(git(remote, 'rev-parse', 'tardigrade/r1')).toBe(before);
    rmSync(refused);
    git(project, 'commit', '-q', '--allow-empty', '-m', 'of a person');
    git(project, 'push', '-q', '-f', remote, 'main:tardigrade/r1');
    expect(await untilOver(one.slices, request)).toMatchObject({ is: 'pausing', why: 'E_FOREIGN' });
    expect(git(remote, 'log', '-1', '--format=%s', 'tardigrade/r1')).toBe('of a person');
  }, 60_000);
});

it.each([
  ['/srv/homes/one.git', true],
  ['C:\\homes\\one.git', true],
  ['git@example.com:homes/one.git', true],
  ['ssh://git@example.com/one.git', true],
  ['https://example.com/one.git', true],
  ['https://token@example.com/one.git', false],
  ['https://me:secret@example.com/one.git', false],
  ['ext::sh -c id', false],
  ['http://example.com/one.git', false],
  ['--upload-pack=id', false],
  ['', false],
])('the address %s of a home: %s', (address, isTaken) => {
  if (isTaken) expect(checkRepository(address)).toBe(address);
  else expect(() => checkRepository(address)).toThrow('repository');
});
