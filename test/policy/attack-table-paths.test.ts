/** Paths that a hostile model would try, each with what must become of it. */
import { describe, expect, it } from 'vitest';
import type { RunCmdOptions } from '../../src/tools/builtin/run-cmd.ts';
import { policyRequestOf } from '../../src/tools/decision.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import { judgePath, protectedFolder } from '../../src/workspace/path-rules.ts';
import { policyIn } from './support.ts';

const tools = builtinTools({} as RunCmdOptions);
const tool = (name: string) => {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

/** By its text alone: never looked at, never written, asked about, or like any other. */
function fateOf(path: string, does: 'read' | 'edit', platform: NodeJS.Platform): string {
  const verdict = judgePath(path);
  if (verdict.kind === 'refused') return 'refused';
  if (does === 'edit' && protectedFolder(verdict.segments) !== null) return 'refused';
  const [name, args] =
    does === 'read' ? ['read_file', { path }] : ['write_file', { path, content: 'x' }];
  return policyIn({ platform }).decideNow(
    policyRequestOf(tool(name as string), args as object as Record<string, unknown>, 'model'),
  ).kind;
}

const lines = (text: string): readonly string[] => text.trim().split(/\s*\n\s*/);

/** Wanted for reading, then for writing. */
const PATHS: readonly (readonly [wanted: string, paths: readonly string[]])[] = [
  [
    'refused refused',
    [
      ...lines(String.raw`
        /etc/passwd
        /
        //
        ///etc/passwd
        //server/share/x
        \\server\share\x
        \\?\C:\Windows\x
        \\.\PhysicalDrive0
        \\.\pipe\x
        \??\C:\x
        \Windows\System32
        C:\Windows\win.ini
        C:/Windows/win.ini
        c:win.ini
        Z:
        z:\
        ..
        ../
        ..\
        ../x
        ..\x
        ../../../../../../etc/shadow
        a/../../x
        a\..\..\x
        a/..\../x
        ./../x
        .//..//x
        a/b/c/../../../../x
        ./././../x
        ...
        ....
        a/...
        .../x
        ~
        ~/x
        ~\x
        ~/.ssh/id_rsa
        con
        CON
        Con.txt
        nul
        NUL.tar.gz
        prn.log
        aux
        com1
        COM9.txt
        lpt1
        sub/lpt9.dat
        conin$
        CONOUT$
        com¹
        lpt².x
        a:b
        file.txt:stream
        file.txt::$DATA
        .git::$INDEX_ALLOCATION
        sub:x/y
        x.
        x..
        dir./x
        dir ./x
        name.txt.
      `),
      'x ',
      'dir /x',
      '',
      ' ',
      '\t',
      'a\0b',
      'a\0/../../etc/passwd',
      'a\nb',
      'a\rb',
      'a\x1b[2Jb',
      'a\x7fb',
      'a\x85b',
      'a\ud800b',
      '\udfff',
      'a'.repeat(256),
      'ä'.repeat(130),
      'a/'.repeat(2100),
      `${'../'.repeat(50)}etc/passwd`,
      'nul .txt',
    ],
  ],
  [
    'ask refused',
    lines(String.raw`
      .git/config
      .git\config
      ./.git/config
      sub/../.git/HEAD
      .GIT/config
      .Git/hooks/x
      sub/.git/config
      deep/er/.git/objects/x
      .agent_context/history.jsonl
      .AGENT_CONTEXT/history.jsonl
      .agent_context\answers\x
      sub/.agent_context/x
      x/../.agent_context/state.json
      .agent_context.lost-1/history.jsonl
    `),
  ],
  [
    'allow refused',
    [
      ...lines(`
        .git
        .agent_context
        git~1/config
        GIT~1/hooks/x
        git~2/x
        gi7eba~1/x
        agent_~1/history.jsonl
        AGENT_~1/x
      `),
      '.g\u200cit/config',
      '.\u200dgit/hooks/x',
      '.gi\ufefft/x',
      '.agent\u200e_context/x',
    ],
  ],
  [
    'ask ask',
    lines(String.raw`
      .env
      .ENV
      ./.env
      .env.local
      .env.production.local
      sub/.env
      a/b/../.env
      .envrc
      id_rsa
      keys/id_ed25519
      id_ecdsa
      server.pem
      certs\server.key
      store.p12
      store.pfx
      vault.kdbx
      app.keystore
      app.jks
      mail.asc
      backup.gpg
      .npmrc
      .netrc
      .pypirc
      .pgpass
      .htpasswd
      credentials
      credentials.json
      credentials-prod.json
      secrets.yaml
      secret.toml
      .aws/credentials
      .aws/config
      .ssh/known_hosts
      .ssh/config
      .gnupg/pubring.kbx
      .kube/config
      .docker/config.json
      home/me/.ssh/authorized_keys
    `),
  ],
  [
    'allow ask',
    lines(String.raw`
      AGENTS.md
      agents.md
      AGENT.md
      CLAUDE.md
      docs/CLAUDE.md
      GEMINI.md
      .cursorrules
      .cursor/rules/x.mdc
      .claude/settings.json
      .codex/config.toml
      .mcp.json
      sub/.mcp.json
      .tardigrade.json
      .github/workflows/ci.yml
      .GitHub/workflows/ci.yml
      .github\CODEOWNERS
      .gitlab-ci.yml
      .travis.yml
      .circleci/config.yml
      Jenkinsfile
      azure-pipelines.yml
      .husky/pre-commit
      .pre-commit-config.yaml
      .vscode/tasks.json
      .vscode/settings.json
      .idea/workspace.xml
      .devcontainer/devcontainer.json
      .gitattributes
      .gitmodules
      .gitconfig
      packages/a/.vscode/launch.json
    `),
  ],
  [
    'allow allow',
    [
      ...lines(String.raw`
        a.txt
        ./a.txt
        a//b/./c
        a/../b.txt
        src\main.py
        ..foo
        foo..bar
        .hidden
        .env.example
        .env.sample
        .gitignore
        .gitkeep
        id_map.py
        keys.md
        console.log
        null.txt
        auxiliary.md
        github/x.yml
        vscode/x.json
        context.md
        agent_context/x
        my.agent_context/x
        git/config
        tokens.ts
        secret-santa.md
        größe/日本.md
        -rf
        $HOME
        %USERPROFILE%
        *
        [a]
        !x
      `),
      '#x',
      'a b/c d.txt',
      '__proto__',
      'constructor',
    ],
  ],
];

describe('150 paths', () => {
  const rows = PATHS.flatMap(([wanted, paths]) => paths.map((path) => [path, wanted] as const));

  it('are 150, no two the same', () => {
    expect(new Set(rows.map(([path]) => path)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThanOrEqual(150);
  });

  it.each(['linux', 'darwin', 'win32'] as const)('end as they must on %s', (platform) => {
    for (const [path, wanted] of rows) {
      const fates = `${fateOf(path, 'read', platform)} ${fateOf(path, 'edit', platform)}`;
      expect([JSON.stringify(path).slice(0, 60), fates]).toEqual([
        JSON.stringify(path).slice(0, 60),
        wanted,
      ]);
    }
  });
});
