/** Distinguishes a missing object from a missing bucket. */
import { rejected } from './failures.ts';
import type { Requests, S3Response } from './requests.ts';
import { textOf } from './xml.ts';

/** Reads the body of a 404 only. @throws {S3Failure} if the whole bucket is missing */
export async function isMissing({ address }: Requests, { statusCode, body }: S3Response): Promise<boolean> {
  if (statusCode !== 404) return false;
  const text = await body.text();
  if (textOf(text, 'Code') === 'NoSuchBucket') throw rejected(address, statusCode, text);
  return true;
}
