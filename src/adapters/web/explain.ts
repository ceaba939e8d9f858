/** Describes failures of requests to other servers for the person who provided the address. */
import { AddressNotAllowed } from './checked-connect.ts';

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name of the address was not found.',
  EAI_AGAIN: 'The host name of the address could not be looked up.',
  ECONNREFUSED: 'The server refused the connection.',
  EHOSTUNREACH: 'The server could not be reached.',
  ENETUNREACH: 'The server could not be reached.',
  ETIMEDOUT: 'The server did not respond in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The server did not respond in time.',
  ECONNRESET: 'The server closed the connection.',
  EPIPE: 'The server closed the connection.',
  UND_ERR_SOCKET: 'The server closed the connection.',
};

/** Codes of OpenSSL and node:tls for an untrusted certificate or a failed handshake. */
const TLS_CODE = /CERT|UNABLE_TO_VERIFY|^ERR_(SSL|TLS)|^EPROTO$/;

/**
 * Returns a message for any error of a request, because each of them is caused by the remote side.
 * @param allowed completes the message “The address is not allowed: …”
 */
export function explain(error: unknown, allowed: string): string {
  if (error instanceof AddressNotAllowed) return `The address is not allowed: ${allowed}.`;
  const code = String((error as { code?: unknown }).code);
  if (TLS_CODE.test(code)) return `The server could not be reached securely: TLS failed (${code}).`;
  return EXPLANATIONS[code] ?? 'The server did not send a valid HTTP response.';
}
