import { describe, expect, it } from 'vitest';
import { judgeIn } from '../../policy/support.ts';

function judge(line: string, { goal = 'Write it in Go', allow = [] as readonly string[] } = {}) {
  return judgeIn({ goal })(line, allow);
}

const ALLOWED = [
  'go',
  'go version',
  'go env GOMOD GOFLAGS',
  'go doc strings.Builder',
  'go help test',
  'go build',
  'go build ./...',
  'go build -o bin/tool ./cmd/tool',
  'go build -o /dev/null ./...',
  'go build -ldflags "-s -w -X main.version=1.0/2" .',
  'go build -ldflags "-s -w" .',
  'go test',
  'go test ./...',
  'go test -v -run ^TestAdd$ -count=1 ./calc',
  'go test -coverprofile=cover.out ./...',
  'go test ./calc -args ../data.csv',
  'go vet ./...',
  'go run .',
  'go run main.go',
  'go run main.go util.go /etc/hosts',
  'go run -race -tags big . ../data.csv',
  'go run -C cmd/tool .',
  'go list -m all',
  'go fmt -n ./...',
  'gofmt -l .',
  'gofmt -d main.go',
  'gofmt -s -w main.go',
  'go fmt',
  'go fmt ./...',
];

const REFUSED: readonly (readonly [string, string])[] = [
  ['go install ./...', 'go install is not allowed, only go build, test'],
  ['go get github.com/google/uuid', 'go get is not allowed'],
  ['go mod download', 'go mod download is not allowed: write the file go.mod'],
  ['go mod init hello', 'write the file go.mod with two lines'],
  ['go generate ./...', 'go generate is not allowed'],
  ['go clean -modcache', 'go clean is not allowed'],
  ['go tool pprof x', 'go tool is not allowed'],
  ['go work init', 'go work is not allowed'],
  ['go -C sub test', 'go -C is not allowed'],
  ['go env -w GOFLAGS=-mod=mod', 'go env -w is not allowed'],
  ['go env --u GOFLAGS', 'go env --u is not allowed'],
  ['go fmt std', 'it may rewrite what lies elsewhere'],
  ['go fmt -x golang.org/x/tools', 'it may rewrite what lies elsewhere'],
  ['go test -exec ./x ./...', 'go test -exec is not allowed'],
  ['go run --exec=./x .', 'go run -exec is not allowed'],
  ['go build -toolexec ./x', 'go build -toolexec is not allowed'],
  ['go vet -vettool=./x ./...', 'go vet -vettool is not allowed'],
  ['go build -overlay o.json', 'go build -overlay is not allowed'],
  ['go build -mod=mod ./...', 'it fetches modules'],
  ['go test -mod mod ./...', 'it fetches modules'],
  ['go run golang.org/x/tools/cmd/stringer@latest -type=A', 'it fetches a module'],
];

const OUTSIDE = [
  'go run ../main.go',
  'go run -tags big ../x.go',
  'go run main.go ../util.go',
  'go build -o ../bin/tool .',
  'go build -o=/usr/local/bin/tool .',
  'go build -ldflags=-extld=/x/cc .',
  'go build -gcflags "-trimpath=/x" .',
  'go build -C .. .',
  'go build -modfile=../go.mod .',
  'go test ../...',
  'go test -coverprofile /var/c.out ./...',
  'go test ./... -outputdir=..',
  'go vet /src/x',
  'go doc ../x',
  'gofmt -l ..',
  'gofmt -w ../main.go',
  'go fmt ../...',
  'gofmt -cpuprofile=/x/y .',
];

describe('the rules for go', () => {
  it.each(ALLOWED)('allow %j without asking', (line) => {
    expect(judge(line).kind).toBe('allow');
  });

  it.each(REFUSED)('refuse %j, and one can allow it', (line, reason) => {
    const verdict = judge(line);
    if (verdict.kind === 'allow') throw new Error('allowed');
    expect(verdict.reason).toContain(reason);
    expect(verdict.hint).toMatch(new RegExp(`--allow '?${line.split(' ')[0]}`));
    expect(judge(line, { allow: ['go', 'gofmt'] }).kind).toBe('allow');
  });

  it.each(OUTSIDE)('refuse %j, which leads out, even when go is allowed', (line) => {
    for (const allow of [[], ['go', 'gofmt']]) {
      const verdict = judge(line, { allow });
      if (verdict.kind === 'allow') throw new Error('allowed');
      expect(verdict.reason).toContain('outside the workspace');
    }
  });
});

describe('a run is told of them', () => {
  const hintOf = (line: string, goal: string) => {
    const verdict = judge(line, { goal });
    return verdict.hint;
  };

  it('where its goal is about Go', () => {
    expect(hintOf('make', 'Write it in Go')).toContain(
      'Allowed are: go build|test|vet|run|fmt|version|env|list|doc, gofmt, git status',
    );
    expect(hintOf('chmod +x a', 'Write it in Go')).toContain('run: go run FILE.go');
  });

  it('and nowhere else', () => {
    for (const line of ['make', 'chmod +x a']) {
      expect(hintOf(line, 'Go through the files')).not.toMatch(/\bgo (?:build|run)|gofmt/);
    }
  });
});
