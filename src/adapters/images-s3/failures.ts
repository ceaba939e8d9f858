/** Why an S3 store did not do what it was asked: sentences for the operator, and whether to ask again may help. */
import { ImagesUnavailable } from '../../engine/ports.ts';
import { type S3Address, shownS3Address } from './address.ts';
import { textOf } from './xml.ts';

export class S3Failure extends ImagesUnavailable {
  /** The same request may be answered in a moment. */
  readonly passes: boolean;
  constructor(message: string, passes: boolean, cause?: unknown) {
    super(message, { cause });
    this.passes = passes;
  }
}

/** No answer came, or it broke off. */
export function unanswered(address: S3Address, error: unknown): S3Failure {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  const why = (cause as Error | undefined)?.message || message || code;
  return new S3Failure(`The S3 store ${shownS3Address(address)} does not answer: ${why}`, true, error);
}

const KEYS = 'check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

/** By the code in the answer, the way out. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: KEYS,
  SignatureDoesNotMatch: `${KEYS}, and the region`,
  AccessDenied: `${KEYS}; they need the rights to list the bucket, and to get, put and delete its objects`,
  NoSuchBucket: 'make the bucket first',
  AuthorizationHeaderMalformed: 'check the region',
  PermanentRedirect: 'check the endpoint and the region',
  RequestTimeTooSkewed: 'set the clocks of both machines',
};

/** @param body the first bytes of the answer; HEAD has none */
export function refused(address: S3Address, status: number, body: string): S3Failure {
  const code = textOf(body, 'Code') ?? (status === 403 ? 'AccessDenied' : '');
  const said = [status, code, textOf(body, 'Message') ?? ''].filter((part) => part !== '').join(' ');
  const wayOut = WAYS_OUT[code];
  const location = shownS3Address(address);
  const message = `The S3 store ${location} answers ${said.replace(/\.$/, '')}${wayOut === undefined ? '' : `: ${wayOut}`}`;
  return new S3Failure(message, (status >= 500 && status !== 501) || status === 429 || code === 'RequestTimeout');
}
