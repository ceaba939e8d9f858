/** Conformance suite of the port `ImageStore` on S3: s3rver here, Swift in `test/faults/`. */
import { randomUUID } from 'node:crypto';
import { after, before, describe } from 'node:test';
import { readS3Address } from '../../src/adapters/images-s3/address.ts';
import { openS3Images } from '../../src/adapters/images-s3/index.ts';
import { promises } from '../support/image-store-promises.ts';
import { type S3Server, s3Settings, startS3rver } from '../support/s3-server.ts';

describe('the image store on s3rver', () => {
  let server: S3Server;
  before(async () => {
    server = await startS3rver();
  });
  after(() => server.stop());
  const open = async () => {
    const address = readS3Address(s3Settings(server, randomUUID()).IMAGES_URL!)!;
    return openS3Images(address, { ...server.credentials, settleMs: 20 });
  };
  promises(open, { tears: 's3rver writes into the file that it gives to readers' });
});
