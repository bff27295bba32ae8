import { describe, expect, it } from 'vitest';
import { driverNamed, driverOf } from '../../src/drivers/driver-of.ts';
import { TRAITS, traitsOf } from '../../src/schema/driver.ts';
import { builtinTools, toolDefinitions } from '../../src/tools/registry.ts';

const tools = toolDefinitions(
  builtinTools({
    programs: {
      find: async () => ({ kind: 'missing', reason: '', hint: '' }),
      environment: () => ({}),
    },
    fingerprint: () => '',
  }),
);

describe('the driver of a run', () => {
  it.each([
    ['native', 'free'],
    ['json', 'guided'],
  ] as const)('in %s mode is the %s one', (mode, name) => {
    expect(driverOf({ mode }).name).toBe(name);
    expect(driverNamed(name).mode).toBe(mode);
  });

  it.each(['guided', 'free'] as const)('that is called %s does what its traits say', (name) => {
    const driver = driverNamed(name);
    const names = { writesFiles: null, listsFolders: null, endsSubtasks: null };
    const encoding = { tools, names, planSchema: {}, contextWindow: 8192 };
    const action = driver.codec.encode({ kind: 'action', open: [] }, encoding);
    expect(action.tools !== undefined).toBe(TRAITS[name].callsTools);
    expect(driver.mendsByItself).toBe(TRAITS[name].mendsByItself);
    expect(traitsOf({ mode: driver.mode })).toBe(TRAITS[name]);
  });

  it('tells its model how programs are laid out here, where that is known', () => {
    for (const name of ['guided', 'free'] as const) {
      const { systemPrompt } = driverNamed(name);
      expect(systemPrompt('Use node.')).toBe(`${systemPrompt('')}\nUse node.`);
    }
  });
});
