import { describe, expect, it } from 'vitest';
import { readCodeBlock, readNamedBlocks } from '../../../src/llm/tool-modes/code-block.ts';

const F = '```';
/** A file that holds a fence, in a longer one. */
const NESTED = `def f():\n    """Use:\n\n${F}\nf()\n${F}\n    """\n    return 1\n`;

describe('the content of a file in a reply', () => {
  it.each([
    ['one fenced block', `${F}js\na = 1\n${F}`, 'a.js', 'a = 1\n'],
    ['words around the block', `Here:\n${F}\na = 1\n${F}\nDone.`, 'a.js', 'a = 1\n'],
    ['the longest of several', `${F}\nx\n${F}\nand\n${F}\nlong = 1\n${F}`, 'a.js', 'long = 1\n'],
    ['the longest of many', `${`${F}\n`.repeat(200_000)}${F}\nx\n${F}`, 'a.js', 'x\n'],
    ['a fence of tildes', '~~~\na = 1\n~~~', 'a.js', 'a = 1\n'],
    ['shorter fences inside', `\`\`${F}python\n${NESTED}\`\`${F}\n`, 'a.py', NESTED],
    ['fences of backticks in one of tildes', `~~~\n${NESTED}~~~~`, 'a.py', NESTED],
    ['a fence with a label inside', `${F}js\na\n${F}sh b\n${F}`, 'a.js', `a\n${F}sh b\n`],
    [
      'Markdown in a longer fence, and a block behind it',
      `\`${F}md\n# Use\n${F}\nrun\n${F}\n\`${F}\nThen:\n${F}sh\nls\n${F}`,
      'README.md',
      `# Use\n${F}\nrun\n${F}\n`,
    ],
    ['a block that is not closed', `${F}py\na = 1\nb = 2`, 'a.py', 'a = 1\nb = 2\n'],
    ['Windows line ends', `${F}py\r\na = 1\r\nb = 2\r\n${F}\r\n`, 'a.py', 'a = 1\nb = 2\n'],
    ['one end of line at the end', `${F}\na = 1\n\n\n${F}`, 'a.py', 'a = 1\n'],
    [
      'Markdown that holds fences itself',
      `${F}markdown\n# Use\n${F}sh\nrun\n${F}\nEnd\n${F}`,
      'README.md',
      `# Use\n${F}sh\nrun\n${F}\nEnd\n`,
    ],
  ])('%s', (_what, reply, file, code) => {
    expect(readCodeBlock(reply, file)).toMatchObject({ kind: 'code', code });
  });

  it.each([
    ['an empty reply', ''],
    ['a sentence', 'I cannot write that file.'],
    ['code without a fence', 'a = 1\nprint(a)'],
    ['an empty block', `${F}py\n\n${F}`],
  ])('is missing in %s', (_, reply) => {
    const block = readCodeBlock(reply, 'a.py');
    expect(block.kind).toBe('none');
    expect(block.kind === 'none' && block.error).toMatch(/code block/);
  });
});

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
