/**
 * Links to one order, for customers without a session (storefront.md §3). A token contains the order and when it expires, signed
 * together with the e-mail address, so that nothing is stored.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { committed, type Languages, looseMatch, type Service } from '../../engine/index.ts';
import { readSecretKey } from '../settings.ts';

interface LinkedOrder {
  /** Id of the order. */
  readonly order: number;
  readonly email: string;
}

const VALID_SECONDS = 7 * 24 * 3600;

/** Name of the setting with the key that signs the links. */
export const ORDER_LINK_KEY = 'order link key';
const KEY_BYTES = 32;

/** A multiple of three bytes, so that every token has only one spelling. */
const NUMBER_BYTES = 6;
const HMAC_BYTES = 30;
const TOKEN = /^pv_ol_([\w-]{56})$/;

/** Returns the key that signs the links, which all processes of the store share. */
export function readOrderLinkKey(service: Service): Promise<Buffer> {
  return readSecretKey(service, ORDER_LINK_KEY, KEY_BYTES);
}

/** @param now seconds since 1970 */
export function signOrderLink(key: Buffer, { order, email }: LinkedOrder, now: number): string {
  const head = Buffer.alloc(2 * NUMBER_BYTES);
  head.writeUIntBE(order, 0, NUMBER_BYTES);
  head.writeUIntBE(now + VALID_SECONDS, NUMBER_BYTES, NUMBER_BYTES);
  return `pv_ol_${Buffer.concat([head, signatureOf(key, head, email)]).toString('base64url')}`;
}

/** @returns the id of the order; undefined if the token has expired or was altered, or if the order has another address now */
export async function findLinkedOrder(
  service: Service,
  languages: Languages,
  token: string,
): Promise<number | undefined> {
  const [, text] = TOKEN.exec(token) ?? [];
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const head = bytes.subarray(0, 2 * NUMBER_BYTES);
  if (head.readUIntBE(NUMBER_BYTES, NUMBER_BYTES) <= service.clock.now()) return undefined;
  const order = head.readUIntBE(0, NUMBER_BYTES);
  const [stored] = await committed(service, languages).list('Order', { id: order }, { only: ['email'] });
  const expected = signatureOf(await readOrderLinkKey(service), head, String(stored?.email ?? ''));
  return timingSafeEqual(bytes.subarray(2 * NUMBER_BYTES), expected) && stored ? order : undefined;
}

function signatureOf(key: Buffer, head: Buffer, email: string): Buffer {
  return createHmac('sha256', key).update(head).update(looseMatch(email)).digest().subarray(0, HMAC_BYTES);
}
