import { describe, expect, it } from 'vitest';
import { driverForMode, driverNamed, driverOf } from '../../src/drivers/driver-of.ts';
import { TRAITS, traitsOf } from '../../src/schema/driver.ts';
import { DEFINITIONS, NAMES } from '../support/built-in-tools.ts';

describe('the driver of a run', () => {
  it.each([
    ['native', 'free'],
    ['json', 'guided'],
  ] as const)('in %s mode is the %s one', (mode, name) => {
    expect(driverForMode(mode).name).toBe(name);
    expect(driverOf({ driver: name }).name).toBe(name);
    expect(driverNamed(name).mode).toBe(mode);
  });

  it.each(['guided', 'free'] as const)('that is called %s does what its traits say', (name) => {
    const driver = driverNamed(name);
    const encoding = {
      tools: DEFINITIONS,
      names: NAMES,
      planSchema: {},
      briefSchema: () => ({}),
      contextWindow: 8192,
    };
    const action = driver.codec.encode({ kind: 'action', open: [] }, encoding);
    expect(action.tools !== undefined).toBe(TRAITS[name].callsTools);
    expect(driver.mendsByItself).toBe(TRAITS[name].mendsByItself);
    expect(traitsOf({ driver: name })).toBe(TRAITS[name]);
    expect(driver.mode).toBe(TRAITS[name].mode);
  });

  it('tells a small model how programs are laid out here, and no other', () => {
    const { guided, free } = { guided: driverNamed('guided'), free: driverNamed('free') };
    expect(guided.systemPrompt('Use node.', NAMES)).toBe(
      `${guided.systemPrompt('', NAMES)}\nUse node.`,
    );
    expect(free.systemPrompt('Use node.', NAMES)).toBe(free.systemPrompt('', NAMES));
  });
});
