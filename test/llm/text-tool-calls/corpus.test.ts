import { describe, expect, it } from 'vitest';
import { dice, fc } from '../../support/dice.ts';
import { someKills } from '../../support/some-kills.ts';
import { allSamples, corpus } from './corpus/all.ts';
import { argumentsOf, callsOf, decode, outcomeOf, strayCalls } from './support.ts';

describe.each(Object.entries(corpus))('%s', (_file, samples) => {
  it.each(samples.map((sample) => [sample.title, sample] as const))('%s', (_title, sample) => {
    const decoded = decode(sample.text);
    expect(outcomeOf(decoded)).toBe(sample.expected.outcome);
    expect(strayCalls(decoded)).toEqual([]);
    if (sample.expected.outcome === 'call') {
      expect(callsOf(decoded)).toEqual(argumentsOf(sample.expected.calls));
    }
    if (sample.expected.outcome === 'shown back' && decoded.kind === 'invalid') {
      for (const piece of sample.expected.says) expect(decoded.error).toContain(piece);
      expect(decoded.error.length).toBeLessThan(900);
    }
  });
});

describe('the corpus', () => {
  it('has at least 80 samples, no text twice, of every outcome and of many models', () => {
    expect(allSamples.length).toBeGreaterThanOrEqual(80);
    expect(new Set(allSamples.map(({ text }) => text)).size).toBe(allSamples.length);
    for (const outcome of ['call', 'shown back', 'text']) {
      const some = allSamples.filter(({ expected }) => expected.outcome === outcome);
      expect(some.length, outcome).toBeGreaterThanOrEqual(20);
    }
    expect(new Set(allSamples.map(({ model }) => model)).size).toBeGreaterThanOrEqual(30);
  });
});

const PIECES = [
  ...['{', '}', '[', ']', '"', "'", '\\', ',', ':', '\n', '`', '```', '(', ')', '=', ' ', '\0'],
  ...['<tool_call>', '</tool_call>', '<think>', '</think>', '<function=run_cmd>', '</function>'],
  ...['<parameter=cmd>', '</parameter>', '<arg_key>', '</arg_value>', '[TOOL_CALLS]', '[ARGS]'],
  ...['<|"|>', '<escape>', '<|tool_call_start|>', '<tool_response>', '"cmd": "rm -rf /"'],
  ...['run_cmd', 'erase_disk', '"name": "erase_disk"', '"__proto__"', 'for example', 'null', '0'],
];
const anySample = fc.constantFrom(...allSamples.map(({ text }) => text));
const damage = fc.record({
  at: fc.nat(400),
  cut: fc.nat(12),
  put: fc.oneof(fc.constant(''), fc.constantFrom(...PIECES), fc.string({ maxLength: 3 })),
});

/** A call whose name went missing, with its arguments whole. */
const NAMELESS: [string, string, { at: number; cut: number; put: string }[]] = [
  '<tool_call>{"name": "read_file", "arguments": {"path": "a.txt"}}</tool_call>',
  '',
  [{ at: 21, cut: 9, put: '' }],
];

describe('a damaged sample', () => {
  it('never becomes a call that is not declared or does not fit, and never throws', () => {
    fc.assert(
      fc.property(
        anySample,
        anySample,
        fc.array(damage, { minLength: 1, maxLength: 4 }),
        (one, other, damages) => {
          const text = damages.reduce(
            (left, { at, cut, put }) => left.slice(0, at) + put + left.slice(at + cut),
            `${one}${other.slice(0, 200)}`,
          );
          expect(strayCalls(decode(text))).toEqual([]);
        },
      ),
      { numRuns: dice(40, 400), examples: [NAMELESS] },
    );
  });

  it('that was cut off anywhere is carried out only as far as it stood there whole', () => {
    for (const [at, { text, expected, title }] of allSamples.entries()) {
      if (expected.outcome !== 'call') continue;
      const whole = argumentsOf(expected.calls).map((call) => JSON.stringify(call));
      for (const length of someKills([...Array(text.length).keys()], 23, at)) {
        for (const call of callsOf(decode(text.slice(0, length)))) {
          if (!whole.includes(JSON.stringify(call))) {
            expect.unreachable(`${title}, cut after ${length}: ${JSON.stringify(call)}`);
          }
        }
      }
    }
  });
});

/** Each would make a reader that goes back over the text, or down into it, take very long or fail. */
const HOSTILE = [
  ...[
    '{',
    '[',
    '{{',
    '"',
    "'",
    '\\"',
    '"\\',
    '{"a"',
    '[{"a":',
    '{"function":',
    '<think>',
    '</think>',
  ],
  ...[
    '<tool_call>',
    '<tool_call>{',
    '```json\n{',
    '``` ',
    '<function=a>',
    '<function=a><parameter=b>',
  ],
  ...['<arg_key></arg_value>', '<tool_call>a<arg_key></arg_key><arg_value></arg_value>'],
  ...[
    '[TOOL_CALLS]a[ARGS]{',
    '<|tool_call>call:a{',
    '[f(a=[',
    '<|tool_call_start|>[f(a="',
    ' ',
    '\n',
  ],
  ...[
    '{"name":"read_file","arguments":',
    'Action: a\nAction Input: {',
    '{"a":1}',
    '<tool_response>',
  ],
];

/** How long a text: more than a reader that goes back over it would take in a minute. */
const MAX = dice(8_000, 100_000);

describe('many thousand characters', () => {
  it.each(HOSTILE)(
    'of %j are read to their end, and no call is looked at more often than it stands there',
    (unit) => {
      const count = Math.ceil(MAX / unit.length);
      let judged = 0;
      const decoded = decode(unit.repeat(count), () => {
        judged += 1;
      });
      expect(decoded.kind).not.toBe('calls');
      expect(judged).toBeLessThanOrEqual(4 * count);
    },
  );
});
