/** Imports into a remote store (`--store`), including wrong addresses, rejected keys and failures. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Folder } from '../cli/program.ts';
import { onOneDatabase, READ_ONLY_KEY, READ_WRITE_KEY } from '../support/store.ts';

const EXPORT = 'Handle,Title,Variant Price\na,A,1\nb,B,2\n';

onOneDatabase('an import over HTTP', {}, (store) => {
  let folder: Folder;
  before(async () => {
    folder = await Folder.make();
    await folder.write('export.csv', EXPORT);
  });
  after(() => folder.remove());
  const importing = (environment: Record<string, string>, ...args: string[]) =>
    folder.run(['import', 'shopify', 'export.csv', ...args], environment);

  test('takes the key from the environment or from an option, and needs no database', async () => {
    const first = await importing({ PURVEYOR_KEY: READ_WRITE_KEY }, '--store', store.address);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^row 2: created a\nrow 3: created b\nProducts: 2 created/);
    const again = await importing({}, '--store', `${store.address}/api`, '--key', READ_WRITE_KEY);
    assert.match(again.stdout, /^row 2: unchanged a\n/);
    assert.deepEqual(await folder.files(), ['export.csv']);
  });

  const refusals: [name: string, key: string | undefined, address: () => string, told: RegExp][] = [
    [
      'no key',
      undefined,
      () => store.address,
      /^The API key of the remote store is missing\. Set PURVEYOR_KEY, or pass it as an option\.\n$/,
    ],
    ['a wrong key', 'not-a-key-of-it', () => store.address, /Stopped at row 2: The store at \S+ responded with 401: /],
    [
      'a key that only reads',
      READ_ONLY_KEY,
      () => store.address,
      /Stopped at row 2: The store at \S+ responded with 403: /,
    ],
    ['no address', READ_WRITE_KEY, () => 'shop.example', /^“shop\.example” is not the address of a store\. .*https:/],
  ];
  for (const [name, key, address, message] of refusals)
    test(`exits with 1 and a message in one line for ${name}`, async () => {
      const { code, stdout, stderr } = await importing(key ? { PURVEYOR_KEY: key } : {}, '--store', address());
      assert.equal(code, 1);
      assert.match(stderr + stdout, message);
      assert.doesNotMatch(stderr + stdout, /\n {4}at /);
    });

  test('exits with 1 and a message if the address is not a store', async () => {
    const page = createServer((_, response) => void response.end('<html>')).listen(0, '127.0.0.1');
    await new Promise((listening) => page.once('listening', listening));
    const address = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const { code, stdout } = await importing({ PURVEYOR_KEY: READ_WRITE_KEY }, '--store', address);
    page.close();
    assert.equal(code, 1);
    assert.match(stdout, /Stopped at row 2: .*(Check that baseUrl is the URL of a store|incomplete|truncated)/);
  });
});
