/** Errors of an S3 store: messages for the operator, and whether a retry may help. */
import { ImagesUnavailable } from '../../engine/ports.ts';
import { type S3Address, shownS3Address } from './address.ts';
import { textOf } from './xml.ts';

export class S3Failure extends ImagesUnavailable {
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;
  /** Whether the store may still execute the request, or an earlier attempt of it. */
  isInDoubt = false;
  constructor(message: string, isTransient: boolean, cause?: unknown) {
    super(message, { cause });
    this.isTransient = isTransient;
  }
}

const NO_RESPONSE_IN_TIME = 'UND_ERR_HEADERS_TIMEOUT';

/** The error for a missing or incomplete response. */
export function noResponse(address: S3Address, error: unknown): S3Failure {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  const why = (cause as Error | undefined)?.message || message || code;
  const failure = new S3Failure(`The S3 store ${shownS3Address(address)} does not respond: ${why}`, true, error);
  failure.isInDoubt = code === NO_RESPONSE_IN_TIME;
  return failure;
}

const KEYS = 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

/** What to do, by error code. */
const REMEDIES: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: KEYS,
  SignatureDoesNotMatch: `${KEYS}, and the region`,
  AccessDenied: `${KEYS}; the key needs permissions to list the bucket, and to get, put and delete its objects`,
  NoSuchBucket: 'Create the bucket first',
  AuthorizationHeaderMalformed: 'Check the region',
  PermanentRedirect: 'Check the endpoint and the region',
  RequestTimeTooSkewed: 'Synchronize the clocks of both machines',
};

/** @param body start of the response body; empty for HEAD */
export function rejected(address: S3Address, status: number, body: string): S3Failure {
  const code = textOf(body, 'Code') ?? (status === 403 ? 'AccessDenied' : '');
  const details = [status, code, textOf(body, 'Message') ?? ''].filter((part) => part !== '').join(' ');
  const remedy = REMEDIES[code];
  const location = shownS3Address(address);
  const message = `The S3 store ${location} returned ${details.replace(/\.$/, '')}${remedy === undefined ? '' : `. ${remedy}`}`;
  return new S3Failure(message, (status >= 500 && status !== 501) || status === 429 || code === 'RequestTimeout');
}
