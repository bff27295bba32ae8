import { expect, it } from 'vitest';
import { claimWorkFile, isClaimed } from '../../src/host/work-files.ts';
import { errorCode } from '../../src/lib/files/durable-files.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

const FILE = `${WORKSPACE}/work.json`;
const now = 0;

it('a work file is claimed by one process at a time, and by the next one after it has gone', () => {
  const world = testWorld();
  const { fs, identity } = world.machine();
  const release = claimWorkFile(fs, FILE, { identity, now });
  expect(isClaimed(fs, FILE, identity)).toBe(true);
  expect(claimWorkFile(fs, FILE, { identity, now })).toBeNull();
  release?.();
  expect(isClaimed(fs, FILE, identity)).toBe(false);
  claimWorkFile(fs, FILE, { identity, now });
  const next = world.machine();
  expect(claimWorkFile(next.fs, FILE, { identity: next.identity, now })).not.toBeNull();
});

it('a process that is killed at any step of claiming keeps no other one from it', () => {
  for (let step = 1; step < 9; step += 1) {
    const world = testWorld();
    const dying = world.machine();
    let left = step;
    const counted = <Args extends unknown[], Value>(does: (...args: Args) => Value) => {
      return (...args: Args): Value => {
        left -= 1;
        if (left === 0) dying.kill();
        return does(...args);
      };
    };
    const disk = delegating(dying.fs);
    const fs = {
      ...disk,
      open: counted(disk.open),
      write: counted(disk.write),
      close: counted(disk.close),
      link: counted(disk.link),
      unlink: counted(disk.unlink),
    };
    try {
      claimWorkFile(fs, FILE, { identity: dying.identity, now });
    } catch (error) {
      expect(errorCode(error)).toBe('');
    }
    const next = world.machine();
    expect(
      claimWorkFile(next.fs, FILE, { identity: next.identity, now }),
      `${step}`,
    ).not.toBeNull();
  }
});

it('of two that find the claim of a dead process at once, exactly one has the file', () => {
  for (const step of ['unlink', 'open', 'link', 'close'] as const)
    for (let at = 1; at < 7; at += 1) {
      const world = testWorld();
      const dead = world.machine();
      claimWorkFile(dead.fs, FILE, { identity: dead.identity, now });
      dead.kill();
      const [one, other] = [world.machine(), world.machine()];
      const living = [one.identity.pid, other.identity.pid];
      const startTimeOf = (pid: number) => (living.includes(pid) ? 'start' : null);
      const claimedBy = ({ identity }: typeof one, fs = other.fs) =>
        claimWorkFile(fs, FILE, { identity: { ...identity, startTimeOf }, now });
      const disk = delegating(one.fs);
      const had: unknown[] = [];
      let left = at;
      const interrupted = {
        ...disk,
        [step]: (...args: never[]) => {
          left -= 1;
          if (left === 0) had.push(claimedBy(other));
          return (disk[step] as (...args: never[]) => unknown)(...args);
        },
      };
      had.push(claimedBy(one, interrupted));
      expect(
        had.filter((release) => release !== null),
        `${step} ${at}`,
      ).toHaveLength(1);
    }
});

it('an empty claim, which an older version or a power loss may leave, is no claim', () => {
  const { fs, identity } = testWorld().machine();
  fs.close(fs.open(`${FILE}.claim`, 'wx', 0o600));
  expect(claimWorkFile(fs, FILE, { identity, now })).not.toBeNull();
});

it('a claim that cannot be read at the moment stays', () => {
  const { fs, identity } = testWorld().machine();
  claimWorkFile(fs, FILE, { identity, now });
  const busy = {
    ...delegating(fs),
    open: () => {
      throw Object.assign(new Error('too many'), { code: 'EMFILE' });
    },
  };
  expect(isClaimed(busy, FILE, identity)).toBe(true);
  expect(isClaimed(fs, FILE, identity)).toBe(true);
});
