/** Addresses of the web as a call names them. Pure. */

/** Longer is no page that anybody means, and too much to read in a question. */
export const MOST_ADDRESS = 2_000;

export type WebAddress =
  | {
      readonly ok: true;
      readonly url: URL;
      /** With its port, where that is not the usual one: what rules are about. */
      readonly host: string;
    }
  /** A sentence. */
  | { readonly ok: false; readonly why: string };

export function webAddress(text: string): WebAddress {
  if (text.length > MOST_ADDRESS)
    return no(`The address is longer than ${MOST_ADDRESS} characters.`);
  if (!URL.canParse(text)) return no('This is not an address such as https://example.com/page.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return no('Only addresses that begin with https:// or http:// are fetched.');
  if (url.username !== '' || url.password !== '')
    return no('An address with a name or a password in it is not fetched.');
  if (url.host === '') return no('The address names no host.');
  return { ok: true, url, host: url.host };
}

const no = (why: string): WebAddress => ({ ok: false, why });

/** A host as a rule names it, in the one form in which addresses have it; `null`: it is none. */
export function ruleHost(text: string): string | null {
  if (!/^[^\s/?#@\\]+$/.test(text) || !URL.canParse(`https://${text}`)) return null;
  return new URL(`https://${text}`).host || null;
}
