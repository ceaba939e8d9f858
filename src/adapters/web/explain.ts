/** Failures of requests to other servers, in plain words for the person who named the address. */
import { AddressNotAllowed } from './checked-connect.ts';

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name of the address was not found.',
  EAI_AGAIN: 'The host name of the address could not be looked up.',
  ECONNREFUSED: 'The server refused the connection.',
  EHOSTUNREACH: 'The server could not be reached.',
  ENETUNREACH: 'The server could not be reached.',
  ETIMEDOUT: 'The server did not answer in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The server did not answer in time.',
  ECONNRESET: 'The server broke off the connection.',
  EPIPE: 'The server broke off the connection.',
  UND_ERR_SOCKET: 'The server broke off the connection.',
};

/** OpenSSL's and node:tls's codes for a certificate that cannot be trusted, or a failed handshake. */
const TLS_CODE = /CERT|UNABLE_TO_VERIFY|^ERR_(SSL|TLS)|^EPROTO$/;

/**
 * Every failure of a request is the far side's doing, so every error becomes a sentence.
 * @param allowed ends the sentence “The address is not allowed: …”
 */
export function explain(error: unknown, allowed: string): string {
  if (error instanceof AddressNotAllowed) return `The address is not allowed: ${allowed}.`;
  const code = String((error as { code?: unknown }).code);
  if (TLS_CODE.test(code)) return `The server could not be reached securely: TLS failed (${code}).`;
  return EXPLANATIONS[code] ?? 'The server did not answer as a web server should.';
}
