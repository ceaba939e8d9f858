/** Parsers of setting values. Each throws an `Error` whose message completes "NAME must be …". */
import ipaddr from 'ipaddr.js';
import { extensionOf, FILE_TYPES } from '../../adapters/attachments/types.ts';
import { readS3Address, S3_FORM } from '../../adapters/images-s3/address.ts';
import { LANGUAGE_CODE } from '../../domain/store/language.ts';

export function invalid(expected: string): never {
  throw new Error(expected);
}

export function anyText(text: string): string {
  return text;
}

/** Returns a parser that also accepts an empty value. */
export function optional(read: (text: string) => string): (text: string) => string {
  return (text) => (text === '' ? '' : read(text));
}

export function isOn(text: string): boolean {
  return oneOf('on', 'off')(text) === 'on';
}

export function isOne(text: string): boolean {
  return oneOf('0', '1')(text) === '1';
}

/** Rejects URLs, because they can contain a password that later messages would show. */
export function hostName(text: string): string {
  return /^[^\s/@?#]+$/.test(text) ? text : invalid('a host name or an IP address');
}

export function whole(min: number, max = Number.MAX_SAFE_INTEGER, or = ''): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max
      ? number
      : invalid(`${or}a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`);
  };
}

export function oneOf<const T extends string>(...values: readonly T[]): (text: string) => T {
  return (text) => values.find((value) => value === text) ?? invalid(`one of ${values.join(', ')}`);
}

export function language(text: string): string {
  return LANGUAGE_CODE.test(text) ? text : invalid('a language code such as en, pt-BR or zh-Hant');
}

export function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function addressRanges(text: string): string[] {
  const ranges = list(text);
  const isRange = (range: string): boolean => ipaddr.isValid(range) || ipaddr.isValidCIDR(range);
  return ranges.every(isRange) ? ranges : invalid('a comma-separated list of addresses or ranges such as 10.0.0.0/8');
}

export function waits(text: string): number[] {
  const all = list(text);
  const isWait = (wait: string): boolean => /^\d{1,5}$/.test(wait) && Number(wait) <= 86_400;
  return all.length > 0 && all.length <= 50 && all.every(isWait)
    ? all.map(Number)
    : invalid('a comma-separated list of up to 50 whole numbers from 0 to 86400, such as 5,300,1800');
}

/** One row for each status, `Q>A,P`: the codes that may follow it, possibly none. */
export function statusMoves(text: string): string {
  const rows = text.split(';').filter((row) => row.trim() !== '');
  const isRow = (row: string): boolean =>
    /^\s*[A-Za-z0-9]{1,4}\s*>\s*([A-Za-z0-9]{1,4}(\s*,\s*[A-Za-z0-9]{1,4})*)?\s*$/.test(row);
  return rows.every(isRow) ? text : invalid('rows such as Q>A,P,C, separated by semicolons');
}

/** No spaces or commas: HTTP joins repeated headers with them. */
export function key(text: string): string | undefined {
  if (text === '') return undefined;
  return /^[!-+\--~]{8,200}$/.test(text) ? text : invalid('8 to 200 visible ASCII characters without a comma');
}

export function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  // Paths are appended to the address.
  if (!isWeb || /[?#]/.test(text))
    return invalid('an http or https address without user name, password, query and fragment');
  return text.replace(/\/+$/, '');
}

/** Exactly as the provider writes it, so with a slash at the end if the provider's issuer has one. */
export function issuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAlone = url !== undefined && url.username === '' && url.password === '' && !/[?#]/.test(text);
  return text === '' || (isAlone && isSecure(url))
    ? text
    : invalid('an https address without user name, password, query and fragment');
}

/** Whether others on the network cannot read what is sent to the address. */
export function isSecure({ protocol, hostname }: URL): boolean {
  if (protocol !== 'http:') return protocol === 'https:';
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

const SENDER = /^(?:[^<>"\p{C}]*<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@,;]+@[^\s<>@,;]+))$/u;

/** The sender of mails: an e-mail address, or a name and an address. */
export function sender(text: string): string {
  return text === '' || SENDER.test(text) ? text : invalid('an address such as Shop <shop@example.com>');
}

/** Returns the domain of a sender. */
export function senderDomain(from: string): string {
  const [, named, alone] = SENDER.exec(from)!;
  return (named ?? alone)!.split('@')[1]!;
}

/** The address of an SMTP server, possibly with user name, password and options. */
export function smtpAddress(text: string): string {
  const isSmtp = URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '';
  return text === '' || isSmtp ? text : invalid('an address such as smtps://user:password@mail.example.com');
}

/** A secret in the format of Standard Webhooks. */
export function webhookSecret(text: string): string {
  const isSecret = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(text);
  return text === '' || isSecret ? text : invalid('whsec_ and at least 24 random bytes in base64');
}

/** The accepted form of IMAGES_URL, for messages. */
export const IMAGES_FORM = `file:FOLDER or ${S3_FORM}`;

export function isImagesAddress(text: string): boolean {
  return /^file:.+/.test(text) || readS3Address(text) !== undefined;
}

export function databaseAddress(text: string): string {
  const isKnown = /^sqlite:.+/.test(text) || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text));
  return isKnown ? text : invalid('sqlite:FILE or postgres://user:password@host/database');
}

/** Lower case only, so that the name is the same with and without quotes in SQL. */
export function schemaName(text: string): string {
  const isAllowed = text === '' || (/^[a-z_][a-z0-9_]{0,62}$/.test(text) && !/^(pg_|information_schema$)/.test(text));
  return isAllowed
    ? text
    : invalid('1 to 63 of a-z, 0-9 and _, not beginning with a digit or pg_, and not information_schema');
}

/** Extensions of attachments, separated by spaces or commas. */
export function fileTypes(text: string): readonly string[] {
  const extensions = text.split(/[\s,]+/).flatMap((part) => (part === '' ? [] : [extensionOf(`.${part}`)]));
  return extensions.every((extension) => Object.hasOwn(FILE_TYPES, extension))
    ? [...new Set(extensions)]
    : invalid(`a list of these extensions: ${Object.keys(FILE_TYPES).join(' ')}`);
}

/** The path of a page of the shop, with `{clean_url}` in its last segment. */
export function pagePath(text: string): string {
  const names = [...text.matchAll(/\{(\w*)\}/g)].map(([, name]) => name);
  const isKnown = names.every((name) => ['clean_url', 'id', 'language'].includes(name!));
  const isOnce = names.filter((name) => name === 'clean_url').length === 1;
  const isPath = /^\/[^\s?#]*$/.test(text) && text.split('/').at(-1)!.includes('{clean_url}');
  return isPath && isKnown && isOnce
    ? text
    : invalid(
        'a path like /products/{clean_url}, with {clean_url} in its last segment; it may contain {id}, {language}',
      );
}

/** The id of a record; 0 if empty. */
export function identifier(text: string): number {
  return text === '' ? 0 : whole(1, Number.MAX_SAFE_INTEGER, 'empty, or ')(text);
}
