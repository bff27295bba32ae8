import { expect, it } from 'vitest';
import { policyOf } from '../../src/policy/policy.ts';
import { parseRule } from '../../src/policy/rules/parse.ts';
import type { CallDecision } from '../../src/tools/decision.ts';
import { ruleWords } from '../../src/tools/registry.ts';
import { optionsIn } from './support.ts';

const reading = { words: ruleWords(), platform: 'linux' } as const;
const read = (text: string) => parseRule(text, reading).text;

function decide(url: string, rules = {}, more = {}): CallDecision {
  const policy = policyOf({ ...optionsIn({ rules }), ...more });
  return policy.decideNow({
    ...{ tool: 'web_fetch', touches: 'network', reaches: [], args: { url }, asker: 'model' },
    target: { kind: 'address', text: url },
  });
}

const allowing = (...allow: string[]) => ({ user: { allow } });

it('asks about each host, by its whole name and port, and keeps a yes for the run alone', () => {
  expect(decide('https://example.com/a?b=c')).toMatchObject({
    kind: 'ask',
    reason: 'All of this address is sent to example.com.',
    wants: [{ rule: 'web_fetch(example.com)', isOffered: true, isForRunOnly: true }],
  });
  const rules = allowing('web_fetch(example.com)');
  const kinds = ['https://example.com/x', 'http://example.com/', 'https://EXAMPLE.com/'].map(
    (url) => decide(url, rules).kind,
  );
  expect(kinds).toEqual(['allow', 'allow', 'allow']);
  for (const other of ['www.example.com', 'example.com:8443', 'example.com.evil.org', 'xample.com'])
    expect(decide(`https://${other}/`, rules).kind, other).toBe('ask');
  expect(decide('https://any.where/', allowing('web_fetch(*)')).kind).toBe('allow');
});

it('holds back what a rule of the user or the project says', () => {
  const denied = { user: { allow: ['web_fetch(*)'], deny: ['web_fetch(evil.org)'] } };
  expect(decide('https://evil.org/', denied).kind).toBe('deny');
  expect(decide('https://good.org/', denied).kind).toBe('allow');
  const asked = { user: { allow: ['web_fetch(a.org)'] }, project: { ask: ['web_fetch(*)'] } };
  expect(decide('https://a.org/', asked)).toMatchObject({ kind: 'ask' });
});

it('behind a proxy lets through what is allowed by name, and nothing else', () => {
  const proxied = { isProxied: () => true };
  expect(decide('https://a.org/', {}, proxied)).toMatchObject({
    kind: 'deny',
    reason: expect.stringContaining('A proxy stands'),
  });
  expect(decide('https://a.org/', allowing('web_fetch(*)'), proxied).kind).toBe('deny');
  expect(decide('https://a.org/', allowing('web_fetch(a.org)'), proxied).kind).toBe('allow');
});

it('where there is no way to the web nothing is asked, and what is no address is for its tool to refuse', () => {
  const off = { webOff: 'Not here.' };
  expect(decide('https://a.org/', allowing('web_fetch(a.org)'), off)).toMatchObject({
    kind: 'deny',
    reason: 'Not here.',
  });
  expect(decide('not an address').kind).toBe('allow');
});

it('reads rules as other agents write them, and refuses what names no host', () => {
  expect(read('WebFetch(domain:Example.com)')).toBe('web_fetch(example.com)');
  expect(read('WebFetch')).toBe('web_fetch(*)');
  expect(read('web_fetch(b\u00fccher.de:8080)')).toBe('web_fetch(xn--bcher-kva.de:8080)');
  for (const wrong of [
    'web_fetch()',
    'web_fetch(a b)',
    'web_fetch(a.org/x)',
    'web_fetch(*.org)',
    'web_fetch(me@a.org)',
  ])
    expect(() => read(wrong), wrong).toThrow('names no host');
});
