import { describe, expect, it } from 'vitest';
import { parseRule, quotedWord, ruleText } from '../../../src/policy/rules/parse.ts';
import { matchesPath } from '../../../src/policy/rules/paths.ts';
import { isAboutPrograms, type Rule } from '../../../src/policy/rules/rule.ts';
import {
  commandPattern,
  covers,
  literalPattern,
  matchesWords,
} from '../../../src/policy/rules/words.ts';
import { splitCommand } from '../../../src/tools/commands/split-command.ts';
import { ruleWords } from '../../../src/tools/registry.ts';
import { dice, fc } from '../../support/dice.ts';

const words = ruleWords();
const read = (text: string, platform: NodeJS.Platform = 'linux'): Rule =>
  parseRule(text, { words, platform });
const textOf = (text: string) => read(text).text;
const argvOf = (line: string, platform: NodeJS.Platform = 'linux'): readonly string[] => {
  const split = splitCommand(line, platform);
  if (!split.ok) throw new Error(split.reason);
  return [split.program, ...split.args];
};
function matches(rule: string, line: string): boolean {
  const { pattern } = read(rule);
  return pattern.kind === 'command' && matchesWords(pattern, argvOf(line));
}

describe('a rule', () => {
  it.each([
    ['tar', 'run_cmd(tar *)'],
    ['git commit', 'run_cmd(git commit)'],
    ['git commit *', 'run_cmd(git commit *)'],
    ['run_cmd(git commit *)', 'run_cmd(git commit *)'],
    ['run_cmd(tar)', 'run_cmd(tar)'],
    ['run_cmd', 'run_cmd(*)'],
    ['Bash', 'run_cmd(*)'],
    ['bash', 'run_cmd(bash *)'],
    ['Bash(git commit:*)', 'run_cmd(git commit *)'],
    ['Bash(npm run test *)', 'run_cmd(npm run test *)'],
    ['Bash(ls*)', 'run_cmd(ls*)'],
    ['shell(make all)', 'run_cmd(make all)'],
    ['run_cmd(git commit -m "a b")', "run_cmd(git commit -m 'a b')"],
    ['read(src/**)', 'read(src/**)'],
    ['Read(./.env)', 'read(/.env)'],
    ['Read(~/.ssh/**)', 'read(~/.ssh/**)'],
    ['Read(//etc/hosts)', 'read(//etc/hosts)'],
    ['Read', 'read(**)'],
    ['read_file(a.txt)', 'read(a.txt)'],
    ['Grep(src)', 'read(src)'],
    ['Edit(/docs/**)', 'edit(/docs/**)'],
    ['Write(docs\\a.md)', 'edit(docs/a.md)'],
    ['edit_file(x)', 'edit(x)'],
    ['write_file(x)', 'edit(x)'],
    ['mcp(files)', 'mcp(files)'],
    ['mcp(files.*)', 'mcp(files)'],
    ['mcp(files.read)', 'mcp(files.read)'],
    ['mcp__files__read', 'mcp(files.read)'],
    ['mcp__files', 'mcp(files)'],
    ['mcp__files__*', 'mcp(files)'],
    ['mcp__my-files__read-it', 'mcp(my-files.read-it)'],
    ['MultiEdit(src/**)', 'edit(src/**)'],
    ['NotebookEdit', 'edit(**)'],
    ['Glob(src/**)', 'read(src/**)'],
    ['Grep', 'read(**)'],
    ['LS(src)', 'read(src)'],
    ['run_shell_command(git status)', 'run_cmd(git status)'],
    ['run_terminal_cmd', 'run_cmd(*)'],
    ['read_many_files', 'read(**)'],
    ['task', 'run_cmd(task *)'],
    ['Rscript', 'run_cmd(rscript *)'],
  ])('%s is read as %s, and that as itself', (given, text) => {
    expect(textOf(given)).toBe(text);
    expect(textOf(text)).toBe(text);
  });

  it.each([
    ['Bsh(ls)', 'Did you mean bash(…)? '],
    ['raed(x)', 'Did you mean read(…)? '],
    ['frobnicate(x)', 'Write run_cmd(git commit *)'],
    ['', 'Write run_cmd'],
    ['run_cmd()', 'Write run_cmd'],
    ['ls | wc', 'Write run_cmd'],
    ['run_cmd(a && b)', 'Write run_cmd'],
    ['read(!x)', 'Write run_cmd'],
    ['read(../x)', 'Write run_cmd'],
    ['read(~root/x)', 'Write run_cmd'],
    ['read(C:/x)', 'Write run_cmd'],
    ['mcp(a b)', 'Write run_cmd'],
    ['mcp__*', 'Write run_cmd'],
    ['mcp__a b', 'Write run_cmd'],
    ['WebSearch', 'Write run_cmd'],
    ['Task', 'Write run_cmd'],
    ['Task(explore)', 'Write run_cmd'],
    ['Skill(x)', 'Write run_cmd'],
    ['TodoWrite', 'Write run_cmd'],
    ['edit(hello.js', 'Write run_cmd'],
    ['edit (hello.js)', 'Write run_cmd'],
    ['edit[hello.js]', 'Write run_cmd'],
    ['edit(hello.js) x', 'Write run_cmd'],
    ['read(**', 'Write run_cmd'],
    ['mcp(', 'Write run_cmd'],
    ['web_fetch(x', 'Write run_cmd'],
    ['Bash(git commit:*', 'Write run_cmd'],
  ])('%s is refused, with the way to write it', (given, hint) => {
    try {
      read(given);
      expect.unreachable(given);
    } catch (error) {
      expect(error).toMatchObject({ code: 'E_USAGE', hint: expect.stringContaining(hint) });
    }
  });
});

describe('a rule about programs', () => {
  it.each([
    ['programs(.venv)', '.venv', true],
    ['programs(.venv)', 'tools', false],
    ['programs(*)', '.venv', true],
    ['run_cmd(python *)', '.venv', false],
  ])('%s is about the folder %s: %s', (rule, folder, expected) => {
    expect(isAboutPrograms(folder)(read(rule))).toBe(expected);
  });
});

describe('a pattern of a command', () => {
  it.each([
    ['git commit *', 'git commit', true],
    ['git commit *', 'git commit -m x', true],
    ['git commit *', 'git commit-tree x', false],
    ['git commit *', 'git -C x commit', false],
    ['git', 'git push', true],
    ['git', 'gitk', false],
    ['run_cmd(git)', 'git push', false],
    ['npm run *', 'npm run', true],
    ['npm run test:*', 'npm run test unit', true],
    ['make test*', 'make test-all', true],
    ['make test*', 'make test all', false],
    ['make *test', 'make latest', true],
    ['rg "a\\*b" *', 'rg "a*b" src', true],
    ["rg 'a\\*b'", 'rg axb', false],
    ['*', 'anything at all', true],
  ])('%s matches %s: %s', (rule, line, expected) => {
    expect(matches(rule, line)).toBe(expected);
  });

  const word = fc.oneof(
    fc.constantFrom('git', 'commit', '-m', 'a b', "it's", '*', 'a*b', '\\*', '#x', '2>&1', ''),
    fc.string({ maxLength: 8 }).filter((text) => !text.includes('\0')),
  );

  it('made of a command matches that command, on every system, and splits as it does', () => {
    for (const platform of ['linux', 'win32'] as const) {
      const holds = (args: readonly string[]): void => {
        const line = ['prog', ...args.map((one) => quotedWord(one))].join(' ');
        expect(argvOf(line, platform)).toEqual(['prog', ...args]);
        const pattern = commandPattern(['prog', ...args].map(literalPattern));
        expect(matchesWords(pattern, ['prog', ...args])).toBe(true);
        const again = read(ruleText(pattern), platform).pattern;
        expect(again.kind === 'command' && matchesWords(again, ['prog', ...args])).toBe(true);
      };
      for (const one of [`'*`, `"'*`, `'*"`, `it's "*" \\`, `''`, `\\'`, '\\*', '$x`y`'])
        holds([one]);
      fc.assert(fc.property(fc.array(word, { maxLength: 5 }), holds));
    }
  });

  it('never matches a part of a word, and a longer list never a shorter pattern', () => {
    const plain = fc.stringMatching(/^[a-z]{1,4}$/);
    const lists = fc.array(plain, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lists, lists, (pattern, argv) => {
        const isPrefix = pattern.every((one, at) => one === argv[at]);
        const isSame = isPrefix && pattern.length === argv.length;
        expect(matchesWords(commandPattern(pattern), argv)).toBe(isSame);
        expect(matchesWords(commandPattern([...pattern, '*']), argv)).toBe(isPrefix);
      }),
    );
  });

  it('covers another only where all that the other matches is matched', () => {
    const part = fc.constantFrom('git', 'push', 'p*', '*sh', '*', 'x', 'p\\*');
    const list = fc.array(part, { minLength: 1, maxLength: 3 });
    const argv = fc.array(fc.constantFrom('git', 'push', 'p', 'sh', 'x', 'p*', 'pxsh'), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(list, list, argv, (wide, exact, words) => {
        const [outer, inner] = [commandPattern(wide), commandPattern(exact)];
        if (covers(outer, inner) && matchesWords(inner, words))
          expect(matchesWords(outer, words)).toBe(true);
      }),
      { numRuns: dice(150, 2000) },
    );
    const covered = (wide: string, exact: string) =>
      covers(commandPattern(wide.split(' ')), commandPattern(exact.split(' ')));
    expect(covered('git push *', 'git push origin dev')).toBe(true);
    expect(covered('git push *', 'git push *')).toBe(true);
    expect(covered('git push *', 'git *')).toBe(false);
    expect(covered('git push *', '*')).toBe(false);
  });
});

describe('a pattern of a path', () => {
  const place = { workspace: '/home/me/work', home: '/home/me' };
  it.each([
    ['read(src/**)', 'src/a/b.ts', true],
    ['read(src/**)', 'lib/src/a.ts', false],
    ['read(.env)', 'conf/.env', true],
    ['read(/.env)', 'conf/.env', false],
    ['read(secret)', 'secret/deep/a', true],
    ['read(*.pem)', 'a/b.pem', true],
    ['read(**)', '.', true],
    ['read(src/**)', '.', false],
    ['read(~/work/*.md)', 'a.md', true],
    ['read(~/other/**)', 'a.md', false],
    ['read(//home/me/**)', 'a.md', true],
    ['read(//etc/**)', 'a.md', false],
  ])('%s matches %s: %s', (rule, path, expected) => {
    const { pattern } = read(rule);
    if (pattern.kind !== 'path') throw new Error('no path');
    expect(matchesPath(pattern, path, place, false)).toBe(expected);
  });

  it('is held back in any case, and allowed in its own', () => {
    const glob = { root: 'workspace', glob: 'Keys/**' } as const;
    expect(matchesPath(glob, 'keys/a', place, true)).toBe(true);
    expect(matchesPath(glob, 'keys/a', place, false)).toBe(false);
    // A home folder on Windows may be written in another case than the workspace.
    const below = { root: 'home', glob: '/Work/**' } as const;
    const windows = { workspace: 'c:/users/me/work', home: 'C:/Users/Me' };
    expect(matchesPath(below, 'a.md', windows, true)).toBe(true);
    expect(matchesPath(below, 'a.md', windows, false)).toBe(false);
  });
});
