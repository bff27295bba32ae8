/** Addresses as they may be shown and stored, without credentials. Pure. */
import { orNull } from '../or-null.ts';

const NAME_AND_PASSWORD = /^((?:[a-z][a-z\d+.-]*:)?\/\/)?[^/?#\s]*@/i;
/** The only public part of a query; some gateways require it in every request. */
const VERSION = /(?:^|&)(api-version=[\w.-]*)/;

/** Removes name, password and key; the rest stays as it was typed. */
export function addressWithoutCredentials(address: string): string {
  const [plain = '', query] = address.replace(NAME_AND_PASSWORD, '$1').split(/[?#]/, 2);
  const version = VERSION.exec(query ?? '')?.[1];
  return version === undefined ? plain : `${plain}?${version}`;
}

export const holdsCredentials = (address: string): boolean =>
  addressWithoutCredentials(address) !== address;

/** Removes names and passwords from addresses in a text. */
export const withoutCredentials = (text: string): string =>
  text.replace(/\b([a-z][a-z\d+.-]{1,15}:\/\/)[^/?#\s"'<>@]+@/gi, '$1');

/** The parts of an address that grant access; they count as secrets. */
export function credentialsIn(address: string): readonly string[] {
  const [, who = ''] = /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/)?([^/?#\s]*)@/i.exec(address) ?? [];
  const query = new URLSearchParams(/\?([^#]*)/.exec(address)?.[1] ?? '');
  const values = [...query].flatMap(([name, value]) => (name === 'api-version' ? [] : [value]));
  const password = who.slice(who.indexOf(':') + 1);
  return [password, decoded(password), ...values].filter((part) => part !== '');
}

/** A part of an address without its percent-encoding; unchanged if the encoding is broken. */
export function decoded(text: string): string {
  return orNull(() => decodeURIComponent(text)) ?? text;
}
