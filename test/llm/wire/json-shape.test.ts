import { expect, it } from 'vitest';
import { jsonShape } from '../../../src/llm/wire/json-shape.ts';
import { fc } from '../../support/dice.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it('never calls a text unfinished that is whole, wherever its pieces are cut', () => {
  fc.assert(
    fc.property(fc.json(), fc.array(fc.nat(20)), fc.string(), (json, cuts, behind) => {
      const shape = jsonShape();
      const text = ` ${json}\n${behind}`;
      let at = 0;
      for (const cut of [...cuts, text.length]) {
        shape.add(text.slice(at, at + cut));
        at = Math.min(text.length, at + cut);
        if (isJson(text.slice(0, at))) expect(shape.mayBeWhole()).toBe(true);
      }
    }),
  );
});

it.each(['{"a":', '{"a":"}', '["\\"]', '{}{', '"x', `${'1'.repeat(500)}`, '{} x'])(
  'knows without reading it that %s is not whole',
  (text) => {
    const shape = jsonShape();
    for (const character of text) shape.add(character);
    expect(shape.mayBeWhole()).toBe(false);
  },
);
