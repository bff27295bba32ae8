import { isAscii } from 'node:buffer';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { userDataFolder } from '../src/llm/embedded/installed.ts';
import { ggufFile } from './llm/embedded/fake-engine.ts';
import { COMPILED } from './support/compiled.ts';
import { startFakeOllama } from './support/fake-ollama.ts';
import { linksOf, pages } from './support/markdown.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

/** An installation of the packed package, made once and without a network. */
const home = mkdtempSync(join(tmpdir(), 'tardigrade-package-'));
const elsewhere = join(home, 'else where');
const installed = join(home, 'node_modules', 'tardigrade-agent');

beforeAll(async () => {
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  mkdirSync(elsewhere);
  // Packed on the way, as `npm pack` does; CI installs what that made. What is built stands in `dist` already.
  const quiet = ['--offline', '--no-audit', '--no-fund'];
  const install = ['install', '--install-links', ...quiet, process.cwd()];
  const { all } = await execa('npm', install, { cwd: home, all: true });
  said = all;
}, 120_000);

/** By npm, while it installed. */
let said = '';

afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The files of the program that a process has loaded by its end, by their names. */
function loadedIn(coverage: string): readonly string[] {
  const texts = filesBelow(coverage).map((file) => readFileSync(file, 'utf8'));
  return texts.flatMap((text) =>
    (JSON.parse(text).result as { url: string }[]).map(({ url }) => basename(url)),
  );
}

/** What a file of declarations takes from others: the files, and the names of packages. */
function declarationsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8').replace(/^ *\/?\*.*$/gm, '');
  const named = text.matchAll(/\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g);
  return [...named].map(([, , name = '']) =>
    name.startsWith('.')
      ? join(dirname(file), name.replace(/(?<!\.d)\.([cm]?)[jt]s$/, '.d.$1ts'))
      : name,
  );
}

/** Where this program keeps its data, seen from a home that all variables name. */
const dataFolderIn = (own: string): string =>
  relative(own, userDataFolder({ XDG_DATA_HOME: own, LOCALAPPDATA: own }, process.platform, own));

/** Whether a range as packages write them has room for this version, or a later one of its line. */
function takes(range: string, [major = 0, minor = 0]: readonly number[]): boolean {
  return range.split('||').some((part) => {
    const [, sign = '', first = '', second = '0'] =
      /^\s*(>=|\^|~|)\s*v?(\d+|\*)(?:\.(\d+))?/.exec(part) ?? [];
    if (first === '*') return true;
    const isLater = sign === '>=' && major > Number(first);
    return isLater || (major === Number(first) && minor >= Number(second));
  });
}

describe('the packed package', () => {
  test('says nothing on a console in the words of the packages in it', () => {
    const files = filesBelow(join(installed, 'dist')).filter((file) => /\.c?js$/.test(file));
    const speaks = /\bconsole\.(?:warn|error|info|debug)\(/;
    expect(files.filter((file) => speaks.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  test('gives its schemas to programs by name', () => {
    const load = createRequire(join(home, 'program.js'));
    for (const name of ['config', 'events'])
      expect(load(`tardigrade-agent/${name}.schema.json`).$schema).toContain('json-schema.org');
  });

  test('brings no other package with it', () => {
    expect(manifest.dependencies).toBeUndefined();
    const packages = readdirSync(join(home, 'node_modules')).filter((name) => name[0] !== '.');
    expect(packages).toEqual(['tardigrade-agent']);
  });

  test('is installed without a warning: nothing in it runs, and nothing is to be allowed', () => {
    expect(said).not.toMatch(/warn/i);
    expect(said).toMatch(/added 1 package/);
  });

  test.each(['agent', 'tardigrade', 'tardigrade-agent'])(
    'runs as `%s` from another folder, and names itself so',
    async (name) => {
      const command = join(home, 'node_modules', '.bin', name);
      const file = join(installed, manifest.bin[name]);
      expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3);
      const isScript = process.platform === 'win32';
      if (!isScript) expect(realpathSync(command)).toBe(realpathSync(file));
      // Where npm makes a script and no link, the file alone says what was typed.
      const typed = name === 'agent' || isScript ? [command] : [process.execPath, file];
      const [program = '', ...args] = [...typed, 'resume'];
      // Of an npx that has started these tests.
      const env = { XDG_CACHE_HOME: COMPILED, npm_command: undefined };
      const end = await execa(program, args, { cwd: elsewhere, env, reject: false });
      const said = expect.stringContaining(`Start one: ${name} "goal"`);
      expect([end.exitCode, end.stderr]).toEqual([2, said]);
    },
  );

  test('plays its demo by npx, which resumes a killed run and repeats nothing, and what is to be typed then is npx too', async () => {
    const args = ['--no-install', 'tardigrade-agent', 'demo', '--clean'];
    // Nobody watches it.
    const env = { XDG_CACHE_HOME: COMPILED, TARDIGRADE_PACE_MS: '0' };
    const { all: screen } = await execa('npx', args, { cwd: home, env, all: true });
    expect(screen).toContain("The model's answers in this demo are recorded");
    expect(screen).toMatch(/was killed with SIGKILL[\s\S]*records from before the kill: all there/);
    expect(screen).toContain('The run is resumed: npx tardigrade-agent resume');
    expect(screen).toContain('Done in');
    expect(screen).toMatch(/run again: +nothing/);
    expect(screen).toMatch(/The same goal with a model of your own/);
  }, 60_000);

  test('brings its manual page', () => {
    expect(readFileSync(join(installed, manifest.man), 'utf8')).toContain('.TH AGENT 1');
  });

  test('runs by the name that its entry once had', async () => {
    const entry = join(installed, 'dist', 'bin.js');
    const version = await execa(process.execPath, [entry, '--version'], { cwd: elsewhere });
    expect(version.stdout).toBe(manifest.version);
    const wrong = await execa(process.execPath, [entry, 'status', '--no-such'], {
      cwd: elsewhere,
      reject: false,
    });
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('--no-such')]);
    if (process.platform !== 'win32') expect(statSync(entry).mode & 0o111).toBe(0o111);
  });

  test('reads its settings where there is a file of them, and carries their schema', async () => {
    const project = mkdtempSync(join(home, 'project-'));
    writeFileSync(join(project, '.tardigrade.json'), '{"effort": "low"}');
    const folders = { XDG_CONFIG_HOME: project, APPDATA: project, HOME: project };
    const env = { ...folders, XDG_CACHE_HOME: COMPILED };
    const agent = join(home, 'node_modules', '.bin', 'agent');
    const { stdout, stderr } = await execa(agent, ['config'], { cwd: project, env });
    expect(stdout).toMatch(/^effort\tlow\tproject /m);
    // A warning of Node's, say, about how a piece is loaded.
    expect(stderr).toMatch(/^You have no settings file yet; it would be .*\nThis project's: .*$/);
    const schema = JSON.parse(readFileSync(join(installed, 'dist', 'config.schema.json'), 'utf8'));
    expect(schema.properties).toHaveProperty('effort');
  });

  test('asks for its modules by the one name that no module has for itself', () => {
    const folder = join(installed, 'dist/program');
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const askers = texts.flatMap((text) =>
      [...text.replaceAll('\\\n', '').matchAll(/([\w$]+)\("[\w-]+:[\w/.-]+\.ts"\)/g)].map(
        ([, asker]) => asker,
      ),
    );
    expect(askers.length).toBeGreaterThan(500);
    expect([...new Set(askers)]).toEqual(['$need']);
  });

  test('reads the window in the head of a GGUF file', async () => {
    const own = mkdtempSync(join(home, 'models-'));
    const data = join(own, dataFolderIn(own));
    const engine = join(data, 'embedded/node_modules/node-llama-cpp/dist');
    mkdirSync(join(data, 'models'), { recursive: true });
    mkdirSync(engine, { recursive: true });
    writeFileSync(join(data, 'embedded/installed.json'), '{}');
    writeFileSync(join(engine, 'index.js'), '');
    const file = join(data, 'models', 'tiny.gguf');
    writeFileSync(file, ggufFile('qwen2', 32_768));
    const folders = { HOME: own, XDG_CONFIG_HOME: own, XDG_DATA_HOME: own };
    const env = {
      ...folders,
      XDG_CACHE_HOME: COMPILED,
      APPDATA: own,
      LOCALAPPDATA: own,
      OLLAMA_HOST: '127.0.0.1:9',
    };
    const agent = join(installed, 'dist', 'bin.cjs');
    const { stdout } = await execa(process.execPath, [agent, 'models', '--json'], {
      ...{ cwd: elsewhere, env, reject: false },
    });
    const { providers } = JSON.parse(stdout);
    const embedded = providers.find((one: { provider: string }) => one.provider === 'embedded');
    expect(embedded.models).toMatchObject([{ name: `embedded:${file}`, contextWindow: 32_768 }]);
  });

  test('loads nothing before the first request that only some runs need', async () => {
    const own = mkdtempSync(join(home, 'own-'));
    const coverage = join(own, 'coverage');
    const server = await startFakeOllama({
      script: () => ({ content: '', delayHeadersMs: 60_000 }),
    });
    const folders = {
      XDG_CONFIG_HOME: own,
      APPDATA: own,
      HOME: own,
      XDG_CACHE_HOME: own,
      LOCALAPPDATA: own,
    };
    const env = { ...folders, NODE_V8_COVERAGE: coverage, NODE_COMPILE_CACHE: '' };
    const workspace = mkdtempSync(join(home, 'project-'));
    const agent = join(installed, 'dist', 'bin.cjs');
    const args = [agent, 'Write a hello world script', '--host', server.url];
    const run = execa(process.execPath, args, { cwd: workspace, env, reject: false });
    await server.whenChat(1);
    run.kill('SIGINT');
    expect((await run).exitCode).toBe(130);
    await server.close();
    const loaded = loadedIn(coverage);
    expect(loaded).toContain('start.cjs');
    const some = ['settings', 'mcp', 'live-screen', 'diff', 'commands', 'converse'];
    some.push('anthropic-provider', 'openai-provider', 'recorded', 'record', 'undo-session');
    // Each is a file of its own, and none of them was read.
    const there = readdirSync(join(installed, 'dist', 'program'));
    // What the build saw no start use before that is in it.
    expect(there).toContain('work.cjs');
    const pieces = some.flatMap((name) => {
      const own = there.filter((file) => new RegExp(`^(?:[\\w-]+-)?${name}\\.cjs$`).test(file));
      expect(own, name).not.toEqual([]);
      return own;
    });
    expect(loaded.filter((file) => pieces.includes(file))).toEqual([]);
    // What measures text takes a tenth of a start; zod is for values that do not fit, which no missing file is.
    const all = readFileSync(join(installed, 'dist', 'program', 'start.cjs'), 'utf8');
    for (const rare of ['RGI_Emoji', 'ZodRealError']) expect(all).not.toContain(rare);
  });

  test('is of ASCII alone, which is read and compiled as it lies there', () => {
    const programs = filesBelow(join(installed, 'dist')).filter((file) => /\.c?js$/.test(file));
    const others = programs.filter((file) => !isAscii(readFileSync(file)));
    expect(others.map((file) => basename(file))).toEqual([]);
  });

  test('reads the schemas of servers in their own room: it takes all of zod', () => {
    const programs = filesBelow(join(installed, 'dist')).filter((file) => /\.c?js$/.test(file));
    const reading = programs.filter((file) =>
      readFileSync(file, 'utf8').includes('fromJSONSchema'),
    );
    expect(reading.map((file) => basename(file))).toEqual(['mcp.cjs']);
  });

  test('what programs of other designs import loads nothing a second time, and runs', async () => {
    const script = `import { memoryWorkspace, playedProvider, status } from 'tardigrade-agent';
      import * as compat from 'tardigrade-agent/compat';
      const { machine } = memoryWorkspace();
      const provider = playedProvider([{ text: 'Hello.' }]);
      const given = { providers: [provider], models: ['played'], userPrompt: 'Hi', machine };
      const { conversation } = await compat.AIAgent.create(given).run();
      console.log(Object.keys(compat).length, typeof status, conversation.at(-1).content);`;
    writeFileSync(join(home, 'compat.mjs'), script);
    const coverage = mkdtempSync(join(home, 'coverage-'));
    const { stdout } = await execa(process.execPath, ['compat.mjs'], {
      cwd: home,
      env: { NODE_V8_COVERAGE: coverage },
    });
    expect(stdout).toBe('9 function Hello.');
    const shared = readFileSync(join(installed, 'dist/compat.js'), 'utf8');
    expect(shared).toMatch(/from"\.\/library\.js"/);
    const [own, whole] = ['compat', 'library'].map(
      (name) => statSync(join(installed, `dist/${name}.js`)).size,
    );
    expect(own).toBeLessThan((whole ?? 0) / 20);
    expect(loadedIn(coverage).filter((name) => name === 'library.js')).toHaveLength(1);
  });

  test('can be imported as a library', async () => {
    const script = "import('tardigrade-agent').then((all) => console.log(Object.keys(all).join()))";
    const coverage = mkdtempSync(join(home, 'coverage-'));
    const env = { NODE_V8_COVERAGE: coverage };
    const { stdout } = await execa(process.execPath, ['-e', script], { cwd: home, env });
    expect(stdout.split(',')).toContain('runGoal');
    // To find, open and link many files takes a tenth of a start.
    const loaded = loadedIn(coverage).filter((file) => file.endsWith('.js'));
    expect(loaded.sort()).toEqual(['index.js', 'library.js']);
  });

  test('can be required from CommonJS, runs a goal there, and finds what it loads later, as for servers of tools', async () => {
    const dying = ['-e', 'console.error("no token"); process.exit(1)'];
    const script = `const { readdirSync } = require('node:fs');
      const { memoryWorkspace, playedProvider, runGoal } = require('tardigrade-agent');
      const given = () => ({ goal: 'g', provider: playedProvider([]), model: 'm' });
      const dying = { command: process.execPath, args: ${JSON.stringify(dying)}, required: true };
      (async () => {
        const { ending, why } = await runGoal({ ...memoryWorkspace(), ...given() });
        console.log(ending, why);
        await runGoal({ ...given(), workspace: '.', servers: { dying } })
          .catch(({ code, message }) => console.log(code, message));
        const chunks = new URL('chunks/', require('node:url').pathToFileURL(require.resolve('tardigrade-agent')));
        const names = readdirSync(chunks).filter((name) => name.endsWith('.js'));
        await Promise.all(names.map((name) => import(new URL(name, chunks))));
        console.log(names.length);
      })();`;
    const cwd = mkdtempSync(join(home, 'required-'));
    writeFileSync(join(cwd, 'required.cjs'), script);
    const { stdout } = await execa(process.execPath, ['required.cjs'], { cwd });
    const [ended, refused, pieces] = stdout.split('\n');
    expect(ended).toBe('paused provider_unavailable');
    expect(refused).toMatch(/^E_PROVIDER .*dying.*no token/);
    expect(Number(pieces)).toBeGreaterThan(5);
  });

  test('has types that are complete without any other package', async () => {
    const program =
      "import { runGoal } from 'tardigrade-agent';\nexport const run: typeof runGoal = 1;\n";
    const compat =
      "import { runAgent } from 'tardigrade-agent/compat';\nrunAgent satisfies string;\n";
    writeFileSync(join(home, 'program.ts'), program);
    writeFileSync(join(home, 'compat-types.ts'), compat);
    // That the declarations hold in themselves is for `npm run check:types` to show, on what they are made from.
    const flags = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext'];
    flags.push('--skipLibCheck');
    const tsc = [join(typescript, 'bin/tsc'), ...flags, '--target', 'es2023', '--lib', 'es2023'];
    // From CommonJS the same types are read.
    writeFileSync(join(home, 'common.cts'), program.replace('= 1', '= runGoal'));
    tsc.push('program.ts', 'common.cts', 'compat-types.ts');
    const types = ['--typeRoots', join(process.cwd(), 'node_modules/@types')];
    const { stdout } = await execa(process.execPath, [...tsc, ...types], {
      cwd: home,
      reject: false,
    });
    const asked = filesBelow(installed)
      .filter((file) => /\.d\.[cm]?ts$/.test(file))
      .flatMap((file) => declarationsOf(file));
    expect(asked.length).toBeGreaterThan(1000);
    expect(asked.filter((name) => !/^node:/.test(name) && !existsSync(name))).toEqual([]);
    // The two mistakes are found, which they would not be were anything of unknown type.
    expect(stdout.trim().split('\n').sort()).toEqual([
      expect.stringMatching(/^compat-types\.ts.*does not satisfy the expected type/),
      expect.stringMatching(/^program\.ts.*Type 'number' is not assignable to type '/),
    ]);
  });

  test('holds the bundle, its licences and the pages, with all that they link to, and nothing else', () => {
    expect(readdirSync(installed).sort()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'dist',
      'docs',
      'package.json',
    ]);
    const shipped = pages().filter(({ path }) => existsSync(join(installed, path)));
    const broken = shipped.flatMap((page) =>
      linksOf(page)
        .map((target) => join(dirname(page.path), target))
        .filter((target) => !existsSync(join(installed, target))),
    );
    expect(shipped.length).toBeGreaterThan(15);
    expect(broken).toEqual([]);
    const licences = readFileSync(join(installed, 'dist/LICENSES.txt'), 'utf8');
    expect(licences).toMatch(/^zod \d+\.\d+\.\d+ \(MIT\)$/m);
  });

  test('carries no package that asks for a newer Node than we do', () => {
    const licences = readFileSync(join(installed, 'dist/LICENSES.txt'), 'utf8');
    const names = [...licences.matchAll(/^-{80}\n\n(\S+) \d+\.\d+\.\d/gm)].map(([, name]) => name);
    expect(names).toContain('string-width');
    const range = manifest.engines.node as string;
    const least = range.replace(/^>=/, '').split('.').map(Number);
    const asking = names.filter((name) => {
      const { engines } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
      return !takes(engines?.node ?? '*', least);
    });
    expect(asking).toEqual([]);
    expect([takes('^20.19 || >=22', least), takes('>=22', least)]).toEqual([true, false]);
  });

  test('names no folder of the machine it was built on', () => {
    const naming = filesBelow(installed).filter((file) =>
      readFileSync(file, 'utf8').includes(process.cwd()),
    );
    expect(naming).toEqual([]);
  });
});
