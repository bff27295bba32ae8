/** The counter-examples of the rule on lengths (`architecture.test.ts`). */
import { describe, expect, test } from 'vitest';
import { LIMITS, tooLong } from './support/architecture/lengths.ts';
import { sourceFile } from './support/architecture/source-file.ts';

const one = (path: string, text: string) => [sourceFile(path, text)];

describe('the rule on lengths finds', () => {
  test('a file and a function that are too long', () => {
    const body = '  step();\n'.repeat(60);
    const found = tooLong(one('src/a.ts', `\nconst f = () => {\n${body}};\n`), LIMITS);
    expect(found).toEqual(['src/a.ts:2 has too long a function']);
    expect(tooLong(one('src/a.ts', '// line\n'.repeat(301)), LIMITS)).toEqual([
      'src/a.ts has 301 lines',
    ]);
    expect(tooLong(one('src/a.ts', '// line\n'.repeat(300)), LIMITS)).toEqual([]);
  });

  describe('a function that is one exhaustive switch may be longer', () => {
    const CASES = [...Array(40).keys()]
      .map((n) => `    case 'a${n}':\n      return ${n};\n`)
      .join('');
    const END = '    default:\n      return isNone(step satisfies never);\n';
    const found = (body: string) =>
      tooLong(one('src/a.ts', `function f(step: Step) {\n${body}}\n`), LIMITS).length;
    const switched = (cases: string, end = END, over = 'step.do') =>
      `  switch (${over}) {\n${cases}${end}  }\n`;

    test('with constants before it', () => {
      expect(found(switched(CASES))).toBe(0);
      expect(found(`  const { state } = step;\n${switched(CASES)}`)).toBe(0);
      expect(found(switched(CASES, END, 'step'))).toBe(0);
    });

    test.each([
      ['its default takes what is left', switched(CASES, '    default:\n      return 0;\n')],
      ['its default proves it of something else', switched(CASES, END, 'state.kind')],
      ['it has no default', switched(CASES, '')],
      ['it sets nothing apart by name', switched(CASES.replace("'a1'", 'isLate(step)'), END)],
      [
        'one of its cases is long',
        switched(`${CASES}    case 'b':\n${'      act();\n'.repeat(12)}`),
      ],
      ['something is done before it', `  prepare();\n${switched(CASES)}`],
      ['something is done behind it', `${switched(CASES)}  done();\n`],
    ])('not where %s', (_what, body) => {
      expect(found(body)).toBe(1);
    });
  });
});
