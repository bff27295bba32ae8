import { afterEach, describe, expect, it } from 'vitest';
import { examineFile } from '../../../src/languages/files/examine-file.ts';
import { type Folder, folderOf, NO_PROGRAMS } from '../inspection-support.ts';
import { GOFMT, skipped } from './go-here.ts';

let folder: Folder | null = null;
afterEach(() => {
  folder?.dispose();
  folder = null;
});

function look(path: string, text: string, program: string | null = null) {
  const deps = program === null ? NO_PROGRAMS : { program: () => Promise.resolve(program) };
  folder = folderOf({ [path]: text }, deps);
  return examineFile(path, folder.deps);
}

const STACK = `// Package stack keeps numbers.
package stack

import (
	"errors"
	"fmt"
	r "math/rand/v2"
)

const Limit = 10

var (
	ErrEmpty = errors.New("empty: use fmt.Println \\" // no comment")
	hidden   = r.N(3)
)

type Stack[T any] struct {
	items []T
}

func New(size int, of func(int) int) *Stack[int] { return &Stack[int]{} }

func (s *Stack[T]) Push(item T) { s.items = append(s.items, item) }

func (s *Stack[T]) grow() { s.items = append(s.items, s.items...) }

func helper() string {
	return fmt.Sprint(\`
func inText() {}
\`)
}
`;

const GAME = `package main

import (
	"bufio"
	"fmt"
	"os"
)

func guess(secret, tried int) string {
	if secret == tried {
		return "right"
	}
	return "wrong"
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	fmt.Print("Your guess: ")
	in.Scan()
	fmt.Printf("And %s, again? \\n", in.Text())
	in.Scan()
	fmt.Println(guess(1, 2))
}
`;

const TEST = `package stack

import "testing"

func TestPush(t *testing.T) {
	if Limit != 10 {
		t.Errorf("Limit = %d", Limit)
	}
}
`;

const RIGHT: { readonly [path: string]: string } = {
  'stack.go': STACK,
  'game.go': GAME,
  'stack_test.go': TEST,
  'quiet.go': 'package quiet\n\nfunc noop() {}\n\ntype A interface{ Do() }\n\nfunc (q Q) Do() {}\n',
  'named.go': 'package a\n\nfunc A(fmt B) string { return fmt.Sprint(os.Name) }\n\nvar os = B{}\n',
  'example_test.go':
    'package stack\n\nimport "fmt"\n\nfunc ExampleNew() {\n\tfmt.Println(1)\n\t// Output: 1\n}\n',
  'helper_test.go':
    'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) { compare(t, 1, 1) }\n',
};

describe('A Go file that is right', () => {
  it.each(Object.keys(RIGHT))('has no problem: %s', async (path) => {
    expect((await look(path, RIGHT[path] ?? '')).problems).toEqual([]);
  });

  it.skipIf(GOFMT === null).each(Object.keys(RIGHT))(
    `nor for gofmt: %s${skipped}`,
    async (path) => {
      expect((await look(path, RIGHT[path] ?? '', GOFMT)).problems).toEqual([]);
      expect(folder?.runs).toHaveLength(1);
    },
  );

  it('tells what others may use, of a program all, and what it asks', async () => {
    expect((await look('stack.go', STACK)).defines).toEqual([
      'New()',
      'Stack.Push()',
      'Limit',
      'Stack',
      'ErrEmpty',
    ]);
    folder?.dispose();
    const game = await look('game.go', GAME);
    expect(game.defines).toEqual(['guess()']);
    expect(game.prompts).toEqual(['Your guess: ', 'And …, again? ']);
    folder?.dispose();
    expect((await look('stack_test.go', TEST)).defines).toBeUndefined();
  });

  it('is not looked at where it only describes a module', async () => {
    expect(await look('go.mod', 'module a\n\ngo 1.22\n', '/none')).toEqual({
      ...{ path: 'go.mod', exists: true, problems: [] },
    });
    expect(folder?.runs).toEqual([]);
  });
});

describe('A Go file with a fault', () => {
  it.each([
    [
      'no package line',
      'a.go',
      '// A program.\n\nfunc main() { println(1) }\n',
      /^line 1: the file does not begin with its package line/,
    ],
    ['nothing in it', 'a.go', '\n', /is empty/],
  ])('says where and what to do: %s', async (_name, path, text, wanted) => {
    expect((await look(path, text)).problems[0]).toMatch(wanted);
  });

  it.skipIf(GOFMT === null).each([
    [
      'package main\n\nfunc main() {\n\tx := (1\n}\n',
      /^line 4: does not parse, expected '\)', found newline: x := \(1$/,
    ],
    [
      'package main\n\nfunc main() {\n',
      /^line 3: does not parse, expected ';', found 'EOF': func main\(\) \{$/,
    ],
  ])(`says where gofmt stops: %j${skipped}`, async (text, wanted) => {
    const { problems, defines } = await look('a.go', text, GOFMT);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(wanted);
    expect(defines).toBeUndefined();
  });

  it('is believed where gofmt cannot be started', async () => {
    const { problems } = await look('a.go', 'package main\n\nfunc main() {\n', '/none/gofmt');
    expect(problems).toEqual([]);
  });
});
