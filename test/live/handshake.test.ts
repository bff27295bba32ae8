import { expect, test } from 'vitest';
import { macOf } from '../../src/lib/mac.ts';
import { liveKey, OwnerHandshake, WatcherHandshake } from '../../src/live/handshake.ts';

const key = liveKey(new Uint8Array(32).fill(7));
let count = 0;
const random = (bytes: number): Uint8Array => {
  count += 1;
  return new Uint8Array(bytes).fill(count);
};
const parts = { key, run: 'a1', random };

const sent = (next: ReturnType<OwnerHandshake['take']>): string => {
  if (next.do === 'refuse') throw new Error(`refused: ${next.why}`);
  return next.send;
};

test('both sides are proved after three lines, which hold nonces and proofs alone', () => {
  const [owner, watcher] = [new OwnerHandshake(parts), new WatcherHandshake(parts)];
  const reply = owner.take(watcher.opening);
  const proof = watcher.take(sent(reply));
  expect(reply).toMatchObject({ do: 'go_on', isProved: false });
  expect(proof).toMatchObject({ do: 'go_on', isProved: true });
  expect(owner.take(sent(proof))).toEqual({ do: 'go_on', send: '', isProved: true });
  const fields = [watcher.opening, sent(reply), sent(proof)].map((line) =>
    Object.keys(JSON.parse(line)),
  );
  expect(fields).toEqual([['live', 'nonce'], ['live', 'nonce', 'proof'], ['proof']]);
});

test('another key, another run and the origin key itself prove nothing to either side', () => {
  const others = [
    { ...parts, key: liveKey(new Uint8Array(32).fill(8)) },
    { ...parts, key: new Uint8Array(32).fill(7) },
    { ...parts, run: 'a2' },
  ];
  for (const other of others) {
    const [owner, watcher] = [new OwnerHandshake(parts), new WatcherHandshake(other)];
    expect(watcher.take(sent(owner.take(watcher.opening)))).toEqual({
      do: 'refuse',
      why: 'unproved',
    });
    const trusting = new OwnerHandshake(other);
    const second = new OwnerHandshake(parts);
    const opening = watcher.opening;
    second.take(opening);
    const foreign = watcher.take(sent(trusting.take(opening)));
    expect(second.take(sent(foreign))).toEqual({ do: 'refuse', why: 'unproved' });
  }
});

test('a proof that was seen before is of no use', () => {
  const [first, watcher] = [new OwnerHandshake(parts), new WatcherHandshake(parts)];
  const reply = sent(first.take(watcher.opening));
  const proof = sent(watcher.take(reply));
  const second = new OwnerHandshake(parts);
  second.take(watcher.opening);
  expect(second.take(proof)).toMatchObject({ do: 'refuse' });
  expect(new WatcherHandshake(parts).take(reply)).toMatchObject({ do: 'refuse' });
});

test("an owner's proof, sent back to it, is no watcher's", () => {
  const owner = new OwnerHandshake(parts);
  const nonce = 'ab'.repeat(32);
  const { proof } = JSON.parse(sent(owner.take(JSON.stringify({ live: 1, nonce }))));
  expect(owner.take(JSON.stringify({ proof }))).toMatchObject({ do: 'refuse' });
});

test('what is no opening and no proof is refused, whatever it is', () => {
  const nonce = 'ab'.repeat(32);
  for (const line of [
    '',
    'null',
    '[]',
    '{',
    '{"live":1}',
    JSON.stringify({ live: 1, nonce: 'AB'.repeat(32) }),
    JSON.stringify({ live: 1, nonce: 'ab' }),
    JSON.stringify({ live: 1, nonce, proof: nonce }),
    JSON.stringify({ live: '1', nonce }),
    JSON.stringify({ do: 'watch', after: null, answers: true }),
  ])
    expect(new OwnerHandshake(parts).take(line), line).toMatchObject({ do: 'refuse' });
  for (const proof of ['', 'zz', 'ab'.repeat(31), macOf(key, [])]) {
    const owner = new OwnerHandshake(parts);
    owner.take(JSON.stringify({ live: 1, nonce }));
    expect(owner.take(JSON.stringify({ proof })), proof).toMatchObject({ do: 'refuse' });
  }
});

test('an owner of another version is told from a stranger', () => {
  const watcher = new WatcherHandshake(parts);
  const nonce = 'ab'.repeat(32);
  expect(watcher.take(JSON.stringify({ live: 2, nonce, proof: nonce }))).toEqual({
    do: 'refuse',
    why: 'other_version',
  });
});
