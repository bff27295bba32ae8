import { describe, expect, it } from 'vitest';
import { splitCommand } from '../../src/tools/commands/split-command.ts';

function argv(line: string, platform: NodeJS.Platform = 'linux'): readonly string[] {
  const split = splitCommand(line, platform);
  if (!split.ok) throw new Error(split.reason);
  return [split.program, ...split.args];
}

function refusal(line: string, platform: NodeJS.Platform = 'linux'): string {
  const split = splitCommand(line, platform);
  if (split.ok) throw new Error(`accepted: ${[split.program, ...split.args].join(' | ')}`);
  return `${split.reason} ${split.hint}`;
}

describe('splitting a command line', () => {
  const everywhere: readonly (readonly [string, readonly string[]])[] = [
    ['python hello.py', ['python', 'hello.py']],
    ['  python   hello.py\t-v  ', ['python', 'hello.py', '-v']],
    [`python -c 'print("a b")'`, ['python', '-c', 'print("a b")']],
    [`python -c "print('a; b | c && d > e')"`, ['python', '-c', "print('a; b | c && d > e')"]],
    [`python -c "print(\\"hi\\")"`, ['python', '-c', 'print("hi")']],
    ['python -c "a\nb"', ['python', '-c', 'a\nb']],
    [`python x.py "" ''`, ['python', 'x.py', '', '']],
    [`python x.py --name="a b"c`, ['python', 'x.py', '--name=a bc']],
    ['python "my file.py"', ['python', 'my file.py']],
    ['python src\\main.py', ['python', 'src\\main.py']],
    ['python x.py 2>&1', ['python', 'x.py']],
    ['python x.py # says hello', ['python', 'x.py']],
    ['python x.py a#b', ['python', 'x.py', 'a#b']],
    ['python ünï.py 日本', ['python', 'ünï.py', '日本']],
    ['pytest -k a=b', ['pytest', '-k', 'a=b']],
  ];
  for (const platform of ['linux', 'win32'] as const) {
    it.each(everywhere)(`reads %j the same on ${platform}`, (line, words) => {
      expect(argv(line, platform)).toEqual(words);
    });
  }

  it.each([
    ['python C:\\tools\\new.py', ['python', 'C:\\tools\\new.py']],
    ['python "C:\\my tools\\new.py"', ['python', 'C:\\my tools\\new.py']],
    ['python "\\\\server\\share\\x.py"', ['python', '\\\\server\\share\\x.py']],
    ['python "C:\\my tools\\" -v', ['python', 'C:\\my tools\\', '-v']],
    ['python C:\\tools\\ -v', ['python', 'C:\\tools\\', '-v']],
  ])('leaves the Windows path in %j alone', (line, words) => {
    expect(argv(line, 'win32')).toEqual(words);
  });

  it.each([
    ['python my\\ file.py', ['python', 'my file.py']],
    ['python -c "print(\'a\\\\nb\')"', ['python', '-c', "print('a\\nb')"]],
    ['echo a\\;b', ['echo', 'a;b']],
    ['python -c "print(\'a\\nb\')"', ['python', '-c', "print('a\\nb')"]],
  ])('follows POSIX backslashes in %j elsewhere', (line, words) => {
    expect(argv(line)).toEqual(words);
  });

  it.each([
    'a | b',
    'a && b',
    'a || b',
    'a; b',
    'a > f',
    'a >> f',
    'a < f',
    'a << E',
    'a & b',
    'a &',
  ])('refuses %j: one program at a time', (line) => {
    expect(refusal(line)).toContain('one program at a time');
  });

  it.each(['a `b`', 'a $(b)', 'a\nb', 'a|b', 'a x&&b'])('refuses the operator in %j', (line) => {
    expect(refusal(line)).toContain('needs a shell');
  });

  it('says how to feed input instead of piping it', () => {
    expect(refusal('echo "5 6" | python game.py')).toContain('stdin argument');
    expect(refusal('python game.py < moves.txt')).toContain('stdin argument');
    expect(refusal('python game.py <<EOF\n1\nEOF')).toContain('stdin argument');
  });

  it('says how to keep output', () => {
    expect(refusal('python a.py > out.txt')).toMatch(/Run the program alone.*write_file/);
    expect(refusal('python a.py 2>> err.txt')).toContain('use what it prints');
  });

  it('says how to leave a program running, where the tool offers it', () => {
    const hint = (mayStay: boolean): unknown => splitCommand('node x.mjs &', 'linux', mayStay);
    expect(hint(true)).toMatchObject({
      hint: 'Run the program with the argument background set to true to keep it running.',
    });
    expect(hint(false)).toMatchObject({ hint: expect.stringContaining('let it end') });
  });

  it('explains that a cd is not needed', () => {
    const line = 'cd app && python main.py';
    expect(refusal(line)).toContain('starts in the workspace folder, so cd is not needed');
    // The same model may give a folder.
    expect(splitCommand(line, 'linux', true)).toMatchObject({
      hint: expect.stringContaining('or in the folder that its cwd names'),
    });
  });

  it('refuses a variable in front of the program, but not inside quotes', () => {
    expect(refusal('PYTHONPATH=src pytest')).toContain('environment variable');
    expect(argv("'A=b' x")).toEqual(['A=b', 'x']);
  });

  it.each(['', '   ', "python 'x", 'python "x', '""', '# only a comment', 'a\0b'])(
    'refuses %j with a reason',
    (line) => {
      expect(refusal(line).length).toBeGreaterThan(20);
    },
  );

  it('names the words a shell would have expanded, and passes them as they are', () => {
    const split = splitCommand(`ruff check *.py ~/x '*.js' "$HOME" $HOME a[0].py`, 'linux');
    expect(split).toMatchObject({
      args: ['check', '*.py', '~/x', '*.js', '$HOME', '$HOME', 'a[0].py'],
      unexpanded: ['*.py', '~/x', '$HOME', 'a[0].py'],
    });
  });
});
