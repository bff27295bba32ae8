/** What becomes of pages that nobody wrote by hand. */
import { expect, test } from 'vitest';
import { htmlText } from '../../../src/tools/web/html-text.ts';
import { pageText } from '../../../src/tools/web/page-text.ts';
import { fc } from '../../support/dice.ts';

const PAGE = new URL('https://page.test/a/');
const read = (html: string): string => htmlText(html, PAGE);

test.each([
  ['an unclosed comment', 'a<!-- b <p>c', 'a'],
  ['a comment in a comment', 'a<!-- <!-- b --> c -->', 'a c -->'],
  ['an unclosed tag', 'a<b title="c <p>d', 'a'],
  ['an unclosed script', 'a<script>b</scrip>c', 'a'],
  ['a tag in a script', '<script>"<p>b</p>"</script>c', 'c'],
  ['a page in a title', '<title>a<b>c</title>d', 'Title: a<b>c\n\nd'],
  ['two titles', '<title>a</title><title>b</title>c', 'Title: a\n\nbc'],
  ['ends without a beginning', '</div></ul></pre></a>a</li></script>b', 'ab'],
  ['an entity of an entity', '&amp;lt;b&amp;gt;', '&lt;b&gt;'],
  ['what is written as entities', '&lt;script&gt;a', '<script>a'],
  ['halves of characters', '&#xD83D;&#xDE00;&#xD800;', '\ufffd\ufffd\ufffd'],
  ['no character', '&#0;&#x110000;&#99999999999;', '\ufffd\ufffd\ufffd'],
  ['a hidden part', 'a<p hidden>b<img hidden>c</p><img alt="d" hidden>e', 'ae'],
  ['hidden parts in each other', '<svg><svg>a</svg>b</svg>c<template><p>d</template>', 'c'],
  [
    'names that every object has',
    '<constructor>a</constructor><a __proto__=b href="c">d</a>',
    'a[d](https://page.test/a/c)',
  ],
  [
    'a link to code',
    '<a href="javascript:x">a</a><a href="data:,b">b</a><a href=" JavaScript:c">c</a>',
    'abc',
  ],
  [
    'a link of no address',
    '<a href="http://[">a</a><a href="//b.test/c">b</a>',
    'a[b](https://b.test/c)',
  ],
  [
    'links in links',
    '<a href="b">a<a href="d">c</a>',
    '[a](https://page.test/a/b)[c](https://page.test/a/d)',
  ],
  ['a heading beyond six', '<h7>a</h7><h6>b</h6>', 'a\n\n###### b'],
  ['an image of words in lines', '<img alt="a\nb\r\n\tc">', '[image: a b c]'],
])('%s', (_what, html, text) => {
  expect(read(html)).toBe(text);
});

/** Each costs more than its length where a reader begins anew at each of them. */
test.each([
  ...[
    '<',
    '>',
    '&',
    '<!--',
    '<![CDATA[',
    '<?',
    '</',
    '</p>',
    '&#x',
    '&amp;',
    '<a href="',
    '<p><div>',
    '<ul><li>',
  ],
  ...[
    '<pre>\n</pre>',
    '<td>',
    '<svg>',
    '<b hidden>',
    '<select>',
    '<title>',
    '<a href=x>b<p>',
    '\0',
    '\u202e',
  ],
])('a megabyte of %j is read', (piece) => {
  const text = read(`<p>a</p>${piece.repeat(1_000_000 / piece.length)}`);
  expect(text).toMatch(/^(?:Title: [^\n]*\n\n)?a/);
});

test('whatever stands around it, what people do not read is left out', () => {
  const marks =
    '<p> </p> <div_hidden> </div> <ul> <li> </ul> <a_href="x"> </a> <pre> </pre> <code> </code> <br/> <td> <h1> </h1> <b > " = & &lt; a _ \0 \u202e \ud83d\ude00';
  const unread = '<script>SECRET</script> <style>SECRET</style> <svg><p>SECRET</p></svg>';
  const pieces = fc.constantFrom(...`${marks} ${unread}`.split(' '));
  const whole = fc.array(pieces, { maxLength: 60 });
  fc.assert(
    fc.property(whole, (drawn) => {
      // In a tag that is open, all up to its end is part of it.
      const text = read(
        drawn
          .join('')
          .replaceAll('_', ' ')
          .replace(/(?:<b|["'])(?=[^>]*<)/g, ''),
      );
      expect(text).not.toMatch(/SECRET|\p{Surrogate}/u);
      expect(text).toBe(text.trim());
    }),
    { seed: 11, numRuns: 300 },
  );
});

test.each([
  ['text/html; charset=utf-7', Buffer.from('a+ADw-'), 'a+ADw-'],
  ['text/html; charset=__proto__', Buffer.from('ä'), 'ä'],
  ['text/plain; charset=utf-16', Buffer.from('ab', 'utf16le'), 'ab'],
  ['text/html', Buffer.from([0xff, 0xfe, 0x41]), '\ufffd'],
  ['', Buffer.from('<!doctype html><p>a'), 'a'],
  ['application/x', Buffer.from([0x61, 0]), null],
  ['text/html; '.repeat(1000), Buffer.from(`<meta ${'charset '.repeat(1000)}`), ''],
])('a body of the type %j is read in its letters', async (type, body, text) => {
  expect(await pageText(body, type, PAGE)).toBe(text);
});
