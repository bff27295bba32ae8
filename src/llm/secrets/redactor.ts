/**
 * Pure: removes the keys in use from what a run stores, shows and sends.
 * 1. Removing keys from a text is deterministic, so a resume sends the same text.
 * 2. Nothing is guessed: only a key in use is removed, as it is or in its usual encodings.
 */
import { SCRUBBED } from './scrub.ts';

/** A shorter key is a word, such as `ollama`, that a server accepts instead of a key. */
const SHORTEST = 12;
/** A piece of a key this long is removed if it is at least half of the key. */
const SHORTEST_PIECE = 16;

export interface Redactor {
  /** False if there is no key, and never will be. */
  readonly isNeeded: boolean;
  text(text: string): string;
  /** The same for every string in a JSON value, including names. */
  value<Value>(value: Value): Value;
  stream(): RedactedStream;
  /** Why a file may not get this content; `null`: it may. Contents as text. */
  refusal(before: string, after: string): string | null;
}

/** A text that arrives in pieces: a possible beginning of a key waits for the next piece. */
export interface RedactedStream {
  push(text: string): string;
  end(): string;
}

/** @param later keys that are known only once a model is asked, such as one that a program prints */
export function redactor(keys: readonly string[], later?: () => readonly string[]): Redactor {
  let known = redactorOf(keys);
  if (later === undefined) return known;
  let count = 0;
  const now = (): Redactor => {
    const more = later();
    if (more.length !== count) known = redactorOf([...keys, ...more]);
    count = more.length;
    return known;
  };
  return {
    isNeeded: true,
    text: (text) => now().text(text),
    value: (value) => now().value(value),
    stream: () => now().stream(),
    refusal: (before, after) => now().refusal(before, after),
  };
}

function redactorOf(keys: readonly string[]): Redactor {
  const used = [...new Set(keys.map((key) => key.trim()))].filter(
    ({ length }) => length >= SHORTEST,
  );
  // Longest first: one may be the beginning of another.
  const forms = [...new Set(used.flatMap(formsOf))].sort((one, other) => other.length - one.length);
  const whole = (before: string): string => {
    let after = before;
    for (const form of forms) if (after.includes(form)) after = after.replaceAll(form, SCRUBBED);
    return after;
  };
  const text = (before: string): string => used.reduce(withoutPieces, whole(before));
  const isNeeded = forms.length > 0;
  return {
    isNeeded,
    text,
    value: (value) => (isNeeded ? (inValue(value, text) as typeof value) : value),
    stream: () => streamOf(forms, whole),
    refusal: (before, after) => refusalOf(before, after, used),
  };
}

export const NO_SECRETS: Redactor = redactor([]);

/** The key as it is, in an address, in JSON, and in base64 at any offset. */
function formsOf(key: string): readonly string[] {
  const encoded = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const whole = bytes.toString('base64').replace(/=+$/, '');
    // Base64 characters that also depend on neighbouring characters are left out.
    const inner = whole.slice(
      before === 0 ? 0 : before + 1,
      bytes.length % 3 === 0 ? undefined : -1,
    );
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const inAddress = /\p{Surrogate}/u.test(key) ? key : encodeURIComponent(key);
  return [key, inAddress, JSON.stringify(key).slice(1, -1), ...encoded];
}

/** A text that was cut to a length may begin or end in the middle of a key. */
function withoutPieces(text: string, key: string): string {
  const least = Math.max(SHORTEST_PIECE, Math.ceil(key.length / 2));
  if (least >= key.length) return text;
  const head = key.slice(0, least);
  const tail = key.slice(-least);
  let rest = text;
  for (let at = rest.indexOf(head); at !== -1; at = rest.indexOf(head, at + SCRUBBED.length)) {
    let end = at + least;
    while (end - at < key.length && rest[end] === key[end - at]) end += 1;
    rest = rest.slice(0, at) + SCRUBBED + rest.slice(end);
  }
  for (let at = rest.indexOf(tail); at !== -1; at = rest.indexOf(tail, at + 1)) {
    let start = at;
    while (start > 0 && rest[start - 1] === key[key.length - least - (at - start) - 1]) start -= 1;
    rest = rest.slice(0, start) + SCRUBBED + rest.slice(at + least);
    at = start;
  }
  return rest;
}

function inValue(value: unknown, text: (before: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((one) => inValue(one, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [text(name), inValue(inner, text)]),
  );
}

function streamOf(forms: readonly string[], without: (before: string) => string): RedactedStream {
  const longest = Math.max(0, ...forms.map(({ length }) => length));
  const firsts = new Set(forms.map(([first]) => first));
  let held = '';
  return {
    push(piece) {
      const whole = without(held + piece);
      let from = Math.max(0, whole.length - longest + 1);
      while (from < whole.length && !mayBegin(whole, from, forms, firsts)) from += 1;
      held = whole.slice(from);
      return whole.slice(0, from);
    },
    end() {
      const rest = held.length >= SHORTEST ? SCRUBBED : held;
      held = '';
      return rest;
    },
  };
}

function mayBegin(
  text: string,
  from: number,
  forms: readonly string[],
  firsts: ReadonlySet<string | undefined>,
): boolean {
  if (!firsts.has(text[from])) return false;
  const rest = text.slice(from);
  return forms.some((form) => form.startsWith(rest));
}

function refusalOf(before: string, after: string, keys: readonly string[]): string | null {
  if (scrubbedIn(after) > scrubbedIn(before))
    return `the new content holds ${SCRUBBED}, which stands where a key of the user is hidden from you. Leave such lines as they are and change only others, or let the program read the key from its environment.`;
  const isNew = keys.some((key) => after.includes(key) && !before.includes(key));
  return isNew
    ? 'the new content holds a key of the user, which belongs into no file. Let the program read it from its environment instead.'
    : null;
}

const scrubbedIn = (text: string): number => text.split(SCRUBBED).length - 1;
