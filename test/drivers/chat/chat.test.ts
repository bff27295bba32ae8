import { describe, expect, it } from 'vitest';
import { driverOf } from '../../../src/drivers/driver-of.ts';
import { Calling } from '../../../src/schema/driver.ts';

describe.each(Calling.options)(
  'where a person leads, and calls are made by way of %s',
  (calling) => {
    const driver = driverOf({ driver: 'chat', calling });

    it('nothing waits for a plan, and nothing is left running', () => {
      const call = { tool: 'write_file', isReadOnly: false, mustStay: [] };
      expect(driver.closedReason(call, {} as never)).toBeNull();
      expect(driver.leavesRunning).toBe(false);
    });

    it('what the model insists on is done, and what is refused again is only refused', () => {
      expect([driver.mayInsist, driver.waitsForPerson]).toEqual([true, false]);
    });

    it('tools of servers are told of where calls are not written as text', () => {
      expect(driver.hasFurtherTools).toBe(calling !== 'text');
    });
  },
);
