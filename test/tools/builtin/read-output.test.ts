import { describe, expect, it } from 'vitest';
import { readOutput } from '../../../src/tools/builtin/read-output.ts';
import { makeWorkspace, use } from '../support.ts';

const kept = (texts: { readonly [id: string]: string }, maxResultChars = 500) =>
  makeWorkspace(
    {},
    {
      maxResultChars,
      storedOutput: (wanted) => {
        const id = wanted ?? Object.keys(texts).at(-1) ?? '';
        const text = texts[id];
        return text === undefined ? null : { id, text };
      },
    },
  );

const LINES = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`);

describe('read_output', () => {
  it('shows as many lines as fit, and where it goes on, until all were seen', async () => {
    const workspace = kept({ '1.1#2#0': LINES.join('\n') });
    const seen: string[] = [];
    let from = 1;
    for (let calls = 0; calls < 20; calls += 1) {
      const { content, status } = await use(readOutput, workspace, { id: '1.1#2#0', from });
      expect(status).toBe('ok');
      expect(content.length).toBeLessThanOrEqual(500);
      const [heading = '', ...lines] = content.split('\n');
      seen.push(...lines);
      const next = /from (\d+) it goes on/.exec(heading);
      if (!next) break;
      from = Number(next[1]);
    }
    expect(seen).toEqual(LINES);
  });

  it('reads a line without an end in pieces', async () => {
    const workspace = kept({ a: 'x'.repeat(5000) }, 3000);
    expect((await use(readOutput, workspace, { from: 3 })).content).toBe(
      `[lines 3 to 3 of 3, a]\n${'x'.repeat(1000)}`,
    );
  });

  it('means the last one where none is named, and names it where another is', async () => {
    const workspace = kept({ a: 'one', b: 'two' });
    expect((await use(readOutput, workspace, {})).content).toContain('\ntwo');
    expect(await use(readOutput, workspace, { id: 'c' })).toMatchObject({
      status: 'error',
      content: 'There is no cut result "c". The last one is "b".',
    });
    expect((await use(readOutput, workspace, { from: 9 })).content).toBe('[b has 1 lines]');
  });

  it('says so where nothing was cut', async () => {
    const { content } = await use(readOutput, kept({}), { id: 'a' });
    expect(content).toBe('No result of this run was cut.');
  });
});
