import { expect, it } from 'vitest';
import { lockOwner } from '../../../src/host/journals/journal.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

it('an owner whose file does not say since when has no time', () => {
  const world = testWorld();
  const owner = { host: 'here', boot: 'other', pidNamespace: '', pid: 7, startTime: 'x' };
  world.write('.agent_context/lock/lock.1', JSON.stringify(owner));
  expect(lockOwner(world.machine(), WORKSPACE)).toEqual({
    ...{ host: 'here', pid: 7, startTime: '', isAlive: false },
  });
});
