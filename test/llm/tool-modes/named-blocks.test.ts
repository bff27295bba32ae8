import { describe, expect, it } from 'vitest';
import { readNamedBlocks } from '../../../src/llm/tool-modes/named-blocks.ts';

const isName = (line: string): boolean => /^\S+\.\w+$/.test(line);
const read = (...lines: readonly string[]) => readNamedBlocks(lines.join('\n'), isName);

describe('files out of one answer', () => {
  it.each([
    ['a line of its own', 'a.py'],
    ['a heading', '### a.py'],
    ['marks and a colon', '**`a.py`**:'],
  ])('are named by %s', (_what, line) => {
    expect(read(line, '```python', 'x = 1', '```').blocks).toEqual([
      { name: 'a.py', code: 'x = 1\n' },
    ]);
  });

  it('are named by the fence itself, or before an empty line', () => {
    const { blocks } = read('```a.py', 'x = 1', '```', 'b.js', '', '```js', 'y', '```');
    expect(blocks.map(({ name }) => name)).toEqual(['a.py', 'b.js']);
  });

  it('are as many as there are, and what has no name is passed over', () => {
    const answer = read('Run it:', '```sh', 'ls', '```', 'a.py', '```', 'x', '```');
    expect(answer).toEqual({
      blocks: [{ name: 'a.py', code: 'x\n' }],
      isInBlock: false,
      hasFence: true,
    });
  });

  it('may hold fences where they are text with fences', () => {
    const { blocks } = read(
      ...['README.md', '```', '# Use', '```sh', 'ls', '```', 'It lists.', '```'],
      ...['a.py', '```', 'x', '```'],
    );
    expect(blocks).toEqual([
      { name: 'README.md', code: '# Use\n```sh\nls\n```\nIt lists.\n' },
      { name: 'a.py', code: 'x\n' },
    ]);
  });

  it('end where a fence of the same kind and length does, not at a fence in their text', () => {
    const text = ['"""Use:', '```', 'f()', '```', '~~~~~', '"""'];
    const { blocks } = read('a.py', '`````python', ...text, '`````', 'b.py', '~~~', 'x', '~~~~');
    expect(blocks).toEqual([
      { name: 'a.py', code: `${text.join('\n')}\n` },
      { name: 'b.py', code: 'x\n' },
    ]);
  });

  it('are found however long a line is, and however many blocks there are', () => {
    const long = `x${'*'.repeat(300_000)}y`;
    const { blocks } = read(
      long,
      '```',
      'x',
      '```',
      '```\n'.repeat(100_000),
      ...['a.py', '```', 'x', '```'],
    );
    expect(blocks).toEqual([{ name: 'a.py', code: 'x\n' }]);
  });

  it('are open where a block has no end', () => {
    expect(read('a.py', '```', 'x').isInBlock).toBe(true);
    expect(read('It is 5.')).toEqual({ blocks: [], isInBlock: false, hasFence: false });
  });
});
