import { describe, expect, it, test } from 'vitest';
import { redactor } from '../../../src/llm/secrets/redactor.ts';
import { SCRUBBED } from '../../../src/llm/secrets/scrub.ts';
import { fc } from '../../support/dice.ts';

const KEY = 'sk-test/+"0123456789-abcdefghij=';
const OTHER = 'other-key-with-letters';
const keys = redactor([KEY, OTHER, 'ollama', ' ']);

test('a key that is known only once a model is asked is taken out from then on', () => {
  const known: string[] = [];
  const late = redactor([OTHER], () => known);
  expect([late.isNeeded, late.text(`${OTHER} ${KEY}`)]).toEqual([true, `${SCRUBBED} ${KEY}`]);
  known.push(KEY);
  expect(late.text(`${OTHER} ${KEY}`)).toBe(`${SCRUBBED} ${SCRUBBED}`);
  expect(late.value({ [KEY]: [KEY] })).toEqual({ [SCRUBBED]: [SCRUBBED] });
  const stream = late.stream();
  expect(stream.push(`a ${KEY.slice(0, 9)}`) + stream.push(KEY.slice(9)) + stream.end()).toBe(
    `a ${SCRUBBED}`,
  );
  expect(late.refusal('', KEY)).not.toBeNull();
});

describe('a key in use', () => {
  test.each([
    ['as it is', KEY],
    ['in an address', encodeURIComponent(KEY)],
    ['in JSON', JSON.stringify({ key: KEY })],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['in base64 of a header', Buffer.from(`me:${KEY}`).toString('base64')],
    ['in base64 of a file', Buffer.from(`A=${OTHER}\nKEY=${KEY}\n# end\n`).toString('base64')],
    ['in base64 for addresses', Buffer.from(`k=${KEY}&x`).toString('base64url')],
  ])('is taken out %s', (_, text) => {
    const cleaned = keys.text(`before ${text} behind`);
    expect(cleaned).toContain(SCRUBBED);
    expect(cleaned).toMatch(/^before .* behind$/);
    const rest = cleaned.replaceAll(SCRUBBED, ' ');
    for (const part of rest.split(' ')) {
      expect(part).not.toContain(KEY.slice(0, 12));
      expect(Buffer.from(part, 'base64').toString('latin1')).not.toContain(KEY.slice(2, 14));
    }
  });

  it('is taken out where a text was cut in the middle of it', () => {
    for (let at = 1; at < KEY.length; at += 1) {
      const pieces = [`… ${KEY.slice(0, at)}`, `${KEY.slice(at)} …`].map((piece) =>
        keys.text(piece),
      );
      const longest = Math.max(...pieces.map((piece) => piece.replace(SCRUBBED, '').length));
      expect(longest).toBeLessThanOrEqual(KEY.length / 2 + 2);
    }
  });

  it('of fewer than 12 characters is a word, and the beginning that all keys share is none', () => {
    expect(keys.text('ollama run sk-test')).toBe('ollama run sk-test');
    expect(redactor(['short-key']).isNeeded).toBe(false);
    const real = redactor([`sk-ant-api03-${'x1'.repeat(40)}`]);
    expect(real.text('Set it: sk-ant-api03-...')).toBe('Set it: sk-ant-api03-...');
  });

  it('is taken out of names, lists and values, however deep', () => {
    const value = { [KEY]: [{ a: `${KEY} b`, n: 1, no: null }] };
    expect(keys.value(value)).toEqual({ [SCRUBBED]: [{ a: `${SCRUBBED} b`, n: 1, no: null }] });
    expect(keys.value(keys.value(value))).toEqual(keys.value(value));
  });

  it('never gets through in pieces, and nothing else is lost', () => {
    const part = fc.constantFrom(
      KEY,
      OTHER,
      KEY.slice(0, 9),
      OTHER.slice(3),
      ' ',
      'word',
      's',
      'o',
    );
    const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), cuts, (parts, lengths) => {
        const whole = parts.join('');
        const stream = keys.stream();
        let told = '';
        let at = 0;
        for (let n = 0; at < whole.length; n += 1) {
          const next = at + (lengths[n % lengths.length] ?? 1);
          told += stream.push(whole.slice(at, next));
          at = next;
        }
        told += stream.end();
        expect(told).not.toContain(KEY);
        expect(told).not.toContain(OTHER);
        // A text that ends in the middle of a key is all that may read otherwise.
        if (!told.endsWith(SCRUBBED)) expect(keys.text(told)).toBe(keys.text(whole));
      }),
    );
  });
});

describe('new content of a file', () => {
  test.each([
    ['our mark', '', `A=${SCRUBBED}`, SCRUBBED],
    ['one mark more than before', SCRUBBED, `${SCRUBBED}${SCRUBBED}`, SCRUBBED],
    ['a key that was not in it', 'A=1', `A=${KEY}`, 'key of the user'],
  ])('with %s is refused', (_, before, after, words) => {
    expect(keys.refusal(before, after)).toContain(words);
    expect(keys.refusal(before, after)).not.toContain(KEY);
  });

  test.each([
    ['the key that it held', `A=${KEY}\nB=1`, `A=${KEY}\nB=2`],
    ['the mark that it held', `const mark = '${SCRUBBED}'`, `const mark = '${SCRUBBED}';`],
    ['no key any more', `A=${KEY}`, 'A=process.env.A'],
  ])('with %s is written', (_, before, after) => {
    expect(keys.refusal(before, after)).toBeNull();
  });
});
