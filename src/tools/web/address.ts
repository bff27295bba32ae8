/** Web addresses as a call names them. Pure. */

/** Nobody means a longer address, and a question could not show it all. */
export const MAX_ADDRESS = 2_000;

export type WebAddress =
  | {
      readonly ok: true;
      readonly url: URL;
      /** The host, with its port unless that is the default one; rules use this form. */
      readonly host: string;
    }
  /** A sentence. */
  | { readonly ok: false; readonly why: string };

export function webAddress(text: string): WebAddress {
  if (text.length > MAX_ADDRESS) return no(`The address is longer than ${MAX_ADDRESS} characters.`);
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

/** A host in a rule, in the normalised form that addresses use; `null`: not a host. */
export function ruleHost(text: string): string | null {
  if (!/^[^\s/?#@\\]+$/.test(text) || !URL.canParse(`https://${text}`)) return null;
  return new URL(`https://${text}`).host || null;
}
