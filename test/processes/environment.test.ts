import { expect, it } from 'vitest';
import { PROGRAMS } from '../../src/languages/commands/programs.ts';
import { childEnvironment } from '../../src/processes/environment.ts';
import { cleanSearchPath } from '../../src/processes/programs/search-path.ts';

const planted = {
  HOME: '/home/me',
  LANG: 'de_DE.UTF-8',
  LC_ALL: 'C',
  LC_SECRET_KEY: 'leak',
  ANTHROPIC_API_KEY: 'leak',
  OPENAI_API_KEY: 'leak',
  GITHUB_TOKEN: 'leak',
  AWS_SECRET_ACCESS_KEY: 'leak',
  NPM_TOKEN: 'leak',
  DATABASE_URL: 'postgres://me:leak@host/db',
  HTTPS_PROXY: 'http://me:leak@proxy:8080',
  HTTP_PROXY: 'http://proxy:8080',
  SSH_AUTH_SOCK: 'leak',
  NODE_OPTIONS: '--require leak',
  PYTHONPATH: 'leak',
  PYTHONSTARTUP: 'leak',
  LD_PRELOAD: 'leak',
  GIT_SSH_COMMAND: 'leak',
  PATH: 'leak',
};

it('passes on harmless names only, so a key in the shell never reaches a child', () => {
  const child = childEnvironment({
    known: PROGRAMS,
    env: planted,
    platform: 'linux',
    searchPath: ['/usr/bin', '/bin'],
  });
  expect(JSON.stringify(child)).not.toContain('leak');
  expect(child).toMatchObject({
    HOME: '/home/me',
    LANG: 'de_DE.UTF-8',
    LC_ALL: 'C',
    HTTP_PROXY: 'http://proxy:8080',
    PATH: '/usr/bin:/bin',
    TERM: 'dumb',
    PYTHONUTF8: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  });
});

it('sets nothing that makes tests of colours fail, and passes no wish of the shell for colours on', () => {
  const env = { NO_COLOR: '1', FORCE_COLOR: '1', CLICOLOR_FORCE: '1' };
  const child = childEnvironment({ known: PROGRAMS, env, platform: 'linux', searchPath: [] });
  expect(Object.keys(child).filter((name) => name.includes('COLOR'))).toEqual([]);
});

it('knows Windows names whatever their case, and gives PATH once', () => {
  const child = childEnvironment({
    known: PROGRAMS,
    env: {
      systemroot: 'C:\\Windows',
      PATH: 'leak',
      path: 'leak',
      Secret: 'leak',
      HOME: 'leak',
      APPDATA: 'C:\\a',
    },
    platform: 'win32',
    searchPath: ['C:\\py', 'C:\\git'],
    variables: { VIRTUAL_ENV: 'C:\\ws\\.venv' },
  });
  expect(JSON.stringify(child)).not.toContain('leak');
  expect(child.systemroot).toBe('C:\\Windows');
  expect(child.APPDATA).toBe('C:\\a');
  expect(child.VIRTUAL_ENV).toBe('C:\\ws\\.venv');
  expect(Object.entries(child).filter(([name]) => name.toLowerCase() === 'path')).toEqual([
    ['Path', 'C:\\py;C:\\git'],
  ]);
});

it('sets a UTF-8 locale where the user has none', () => {
  expect(
    childEnvironment({ known: PROGRAMS, env: {}, platform: 'linux', searchPath: [] }).LANG,
  ).toBe('C.UTF-8');
});

it('cleans PATH of relative, empty and workspace folders, also behind a link', () => {
  const links: Record<string, string> = { '/opt/link': '/ws/tools' };
  const kept = cleanSearchPath({
    path: '/usr/bin::.:bin:./x:/ws/bin:/ws:/opt/link:/usr/bin/:/usr/bin:/wsother:/bin/../ws/bin',
    workspace: '/ws',
    platform: 'linux',
    fs: { realpath: (path) => links[path] ?? path },
  });
  expect(kept).toEqual(['/usr/bin', '/wsother']);
});

it('cleans a Windows PATH without regard to case, and of folders that depend on the drive', () => {
  const kept = cleanSearchPath({
    path: 'C:\\Windows;"C:\\My Tools";c:\\WS\\bin;\\tools;C:tools;.;;\\\\nas\\bin',
    workspace: 'C:\\ws',
    platform: 'win32',
    fs: { realpath: (path) => path },
  });
  expect(kept).toEqual(['C:\\Windows', 'C:\\My Tools', '\\\\nas\\bin\\']);
});
