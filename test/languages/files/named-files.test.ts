import { describe, expect, it } from 'vitest';
import { namedFiles } from '../../../src/languages/files/named-files.ts';

const THERE = ['LICENSE', 'Makefile', '.gitignore', 'src/tools', 'bin/start', '数据v2.csv'];
const named = (goal: string) => namedFiles(goal, (path) => THERE.includes(path));

describe('the words of a goal that mean a file', () => {
  it.each<[string, readonly string[]]>([
    ['Write hello.py', ['hello.py']],
    ['Create report.md from data.csv.', ['report.md', 'data.csv']],
    ['Fix the bug in src/parser.ts', ['src/parser.ts']],
    ['Fix the bug in `lib/store.mjs`, please', ['lib/store.mjs']],
    ['Write "notes of today.txt" with a line', ['today.txt']],
    ['Read ./input/names.txt and greet everybody', ['input/names.txt']],
    ['Change src\\app\\main.py so that it starts', ['src/app/main.py']],
    ["Sort names.txt's lines into sorted.txt", ['names.txt', 'sorted.txt']],
    ['Make the config config.yaml (see defaults.toml)', ['config.yaml', 'defaults.toml']],
    ['Rename old.txt to new.txt', ['old.txt', 'new.txt']],
    ['Delete temp.log', ['temp.log']],
    ['Convert people.json to people.xml', ['people.json', 'people.xml']],
    ['What does index.html show?', ['index.html']],
    ['Write tests for calc.py in test_calc.py', ['calc.py', 'test_calc.py']],
    ['Put all pages in docs/', ['docs/']],
    ['Write main.go and go.mod', ['main.go', 'go.mod']],
    ['Add a Makefile target', ['Makefile']],
    ['Add dist to .gitignore', ['.gitignore']],
    ['Correct the year in LICENSE', ['LICENSE']],
    ['List what is in src/tools', ['src/tools']],
    ['Explain bin/start', ['bin/start']],
    ['Schreibe übersicht.md über data.csv', ['übersicht.md', 'data.csv']],
    ['Write a.txt, b.txt and c.txt', ['a.txt', 'b.txt', 'c.txt']],
    ['Write out.json: the sums of in.csv', ['out.json', 'in.csv']],
    ['a.py must print what b.py printed; a.py only', ['a.py', 'b.py']],
    ['Write query.sql for the database app.sqlite', ['query.sql', 'app.sqlite']],
    ['Add a style sheet: main.css!', ['main.css']],
    ['Write App.tsx', ['App.tsx']],
    ['Write run.sh and run.bat', ['run.sh', 'run.bat']],
    ['Write src/config/index.js', ['src/config/index.js']],
    ['写一个report.md，内容来自data.csv。', ['report.md', 'data.csv']],
    ['请修改src/config.py中的端口', ['src/config.py']],
    ['把“names.txt”和sorted.txt合并', ['names.txt', 'sorted.txt']],
    ['add(a)のあるcalc.mjsとtest/数え.mjs', ['calc.mjs', 'test/数え.mjs']],
    ['data.csvを読んでtotal.mjsを書いて', ['data.csv', 'total.mjs']],
    ['请看https://example.com/data.json，写report.md', ['report.md']],
    ['config.py를 고쳐 주세요', ['config.py']],
    ['แก้ไขไฟล์app.pyให้ทำงาน', ['app.py']],
    ['اكتب ملف hello.py،وtest_hello.py', ['hello.py', 'test_hello.py']],
    ['读取数据v2.csv，写 报告.md', ['数据v2.csv', '报告.md']],
  ])('%s', (goal, files) => {
    expect(named(goal)).toEqual(files);
  });

  it.each([
    'Create a server with Node.js and Vue.js',
    'Use read/write locks and/or a queue',
    'Fetch https://example.com/data.json and show it',
    'Mail bob@example.md when it is done',
    'Upgrade to version 3.12 from v2.7.1',
    'Use json.loads() and console.log(x) for it',
    'Handle all *.txt and config?.yaml patterns',
    'Say e.g. hello, i.e. greet, at 10.30 a.m.',
    'Write a Makefilelike thing, a DOCKER image, CI/CD',
    'Print 1/2 + 3/4 = 5/4 as a fraction',
  ])('none in: %s', (goal) => {
    expect(named(goal)).toEqual([]);
  });

  it('are at most 40, each once', () => {
    const many = Array.from({ length: 60 }, (_, n) => `f${n}.txt f${n}.txt`).join(' ');
    expect(named(many)).toHaveLength(40);
  });
});
