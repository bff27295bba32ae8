// Which modules a start uses before its first request: the program is started as people start it, against a server that
// answers what is asked before that. Whatever comes out, every module is somewhere: only the time of a start depends on it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const MANY = Object.fromEntries(
  [...Array(300).keys()].map((at) => [`src/part/file${at}.txt`, `${at}\n`]),
);
const PROJECT = {
  '.tardigrade.json': '{"effort":"low"}',
  'AGENTS.md': '# Rules\n\nBe short.\n',
  '.gitignore': '*.log\n',
};
const GOAL = 'Write hello.txt with hello in it';
const STARTS = [
  { args: [GOAL], files: {} },
  { args: [GOAL], files: { ...PROJECT, 'a.txt': 'a\n' } },
  // It names no file, so that it is planned first.
  { args: ['Write a hello world script'], files: { ...PROJECT, ...MANY } },
  { args: ['--exec', 'Say hello'], files: {} },
];
/** Models that are led differently. */
const CAPABILITIES = ['completion', 'completion tools'];
const MAX_MS = 60_000;

/** Runs in a process of its own. Its arguments: where the names go, what the model can, and what is typed. */
const DRIVER = `
const { createServer } = require('node:http');
const { writeFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const [out, capabilities, ...argv] = process.argv.slice(2);
const program = require('./program/start.cjs');
const details = { family: 'qwen2', parameter_size: '1.5B' };
const ANSWERS = {
  '/api/tags': { models: [{ name: 'a:1b', model: 'a:1b', details }] },
  '/api/show': { details, model_info: { 'general.architecture': 'qwen2', 'qwen2.context_length': 32768 }, capabilities: capabilities.split(' ') },
};
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url === '/api/chat') {
      writeFileSync(out, program.loaded().join('\\n'));
      process.exit(0);
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(ANSWERS[request.url] ?? {}));
  });
});
server.listen(0, '127.0.0.1', () => {
  const host = 'http://127.0.0.1:' + server.address().port;
  void program.start([...argv, '--host', host], '0.0.0', pathToFileURL(__filename).href, () => {});
});
`;

/** Names of modules; `null` where no start could be tried. @param texts of the program, by name below \`program\` */
export function firstModules(texts) {
  const folder = mkdtempSync(join(tmpdir(), 'tardigrade-build-'));
  try {
    mkdirSync(join(folder, 'program'));
    for (const [name, text] of texts) writeFileSync(join(folder, 'program', name), text);
    const driver = join(folder, 'driver.cjs');
    writeFileSync(driver, DRIVER);
    const all = CAPABILITIES.flatMap((can) => STARTS.map((start) => ({ ...start, can })));
    const names = all.flatMap(({ args, files, can }, at) => {
      const [workspace, out] = [join(folder, `work${at}`), join(folder, `names${at}`)];
      mkdirSync(workspace);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(workspace, name)), { recursive: true });
        writeFileSync(join(workspace, name), text);
      }
      const own = Object.fromEntries(
        [
          'HOME',
          'USERPROFILE',
          'APPDATA',
          'LOCALAPPDATA',
          'XDG_CACHE_HOME',
          'XDG_CONFIG_HOME',
          'XDG_DATA_HOME',
          'XDG_STATE_HOME',
        ].map((name) => [name, join(folder, `home${at}`)]),
      );
      const { PATH, Path, SystemRoot, TEMP, TMPDIR } = process.env;
      const env = { PATH, Path, SystemRoot, TEMP, TMPDIR, ...own };
      spawnSync(process.execPath, [driver, out, can, ...args, '--workspace', workspace], {
        env,
        cwd: workspace,
        stdio: 'ignore',
        timeout: MAX_MS,
      });
      return readFileSync(out, 'utf8').split('\n');
    });
    return new Set(names);
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
