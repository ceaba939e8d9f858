/** The image store contract on OpenStack Swift through its S3 API, if Swift is installed. */
import { randomUUID } from 'node:crypto';
import { after, before, describe } from 'node:test';
import { readS3Address } from '../../src/adapters/images-s3/address.ts';
import { openS3Images } from '../../src/adapters/images-s3/index.ts';
import { testImageStoreContract } from '../support/image-store-contract.ts';
import { type S3Server, s3Settings } from '../support/s3-server.ts';
import { noSwift, startSwift } from '../support/swift.ts';

describe('image store on Swift', { skip: noSwift ?? false }, () => {
  let server: S3Server;
  before(async () => {
    server = await startSwift();
  });
  after(() => server.stop());
  const open = async () => {
    const address = readS3Address(s3Settings(server, randomUUID()).IMAGES_URL!)!;
    return openS3Images(address, { ...server.credentials, settleMs: 1000 });
  };
  testImageStoreContract(open, { races: 2 });
});
