import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { isCache, isDataPath, isTestPath, languageOf } from '../../../src/languages/languages.ts';
import { environmentNotes } from '../../../src/languages/notes.ts';
import { testsThatRan } from '../../../src/languages/testing/test-output.ts';
import { type Folder, folderOf } from '../inspection-support.ts';
import { GO, skipped } from './go-here.ts';

const WITH_GO = new Set(['python3', 'pytest', 'node', 'go']);
const WITHOUT = new Set(['python3', 'pytest', 'node']);
const { runs } = languageOf('main.go');

describe('the files of Go', () => {
  it.each(['main.go', 'cmd/tool/main.go', 'a_test.go', 'go.mod', 'sub/go.sum'])('%s', (path) => {
    expect(languageOf(path).name).toBe('go');
  });

  it.each(['main.gox', 'go.txt', 'go', 'cargo.mod', 'a.mod'])('not %s', (path) => {
    expect(languageOf(path).name).toBe('text');
  });

  it('hold tests, data or code, and none is a cache', () => {
    expect(['a_test.go', 'calc/add_test.go'].every(isTestPath)).toBe(true);
    expect(['test_a.go', 'test.go', '_test.go', '_a_test.go', 'a_test.gox'].some(isTestPath)).toBe(
      false,
    );
    expect(['go.mod', 'go.sum'].every(isDataPath)).toBe(true);
    expect(isDataPath('main.go')).toBe(false);
    expect(['vendor', 'main.go', 'go.sum'].some(isCache)).toBe(false);
  });
});

describe('what runs them', () => {
  it('is go, where it is installed', () => {
    expect(runs?.run('main.go', WITH_GO)).toBe('go run main.go');
    expect(runs?.run('main.go', WITHOUT)).toBeNull();
    expect(runs?.run('main_test.go', WITH_GO)).toBeNull();
    expect(runs?.run('go.mod', WITH_GO)).toBeNull();
    const tests = { cmd: 'go test ./...' };
    expect(runs?.testRun(['calc/add_test.go'], WITH_GO)).toEqual(tests);
    expect(runs?.testRun(['calc/add_test.go'], WITHOUT)).toBeNull();
    expect(runs?.testRun(['main.go'], WITH_GO)).toBeNull();
  });

  it('is said to a goal that is about Go', () => {
    const notes = environmentNotes('Write it in golang', WITH_GO);
    expect(notes).toMatch(/^Go: .*go run NAME\.go.*go test \.\/\.\.\..*go\.mod/);
    expect(notes.length).toBeLessThan(480);
    expect(environmentNotes('Go through the files', WITH_GO)).toMatch(/^Python: /);
    expect(environmentNotes('Write it in golang', WITHOUT)).toBe(
      'Go is not installed here: its files can be written but not run. JavaScript can be run by: node NAME.mjs',
    );
  });

  it('is not offered to a goal that names another language, or none', () => {
    const goOnly = new Set(['go']);
    expect(environmentNotes('Write hello.py', goOnly)).toMatch(/not run\.$/);
    expect(environmentNotes('Write hello', new Set(['node', 'go']))).toMatch(/^JavaScript: /);
  });
});

describe.skipIf(GO === null)(
  `what the notes say, done with the go of this machine${skipped}`,
  () => {
    let folder: Folder | null = null;
    afterEach(() => {
      folder?.dispose();
      folder = null;
    });

    const MODULE = 'module calc\n\ngo 1.22\n';
    const MAIN =
      'package main\n\nimport "fmt"\n\nfunc Add(a, b int) int { return a + b }\n\nfunc main() { fmt.Println(Add(1, 2)) }\n';
    const TEST =
      'package main\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n';

    function go(cmd: string, files: { readonly [path: string]: string }) {
      folder ??= folderOf(files);
      const [, ...args] = cmd.split(' ');
      const ran = spawnSync(GO ?? '', args, {
        cwd: folder.deps.workspace,
        encoding: 'utf8',
        // Its compiler takes more memory and less time so; a fresh machine compiles all of Go's library here.
        env: { ...process.env, GOFLAGS: '', GOPROXY: 'off', GOGC: '400' },
      });
      return { code: ran.status, output: `${ran.stdout}${ran.stderr}` };
    }

    it('a program without a module is run by its file', () => {
      expect(go(runs?.run('main.go', WITH_GO) ?? '', { 'main.go': MAIN })).toEqual({
        code: 0,
        output: '3\n',
      });
    }, 120_000);

    it('tests are run where there is a go.mod, and only there', () => {
      const { cmd = '' } = runs?.testRun(['main_test.go'], WITH_GO) ?? {};
      const files = { 'main.go': MAIN, 'main_test.go': TEST };
      expect(go(cmd, files)).toMatchObject({ code: 1 });
      folder?.dispose();
      folder = null;
      const ran = go(cmd, { ...files, 'go.mod': MODULE });
      expect(ran.code).toBe(0);
      expect(ran.output).toMatch(/^ok\s+calc\s/);
      expect(testsThatRan(ran.output)).toBeNull();
      expect(testsThatRan(go('go test -run Nothing ./...', {}).output)).toBe('none');
    }, 120_000);
  },
);
