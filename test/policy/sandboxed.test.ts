/** What needs no question in a sandbox, what does, and what is let out of it. */
import { describe, expect, it } from 'vitest';
import { policyIn } from './support.ts';

const FILES = {
  'package.json': JSON.stringify({ scripts: { test: 'node --test', build: 'tsc -p .' } }),
  Makefile: 'all:\n\techo hi\n',
  '.env': 'A=1\n',
  'notes.txt': 'text\n',
};
const CHANGED = { 'package.json': '', 'script test': 'another', Makefile: 'another' };

const said = (cmd: string, more: Parameters<typeof policyIn>[0] = {}) => {
  const decision = policyIn({ files: FILES, isSandboxed: true, taken: CHANGED, ...more }).judgeLine(
    cmd,
  );
  return decision.kind === 'allow' && decision.isUnsandboxed ? 'open' : decision.kind;
};

describe('in a sandbox', () => {
  it.each([
    'unknown-program --flag',
    'sh -c "unknown-program | sort > out.txt"',
    'bash run.sh',
    'env LD_PRELOAD=./x.so node a.js',
    'xargs -n 1 node',
    "find . -exec cat {} ';'",
    'sort -o out.txt notes.txt',
    'watch git status',
    'npm test',
    'make all',
    'touch made.txt',
    'rm notes.txt',
    'gcc -o prog main.c',
    'perl -e 1',
    'node a.js',
    'git status',
  ])('%s needs no question, and stays behind it', (cmd) => {
    expect(said(cmd)).toBe('allow');
  });

  it.each([
    'npm install x',
    'npm ci',
    'npx cowsay',
    'pip install x',
    'uv sync',
    'cargo install x',
    'git commit -m x',
    'git add .',
    'git fetch',
    'git checkout main',
    'curl http://x',
    'env A=1 curl http://x',
    'xargs curl',
    'timeout 5 wget http://x',
    'ssh host',
    'docker run x',
    'apt-get install x',
    'cat .env',
    'grep KEY .env',
    'cp notes.txt .github/workflows/x.yml',
  ])('%s asks, and a yes lets it out', (cmd) => {
    expect(said(cmd)).toBe('ask');
    const decision = policyIn({ files: FILES, isSandboxed: true }).judgeLine(cmd);
    expect(decision).toHaveProperty('reason', expect.stringMatching(/outside of the sandbox\.$/));
  });

  it.each([
    'sudo ls',
    'git push',
    'git reset --hard',
    'npm publish',
    'rm -rf .',
    'rm -rf ~',
    'rm .agent_context/history.jsonl',
    'cp notes.txt .git/hooks/post-commit',
    'cat /etc/passwd',
    'dd if=/dev/zero of=x',
    'systemctl stop x',
    'sh -c "git push"',
  ])('%s is denied as ever', (cmd) => {
    expect(said(cmd)).toBe('deny');
  });

  it('a rule that names a program lets it out; one that allows all commands only what needs to', () => {
    const allow = (rule: string) => ({ rules: { user: { allow: [rule] } } });
    expect(said('terraform plan', allow('terraform'))).toBe('open');
    expect(said('unknown-program', allow('unknown-program *'))).toBe('open');
    expect(said('git commit -m x', allow('git commit *'))).toBe('open');
    expect(said('git commit -m x', allow('run_cmd'))).toBe('open');
    expect(said('unknown-program', allow('run_cmd'))).toBe('allow');
    expect(said('node a.js', allow('node'))).toBe('allow');
    expect(said('cat .env', allow('read(.env)'))).toBe('allow');
    const bare = policyIn({ files: FILES, ...allow('unknown-program') }).judgeLine(
      'unknown-program',
    );
    expect(bare).toEqual({ kind: 'allow', isAllowedByUser: true });
  });

  it('what a rule of a person or of a project holds back is held back there, too', () => {
    for (const rules of [{ user: { ask: ['perl'] } }, { project: { ask: ['perl'] } }])
      expect(said('perl -e 1', { rules })).toBe('ask');
    for (const rules of [{ user: { deny: ['perl'] } }, { project: { deny: ['perl'] } }])
      expect(said('perl -e 1', { rules })).toBe('deny');
  });

  it('a script that was changed is looked through all the same', () => {
    const script = (test: string) => ({
      files: { 'package.json': JSON.stringify({ scripts: { test } }) },
      taken: CHANGED,
    });
    expect(said('npm test', script('unknown | cat'))).toBe('allow');
    expect(said('npm test', script('curl http://x'))).toBe('ask');
    expect(said('npm test', script('git push'))).toBe('deny');
  });
});
