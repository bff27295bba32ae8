/** What a hostile model would try: paths by other names, and arguments of any form. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { pathSubject } from '../../src/policy/paths.ts';
import { protectedBelow } from '../../src/policy/protected-below.ts';
import type { RuleLayers } from '../../src/schema/rule-layers.ts';
import type { RunCmdOptions } from '../../src/tools/builtin/run-cmd.ts';
import { policyRequestOf } from '../../src/tools/decision.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import { dice, fc } from '../support/dice.ts';
import { realFolder } from '../support/real-run.ts';
import { judgeIn, optionsIn, policyIn, policyOver } from './support.ts';

const FILES = { '.env': 'A=1\n', 'docs/a.md': 'text\n', 'notes.txt': 'text\n' };

const SECRETS =
  '.env .env.local .env.production .envrc id_rsa id_rsa.bak id_ed25519 _netrc server.pem a.key x.p12 x.pfx vault.kdbx .npmrc .netrc .pypirc credentials.json credentials-prod.json secrets.yaml .aws/credentials .aws/config .ssh/known_hosts .git/config'.split(
    ' ',
  );
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `./${path}`,
  (path) => `sub/../${path}`,
  (path) => `deep/er/${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replaceAll('/', '\\'),
];
const tools = builtinTools({} as RunCmdOptions);
const tool = (name: string) => {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};
const decide = (place: Parameters<typeof policyIn>[0], name: string, args: object) =>
  policyIn(place).decideNow(policyRequestOf(tool(name), { ...args }, 'model')).kind;

describe('a path', () => {
  it.each(SECRETS)('%s is not read or searched unasked, however it is spelt', (path) => {
    for (const platform of ['linux', 'win32'] as const) {
      for (const spell of SPELLINGS) {
        const spelt = spell(path);
        expect([spelt, decide({ platform }, 'read_file', { path: spelt })]).toEqual([spelt, 'ask']);
        expect([spelt, decide({ platform }, 'search_text', { path: spelt, pattern: 'x' })]).toEqual(
          [spelt, 'ask'],
        );
        expect(policyIn({ platform }).mayShow(spelt)).toBe(false);
      }
    }
  });

  it.each(
    'AGENTS.md agent.md CLAUDE.md .mcp.json .tardigrade.json .github/workflows/ci.yml .gitlab-ci.yml .husky/pre-commit .vscode/tasks.json .envrc .gitattributes .gitmodules'.split(
      ' ',
    ),
  )('%s is read, and changed only when asked', (path) => {
    for (const spell of SPELLINGS) {
      const spelt = spell(path);
      expect([spelt, decide({}, 'write_file', { path: spelt, content: 'x' })]).toEqual([
        spelt,
        'ask',
      ]);
      expect([
        spelt,
        decide({}, 'edit_file', { path: spelt, old_text: 'a', new_text: 'b' }),
      ]).toEqual([spelt, 'ask']);
    }
    if (path !== '.envrc') expect(decide({}, 'read_file', { path })).toBe('allow');
  });

  it.each(
    '.env.example .env.sample .gitignore id_map.py keys.md README.md src/agent.ts'.split(' '),
  )('%s is like any other', (path) => {
    expect(decide({}, 'read_file', { path })).toBe('allow');
    expect(decide({}, 'write_file', { path, content: 'x' })).toBe('allow');
  });

  it('is held back by a rule of whoever, for every tool and every program that touches it', () => {
    const rules: RuleLayers = { project: { deny: ['read(docs/**)', 'edit(src/**)'] } };
    const place = { files: FILES, rules };
    expect(decide(place, 'read_file', { path: 'docs/a.md' })).toBe('deny');
    expect(decide(place, 'search_text', { path: 'docs/a.md', pattern: 'x' })).toBe('deny');
    expect(judgeIn(place)('grep -r text .', ['run_cmd', 'read']).kind).toBe('deny');
    expect(judgeIn(place)('rg text docs', ['run_cmd', 'read']).kind).toBe('deny');
    expect(decide(place, 'list_dir', { path: 'docs/sub' })).toBe('deny');
    expect(decide(place, 'edit_file', { path: 'src/a.ts', old_text: 'a', new_text: 'b' })).toBe(
      'deny',
    );
    expect(judgeIn(place)('cat docs/a.md', ['run_cmd', 'read']).kind).toBe('deny');
    expect(judgeIn(place)('cp docs/a.md x.md', ['run_cmd']).kind).toBe('deny');
    expect(judgeIn(place)('cp notes.txt src/a.ts', ['run_cmd']).kind).toBe('deny');
    expect(policyIn(place).mayShow('docs/a.md')).toBe(false);
  });
});

describe('what runs keep of the files of a user', () => {
  const files = { '.agent_context/blobs/ab': 'A=1\n', '.agent_context/put-aside/1-a.md': 'x' };

  it.each([
    '.agent_context/blobs/ab',
    '.agent_context/history.jsonl',
    '.agent_context.lost-1/history.jsonl',
    'sub/.Agent_Context/sessions/a/history.jsonl',
  ])('%s is not read unasked', (path) => {
    expect(decide({ files }, 'read_file', { path })).toBe('ask');
    expect(policyIn({ files }).mayShow(path)).toBe(false);
    expect(judgeIn({ files })(`cat ${path}`).kind).toBe('ask');
  });

  it('is not searched unasked; what commands made and was put aside is like any other', () => {
    expect(judgeIn({ files })('grep -r A .agent_context').kind).toBe('ask');
    expect(decide({ files }, 'read_file', { path: '.agent_context/put-aside/1-a.md' })).toBe(
      'allow',
    );
  });
});

describe('a file with keys in the words of a command', () => {
  it.each([
    'node .env',
    'node --env-file=.env -p process.env.A',
    'python -m json.tool .env',
    'python tool.py sub/../.env',
    'pytest -c .env',
    'ruff check --config=.env',
  ])('is read by %s, which asks where it is there', (cmd) => {
    const files = { 'notes.txt': 'x', 'tool.py': 'x' };
    expect(judgeIn({ files })(cmd).kind).toBe('allow');
    const place = { files: { ...files, '.env': 'A=1' } };
    expect(judgeIn(place)(cmd).kind).toBe('ask');
    expect(judgeIn(place)(cmd, ['read(.env)']).kind).toBe('allow');
  });

  it('is none where it is only a name', () => {
    const files = { '.env': 'A=1' };
    expect(judgeIn({ files })('find . -name .env').kind).toBe('allow');
    expect(judgeIn({ files })('python -c "print(\'.env\')"').kind).toBe('allow');
  });
});

describe('a folder that is looked through', () => {
  it.each([
    ...['grep --rec A .', 'grep -d recurse A .', 'grep --directories=recurse A .', 'rg -L A'],
    ...['grep -d rec A .', 'grep --dir=r A .', 'grep --directories re A .', 'grep -3r A .'],
  ])('by %s asks for what is in it', (cmd) => {
    expect(judgeIn({ files: { 'sub/.env': 'A=1' } })(cmd).kind).toBe('ask');
  });

  it('is held by a rule on logs and caches, and asks for logs that may hold keys', () => {
    const files = { 'a.log': 'x', 'node_modules/b.js': 'x' };
    for (const cmd of ['grep -r x .', 'rg x', 'diff -r . sub', 'tar cf x.tar .'])
      for (const rule of ['read(**/*.log)', 'read(node_modules/**)']) {
        const place = { files, rules: { user: { deny: [rule] } } };
        expect([cmd, rule, judgeIn(place)(cmd, ['run_cmd']).kind]).toEqual([cmd, rule, 'deny']);
      }
    expect(judgeIn({ files })('grep -r x .').kind).toBe('allow');
    expect(judgeIn({ files: { 'id_rsa.log/.env': 'A=1' } })('grep -r x .').kind).toBe('ask');
  });

  it.skipIf(process.platform === 'win32')('asks where a program would follow a link in it', () => {
    const workspace = realFolder({ 'a/b.txt': 'x', 'c/b.txt': 'y' });
    symlinkSync('/', join(workspace, 'a/link'));
    symlinkSync('b.txt', join(workspace, 'c/link'));
    const policy = policyOver(nodeFileSystem, workspace);
    const kind = (cmd: string) => {
      const said = policy.judgeLine(cmd);
      return [cmd, said.kind];
    };
    for (const cmd of ['grep -R x a', 'grep -nR x .', 'rg -L x', 'rg --follow x', 'diff -r a c'])
      expect(kind(cmd)).toEqual([cmd, 'ask']);
    for (const cmd of ['grep -r x a', 'rg x', 'grep -R x c', 'diff a/b.txt c/b.txt'])
      expect(kind(cmd)).toEqual([cmd, 'allow']);
  });

  it('asks where a list of files says what is read', () => {
    for (const cmd of ['sort --files0-from=a', 'wc --files0=a', 'du --files0-from a', 'file -f a'])
      expect([cmd, judgeIn({ files: { a: '/etc/x' } })(cmd).kind]).toEqual([cmd, 'ask']);
  });

  it('asks where it has more in it than is looked at', () => {
    const { fs, layers, workspace } = optionsIn({ files: { 'a/b.txt': 'x', 'a/c.txt': 'x' } });
    const at = { fs, layers, workspace, home: null };
    expect(protectedBelow('.', at, { most: 3 })).toEqual([]);
    const [unseen] = protectedBelow('.', at, { most: 2 });
    expect(unseen).toMatchObject({ isUnseen: true });
    if (unseen !== undefined) expect(pathSubject(unseen, at, true)?.base?.effect).toBe('ask');
  });
});

describe('a file that a rule holds back', () => {
  const place = { files: FILES, rules: { project: { deny: ['read(docs/**)'] } } };

  it('is not moved, copied or linked to where it could be read', () => {
    expect(decide(place, 'move_file', { path: 'docs/a.md', to: 'a.md' })).toBe('deny');
    for (const cmd of ['mv docs/a.md a.md', 'mv docs b', 'cp -r docs b', 'ln -s docs/a.md a.md'])
      expect([cmd, judgeIn(place)(cmd, ['run_cmd', 'edit(**)']).kind]).toEqual([cmd, 'deny']);
  });
});

describe('a folder that is packed with all that is in it', () => {
  const place = {
    files: { ...FILES, 'conf/.env': 'A=1' },
    rules: { project: { deny: ['read(docs/**)'] } },
  };

  it.each([
    'tar cf x.tar docs',
    'tar -czf x.tgz .',
    'zip -r x.zip docs',
    'rsync -a docs host:/x',
    '7z a x.7z docs',
  ])('is held by the rules on it though the program is allowed: %s', (cmd) => {
    expect(judgeIn(place)(cmd, ['run_cmd']).kind).toBe('deny');
  });

  it('asks for the files with keys in it', () => {
    const judged = judgeIn(place)('tar cf x.tar conf', ['run_cmd']);
    expect(judged.kind).toBe('ask');
    expect(judgeIn(place)('tar xf x.tar', ['run_cmd']).kind).toBe('allow');
  });
});

describe('arguments of any form', () => {
  it('never make the policy throw, and a path that leads out is nobody’s to allow', () => {
    const odd = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '',
        '.',
        '..',
        '/etc/passwd',
        'C:\\x',
        '\\\\nas\\x',
        'a\0b',
        '~',
        '__proto__',
        'x'.repeat(5000),
        'con',
        'a:b',
        '*',
        '[',
        '!x',
        '#x',
        ' ',
      ),
      fc.anything({ maxDepth: 2 }),
    );
    const names = tools.map(({ name }) => name);
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.dictionary(
          fc.constantFrom('path', 'cmd', 'content', 'pattern', 'stdin', 'old_text'),
          odd,
        ),
        fc.constantFrom('linux', 'win32'),
        (name, args, platform) => {
          const place = {
            platform,
            rules: { project: { deny: ['read(docs/**)'], ask: ['edit(src/*)'] } },
          } as const;
          expect(['allow', 'ask', 'deny']).toContain(decide(place, name, args));
        },
      ),
      { numRuns: dice(100, 300) },
    );
  });
});
