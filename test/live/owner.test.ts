import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { liveKey, WatcherHandshake } from '../../src/live/handshake.ts';
import type { PersonsAnswer } from '../../src/round/permission/person.ts';
import { AT_TERMINAL, BY_ATTACH } from '../../src/schema/journal/permissions.ts';
import {
  KEY,
  listening,
  type OwnerOptions,
  QUESTION,
  StandingClock,
  stranger,
  type Watching,
  watching,
} from '../support/live-channel.ts';

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function owned(request?: OwnerOptions) {
  const live = await listening(request);
  closing.push(live.close);
  return live;
}

async function attached(...args: Parameters<typeof watching>): Promise<Watching> {
  const one = await watching(...args);
  if (typeof one === 'string') throw new Error(one);
  await one.until('hello');
  return one;
}

const event = (text: string) => ({ v: 1, run: 'a1', type: 'text_delta', text }) as const;
const journalled = (id: string, allowed: boolean, door: string) =>
  ({ type: 'approval_given', id, allowed, why: '', scope: 'call', by: 'person', door }) as const;
const NO_STATE = { run: 'run-1' };

describe('who has proved nothing', () => {
  test('with the key of somebody else hears nothing but a nonce and a proof', async () => {
    const { address, owner } = await owned();
    owner.emit(event('secret'));
    expect(await watching(address, { key: liveKey(new Uint8Array(32)) })).toBe('unproved');
    expect(await watching(address, { run: 'a2' })).toBe('unproved');
  });

  test.each([
    ['garbage', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['bytes', Buffer.from([0, 255, 254, 10, 10, 10])],
    ['a wish', '{"do":"pause","request":1}\n'],
    ['a line without an end', 'x'.repeat(513)],
  ])('and sends %s is closed, and hears nothing', async (_, said) => {
    const { address, heard, owner } = await owned();
    const one = await stranger(address);
    owner.emit(event('secret'));
    one.socket.write(said);
    await one.closed;
    expect(one.heard()).toBe('');
    expect(heard).toEqual([]);
    expect(await watching(address)).not.toBeTypeOf('string');
  });

  test('and is silent is closed after two seconds, whatever it had begun', async () => {
    const clock = new StandingClock();
    const { address } = await owned({ clock });
    const [silent, begun] = [await stranger(address), await stranger(address)];
    const proved = await attached(address);
    begun.socket.write(`{"live":1,"nonce":"${'ab'.repeat(32)}"}\n`);
    await expect.poll(begun.heard).toContain('proof');
    clock.pass(1999);
    expect(silent.socket.destroyed || begun.socket.destroyed).toBe(false);
    clock.pass(2000);
    await Promise.all([silent.closed, begun.closed]);
    expect(await proved.channel.send({ do: 'say', text: 'hi' })).toEqual({ how: 'taken' });
  });

  test('is let in thirty-two times at once, and a thirty-third time once one is gone', async () => {
    const { address } = await owned({ clock: new StandingClock() });
    const waiting = [];
    for (let count = 0; count < 32; count += 1) waiting.push(await stranger(address));
    const [first] = waiting;
    first?.socket.write(`{"live":1,"nonce":"${'ab'.repeat(32)}"}\n`);
    await expect.poll(() => first?.heard()).toContain('proof');
    expect(await watching(address)).toBe('gone');
    first?.socket.destroy();
    await first?.closed;
    await expect.poll(async () => typeof (await watching(address))).toBe('object');
  });
});

describe('who watches', () => {
  test('hears what was held, then what comes, and goodbye', async () => {
    const live = await owned();
    live.owner.emit(event('one '));
    const one = await attached(live.address);
    live.owner.emit(event('two'));
    await live.owner.close();
    expect(await one.channel.closed).toBe('bye');
    expect(one.told).toEqual([
      { is: 'hello', from: '7.0', last: '7.1+4', started: null, hasPerson: false },
      { is: 'event', id: '7.1+4', event: event('one ') },
      { is: 'event', id: '7.1+7', event: event('two') },
      { is: 'bye' },
    ]);
  });

  test('and comes back hears the rest', async () => {
    const live = await owned();
    live.owner.emit(event('one '));
    live.owner.emit(event('two'));
    const one = await attached(live.address, { after: '7.1+4' });
    expect(await one.until('event')).toEqual({ is: 'event', id: '7.1+7', event: event('two') });
  });

  test('sends messages, and asks for a pause', async () => {
    const { address, heard } = await owned();
    const { channel } = await attached(address);
    expect(await channel.send({ do: 'say', text: 'ä\n"b"' })).toEqual({ how: 'taken' });
    expect(await channel.send({ do: 'pause' })).toEqual({ how: 'taken' });
    expect(heard).toEqual(['ä\n"b"', '(pause)']);
  });

  test('may send a long message together with its proof', async () => {
    const { address, heard } = await owned();
    const text = 'x'.repeat(1_000);
    const one = await proved(address, `${JSON.stringify({ do: 'say', text, request: 1 })}\n`);
    await expect.poll(one.heard).toContain('"taken"');
    expect(heard).toEqual([text]);
  });

  test('and sends what is no wish, or one that is too long, closes its own connection alone', async () => {
    const { address, heard, owner } = await owned();
    const [good, bad, long] = [
      await attached(address),
      await attached(address),
      await attached(address),
    ];
    void bad.channel.send({ do: 'nothing' } as never);
    expect(await bad.channel.closed).toBe('lost');
    const done = long.channel.send({ do: 'say', text: 'x'.repeat(5_000_000) });
    expect(await long.channel.closed).toBe('lost');
    expect(await done).toMatchObject({ how: 'refused' });
    owner.emit(event('still here'));
    await good.until('event');
    expect(heard).toEqual([]);
  });

  test('and reads nothing is closed, and holds nobody up', async () => {
    const { address, owner } = await owned();
    const [slow, good] = [await proved(address), await attached(address)];
    slow.socket.pause();
    const ofGood = () => good.told.filter(({ is }) => is === 'event').length;
    for (let count = 1; count <= 20; count += 1) {
      owner.emit(event('x'.repeat(1_000_000)));
      await expect.poll(ofGood, { interval: 5 }).toBe(count);
    }
    slow.socket.resume();
    await slow.closed;
    expect(slow.heard().length).toBeLessThan(15_000_000);
  });
});

/** One that has shown its proof and watches, and reads as a test wants. */
async function proved(address: string, further = '') {
  const one = await stranger(address);
  const handshake = new WatcherHandshake({ key: KEY, run: 'a1', random: randomBytes });
  one.socket.write(handshake.opening);
  await expect.poll(one.heard).toContain('\n');
  const next = handshake.take(one.heard());
  if (next.do === 'refuse') throw new Error(next.why);
  one.socket.write(`${next.send}{"do":"watch","after":null,"answers":false}\n${further}`);
  await expect.poll(one.heard).toContain('hello');
  return one;
}

describe('a question', () => {
  const { signal } = new AbortController();

  test('is answered by who watches, which counts once it is journalled', async () => {
    const live = await owned();
    const one = await attached(live.address, { answers: true });
    const asked = live.questions.ask(QUESTION, signal);
    const { question } = await one.until('question');
    expect(question).toMatchObject({ input: QUESTION.input });
    let isDone = false;
    const done = one.channel.send({ do: 'answer', id: question.id, kind: 'run', why: '' });
    void done.then(() => {
      isDone = true;
    });
    expect(await asked).toEqual({ kind: 'run', ...BY_ATTACH });
    await one.until('settled');
    expect(isDone).toBe(false);
    live.questions.observe(journalled(question.id, true, 'attach'), NO_STATE);
    expect(await done).toEqual({ how: 'taken' });
  });

  test('of two who answer at once exactly one counts, and the other is told which', async () => {
    const live = await owned();
    const [one, other] = [
      await attached(live.address, { answers: true }),
      await attached(live.address, { answers: true }),
    ];
    const asked = live.questions.ask(QUESTION, signal);
    await Promise.all([one.until('question'), other.until('question')]);
    const { id } = QUESTION;
    const dones = [
      one.channel.send({ do: 'answer', id, kind: 'once', why: '' }),
      other.channel.send({ do: 'answer', id, kind: 'no', why: 'not now' }),
    ];
    const { kind } = await asked;
    await expect.poll(() => other.told.some(({ is }) => is === 'settled')).toBe(true);
    expect(await one.channel.send({ do: 'say', text: 'both are heard' })).toEqual({ how: 'taken' });
    expect(await other.channel.send({ do: 'say', text: 'now' })).toEqual({ how: 'taken' });
    live.questions.observe(journalled(id, kind !== 'no', 'attach'), NO_STATE);
    const counted = { how: 'late', counted: { allowed: kind !== 'no', ...BY_ATTACH } };
    expect(await Promise.all(dones)).toEqual(
      kind === 'no' ? [counted, { how: 'taken' }] : [{ how: 'taken' }, counted],
    );
  });

  test('that the terminal has answered is not answered again', async () => {
    let answer: (given: PersonsAnswer) => void = () => {};
    const here = () => new Promise<PersonsAnswer>((resolve) => (answer = resolve));
    const live = await owned({ here });
    const one = await attached(live.address, { answers: true });
    const asked = live.questions.ask(QUESTION, signal);
    await one.until('question');
    answer({ kind: 'no', why: 'no', ...AT_TERMINAL });
    expect(await asked).toMatchObject({ kind: 'no', door: 'terminal' });
    const done = one.channel.send({ do: 'answer', id: QUESTION.id, kind: 'once', why: '' });
    const given = journalled(QUESTION.id, false, 'terminal');
    const state = {
      ...NO_STATE,
      permissions: { open: [], answers: [given], rules: [], isRegained: false, taken: null },
    };
    live.questions.observe(given, state);
    expect(await done).toEqual({ how: 'late', counted: { allowed: false, ...AT_TERMINAL } });
  });

  test('about a plan is answered with yes, no or another text, from everywhere', async () => {
    const plan = { tasks: [], fallback: false };
    const faultOf = async (text: string) => (text === 'mine' ? '' : 'Line 1: no task');
    const about = { goal: 'Write it', brief: null, plan, text: '# Plan', fault: '', faultOf };
    const id = 'plan-run-1';
    const live = await owned();
    const one = await attached(live.address, { answers: true });
    const asked = live.questions.askPlan('run-1', null)(about, signal);
    await one.until('question');
    const [question] = one.told.flatMap((told) => (told.is === 'question' ? [told.question] : []));
    expect(question).toMatchObject({ id, tool: 'the plan', target: 'Write it', offered: [] });
    expect(question).toMatchObject({ plan, input: { plan: '# Plan' } });
    const done = one.channel.send({ do: 'answer', id, kind: 'always', why: '' });
    expect(await asked).toEqual({ kind: 'yes' });
    const set = { type: 'plan_set', plan, why: 'agreed to', by: 'person' } as const;
    live.questions.observe(set, NO_STATE);
    expect(await done).toEqual({ how: 'taken' });

    const changed = live.questions.askPlan('run-1', null)(about, signal);
    const edit = (text: string) =>
      one.channel.send({ do: 'answer', id, kind: 'once', why: '', input: { plan: text } });
    expect(await edit('no plan')).toMatchObject({ how: 'failed', code: 'E_USAGE' });
    // What cannot be used answers nothing.
    expect(live.questions.open.map((open) => open.id)).toEqual([id]);
    const edited = edit('mine');
    expect(await changed).toEqual({ kind: 'edited', text: 'mine' });
    live.questions.observe(set, NO_STATE);
    expect(await edited).toEqual({ how: 'taken' });

    const again = live.questions.askPlan('run-1', async () => ({ kind: 'edited', text: 'mine' }));
    expect(await again(about, signal)).toEqual({ kind: 'edited', text: 'mine' });

    const refused = live.questions.askPlan('run-1', () => new Promise(() => {}))(about, signal);
    const no = one.channel.send({ do: 'answer', id, kind: 'no', why: '' });
    expect(await refused).toEqual({ kind: 'no' });
    const paused = { type: 'run_paused', why: 'waiting_for_person', detail: '' } as const;
    live.questions.observe(paused, NO_STATE);
    expect(await no).toEqual({ how: 'taken' });
  });

  test('that was never asked is refused', async () => {
    const live = await owned();
    const one = await attached(live.address, { answers: true });
    const done = await one.channel.send({ do: 'answer', id: 'ff', kind: 'once', why: '' });
    expect(done).toMatchObject({ how: 'refused' });
  });

  test('ends unanswered when nobody is there any more, and is shown to who comes late', async () => {
    const live = await owned();
    expect(live.questions.isThere()).toBe(false);
    const one = await attached(live.address, { answers: true });
    const watcher = await attached(live.address);
    await expect.poll(live.questions.isThere).toBe(true);
    const asked = live.questions.ask(QUESTION, signal);
    const late = await attached(live.address);
    await Promise.all([one, watcher, late].map((each) => each.until('question')));
    one.channel.leave();
    expect(await asked).toEqual({ kind: 'none' });
    expect(live.questions.isThere()).toBe(false);
    await watcher.until('settled');
  });

  test('takes the question at the terminal back in words that say what was answered', async () => {
    const reasons: unknown[] = [];
    const live = await owned({
      here: (_, at) =>
        new Promise((resolve) =>
          at.addEventListener('abort', () => {
            reasons.push(at.reason);
            resolve({ kind: 'none' });
          }),
        ),
    });
    const one = await attached(live.address, { answers: true });
    const asked = live.questions.ask(QUESTION, signal);
    await one.until('question');
    void one.channel.send({ do: 'answer', id: QUESTION.id, kind: 'always', why: '' });
    expect(await asked).toMatchObject({ kind: 'always', door: 'attach' });
    expect(reasons).toEqual(['yes, always here, from another terminal']);
  });
});
