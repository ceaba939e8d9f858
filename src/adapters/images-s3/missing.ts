/** Tells an object that is not there from a bucket that is not. */
import { refused } from './failures.ts';
import type { Answer, Requests } from './requests.ts';
import { textOf } from './xml.ts';

/** Reads the body of a 404 only. @throws {S3Failure} where the whole bucket is missing */
export async function isMissing({ address }: Requests, { statusCode, body }: Answer): Promise<boolean> {
  if (statusCode !== 404) return false;
  const text = await body.text();
  if (textOf(text, 'Code') === 'NoSuchBucket') throw refused(address, statusCode, text);
  return true;
}
