/** Downloads of images over real sockets, mostly from malicious servers: only public hosts are reached. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, isIP, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { createImageDecoder } from '../../src/adapters/image-decoder/index.ts';
import type { Lookup } from '../../src/adapters/web/bounded-lookup.ts';
import { createDownloads, type DownloadOptions } from '../../src/adapters/web/download.ts';
import { createAddressPolicy } from '../../src/adapters/web/public-address.ts';
import { type FileRejection, Overloaded } from '../../src/engine/ports.ts';

const NOT_ALLOWED =
  'The address is not allowed: images are downloaded from the public internet, on port 80 or 443, and from the networks in IMAGE_DOWNLOAD_ALLOW.';
const LOCAL = ['127.0.0.1/32'];
const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

const closers: (() => unknown)[] = [];
after(() => Promise.all(closers.map((close) => close())));

const settings: DownloadOptions = { bytesMax: 1_000_000, secondsMax: 10, allow: LOCAL };
const downloads = downloadsWith({});

describe('successful downloads', () => {
  test('return a decoded image named after its content', async () => {
    const imageDecoder = createImageDecoder({ bytesMax: 0, pixelsMax: 0, downloadSecondsMax: 10, allow: LOCAL });
    closers.push(() => imageDecoder.close());
    const decoded = await imageDecoder.fromAddress(`${await serve((_, response) => response.end(png))}/red.bmp?x=1#y`);
    assert.ok(!('refused' in decoded), JSON.stringify(decoded));
    assert.deepEqual([decoded.width, decoded.height], [30, 20]);
    assert.match(decoded.name, /^[0-9a-f]{64}\.png$/);
  });

  test('send no credentials, and request identity encoding', async () => {
    let headers: IncomingMessage['headers'] = {};
    const address = await serve((request, response) => {
      headers = request.headers;
      response.end(png);
    });
    assert.ok(png.equals(bytesOf(await downloads.fetch(address))));
    assert.equal(headers['accept-encoding'], 'identity');
    assert.equal(headers.cookie, undefined);
    assert.equal(headers.authorization, undefined);
  });

  test('accept chunked bodies and wrong content types', async () => {
    const address = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      for (let at = 0; at < png.length; at += 10) response.write(png.subarray(at, at + 10));
      response.end();
    });
    assert.ok(png.equals(bytesOf(await downloads.fetch(address))));
  });

  for (const status of [301, 302, 303, 307, 308]) {
    test(`follow a redirect with status ${status}`, async () => {
      const address = await serve((request, response) => {
        if (request.url === '/end') response.end(png);
        else response.writeHead(status, { location: '/end' }).end('moved');
      });
      assert.ok(png.equals(bytesOf(await downloads.fetch(address))));
    });
  }

  test('follow three redirects to another server', async () => {
    const end = await serve((_, response) => response.end(png));
    const address = await serve((request, response) => {
      const hop = Number(request.url!.slice(1)) + 1;
      response.writeHead(302, { location: hop < 3 ? `/${hop}` : end }).end();
    });
    assert.ok(png.equals(bytesOf(await downloads.fetch(`${address}/0`))));
  });

  test('accept exactly as many bytes as allowed', async () => {
    const address = await serve((_, response) => response.end(Buffer.alloc(settings.bytesMax)));
    assert.equal(bytesOf(await downloads.fetch(address)).byteLength, settings.bytesMax);
  });

  test('look up a host name once', async () => {
    const address = await serve((_, response) => response.end(png));
    const asked: string[] = [];
    const named = downloadsWith({ lookup: lookupReturning(['127.0.0.1'], asked) });
    assert.ok(png.equals(bytesOf(await named.fetch(address.replace('127.0.0.1', 'pictures.example')))));
    assert.deepEqual(asked, ['pictures.example']);
  });

  test('ignore proxy settings of the environment', async () => {
    let seenByProxy = 0;
    const proxy = await serve((_, response) => {
      seenByProxy += 1;
      response.end('proxy');
    });
    const address = await serve((_, response) => response.end(png));
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    try {
      for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy;
      assert.ok(png.equals(bytesOf(await downloadsWith({}).fetch(address))));
    } finally {
      names.forEach((name, index) => {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      });
    }
    assert.equal(seenByProxy, 0);
  });
});

describe('failed downloads', () => {
  test('reject statuses other than 200', async () => {
    for (const status of [204, 206, 304, 400, 401, 403, 404, 410, 429, 500, 503]) {
      const address = await serve((_, response) => response.writeHead(status).end(status === 204 ? '' : 'no'));
      await refuses(address, `The server returned status ${status} instead of 200.`);
    }
  });

  test('reject a redirect without a location', async () => {
    const address = await serve((_, response) => response.writeHead(302).end());
    await refuses(address, 'The server returned status 302 instead of 200.');
  });

  test('reject a fourth redirect and a redirect loop', async () => {
    let requests = 0;
    const address = await serve((_, response) => {
      requests += 1;
      response.writeHead(302, { location: '/again' }).end();
    });
    await refuses(address, 'The address redirects more than 3 times.');
    assert.equal(requests, 4);
  });

  const badLocations: [location: string, message: string][] = [
    ['http://169.254.169.254/latest/meta-data/', NOT_ALLOWED],
    ['http://10.0.0.1/', NOT_ALLOWED],
    ['http://[::1]/', NOT_ALLOWED],
    ['//127.0.0.2/', NOT_ALLOWED],
    ['file:///etc/passwd', 'The address must start with http:// or https://.'],
    ['data:image/png;base64,AAAA', 'The address must start with http:// or https://.'],
    ['ftp://127.0.0.1/a.png', 'The address must start with http:// or https://.'],
    ['http://user:secret@127.0.0.1/', 'The address must not contain a user name or a password.'],
    ['http://[', 'The address is invalid; it must be like https://example.com/image.jpg.'],
  ];
  for (const [location, message] of badLocations) {
    test(`reject a redirect to ${location}`, async () => {
      await refuses(await serve((_, response) => response.writeHead(302, { location }).end()), message);
    });
  }

  test('reject a redirect to a forbidden address with a server, at the first and the third hop', async () => {
    const canary = await listen(createServer(), '127.0.0.2');
    for (const hops of [1, 3]) {
      const address = await serve((request, response) => {
        const hop = Number(request.url!.slice(1)) + 1;
        response.writeHead(302, { location: hop < hops ? `/${hop}` : `http://127.0.0.2:${canary.port}/` }).end();
      });
      await refuses(`${address}/0`, NOT_ALLOWED);
    }
    assert.equal(canary.connections(), 0);
  });

  test('reject a Content-Length above the limit before the body', async () => {
    let written = 0;
    const address = await serve((_, response) => {
      response.writeHead(200, { 'content-length': String(10 ** 12) });
      written = flood(response);
    });
    await refuses(address, 'The image at this address is larger than 1,000,000 bytes.');
    assert.ok(written < 10 ** 9);
  });

  test('reject an endless body', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const address = await serve((_, response) => {
      closed = once(response, 'close');
      response.writeHead(200);
      flood(response);
      response.on('drain', () => flood(response));
    });
    await refuses(address, 'The image at this address is larger than 1,000,000 bytes.');
    await closed; // The connection is given up too.
  });

  test('reject a body one byte above the limit', async () => {
    const address = await serve((_, response) => {
      response.write(Buffer.alloc(settings.bytesMax));
      response.end('x');
    });
    await refuses(address, 'The image at this address is larger than 1,000,000 bytes.');
  });

  test('reject a body shorter than its Content-Length', async () => {
    const address = await serveRaw((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nshort');
    });
    await refuses(address, 'The server closed the connection.');
  });

  test('truncate a body longer than its Content-Length', async () => {
    const address = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n');
      socket.end('four, and much that nobody asked for');
    });
    const response = await downloads.fetch(address);
    if (response instanceof Uint8Array) assert.equal(Buffer.from(response).toString(), 'four');
    else assert.equal(response.refused, 'download');
  });

  test('reject a compressed response', async () => {
    for (const encoding of ['gzip', 'br', 'identity, gzip', 'x-unknown']) {
      const address = await serve((_, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync(Buffer.alloc(10_000_000)));
      });
      await refuses(address, 'The server sent the image in a compressed encoding.');
    }
  });

  test('report a connection reset at any time', async () => {
    const beginnings = ['', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf'];
    for (const beginning of beginnings) {
      const address = await serveRaw((socket) => {
        socket.write(beginning, () => setTimeout(() => socket.resetAndDestroy(), 50));
      });
      await refuses(address, 'The server closed the connection.');
    }
  });

  test('report a server with another protocol', async () => {
    for (const greeting of ['SSH-2.0-OpenSSH_9.6\r\n', '220 mail ESMTP\r\n', '\0\0\0\0', 'HTTP/9.9 200 OK\r\n\r\n']) {
      await refuses(await serveRaw((socket) => socket.end(greeting)), 'The server did not send a valid HTTP response.');
    }
  });

  test('reject endless headers', async () => {
    const address = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(`x: ${'y'.repeat(1000)}\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    await refuses(address, 'The server did not send a valid HTTP response.');
  });

  test('time out in total: no response, slow headers, slow body, slow redirects', async () => {
    const hasty = downloadsWith({ secondsMax: 1 });
    const far = [
      await serveRaw(() => {}),
      await serveRaw((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-long: ')),
      await serveRaw((socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n')),
      await serve((_, response) => setTimeout(() => response.writeHead(302, { location: '/' }).end(), 400)),
    ];
    const responses = await Promise.all(far.map((address) => hasty.fetch(address)));
    for (const response of responses) {
      assert.deepEqual(response, { refused: 'download', message: 'The download took longer than 1 s.' });
    }
  });

  test('time out during an endless lookup', async () => {
    const hasty = downloadsWith({ secondsMax: 1, lookup: () => {} });
    await refuses('http://slow.example/', 'The download took longer than 1 s.', hasty);
  });

  test('report a refused connection', async () => {
    const gone = await listen(createServer(), '127.0.0.1');
    await gone.close();
    await refuses(`http://127.0.0.1:${gone.port}/`, 'The server refused the connection.');
    const named = downloadsWith({ lookup: lookupReturning(['127.0.0.1', '127.0.0.1']) });
    await refuses(`http://two.example:${gone.port}/`, 'The server refused the connection.', named);
  });

  test('report an unknown host name', async () => {
    const failing = (code: string) =>
      downloadsWith({ lookup: (_, __, callback) => callback(Object.assign(new Error(code), { code }), []) });
    await refuses('http://nobody.example/', 'The host name of the address was not found.', failing('ENOTFOUND'));
    const withoutResponse = 'The host name of the address could not be looked up.';
    await refuses('http://nobody.example/', withoutResponse, failing('EAI_AGAIN'));
  });

  test('report a server without TLS', async () => {
    const address = await serve((_, response) => response.end(png));
    const { message } = refusalOf(await downloads.fetch(address.replace('http:', 'https:')));
    assert.match(message, /^The server could not be reached securely: TLS failed \(ERR_SSL_\w+\)\.$/);
  });

  test('reject a self-signed certificate', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
    try {
      const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
      const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', cert];
      execFileSync('openssl', [...options, ...subject], { stdio: 'ignore' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return context.skip('openssl is not installed, and Node makes no certificates');
    }
    const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
      response.end(png),
    );
    const { port } = await listen(server, '127.0.0.1');
    const { message } = refusalOf(await downloads.fetch(`https://127.0.0.1:${port}/`));
    assert.equal(message, 'The server could not be reached securely: TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT).');
  });

  test('reject the file rather than the download if it is not an image', async () => {
    const imageDecoder = createImageDecoder({ bytesMax: 0, pixelsMax: 0, downloadSecondsMax: 10, allow: LOCAL });
    closers.push(() => imageDecoder.close());
    const bodies = { '<!doctype html><p>Log in': 'an HTML page', '': 'an empty file', 'GIF?': 'plain text' };
    for (const [body, found] of Object.entries(bodies)) {
      const address = await serve((_, response) => response.end(body));
      assert.deepEqual(await imageDecoder.fromAddress(address), {
        refused: 'file',
        message: `This is ${found}; JPEG, PNG, GIF, WebP and AVIF are accepted.`,
      });
    }
  });
});

describe('forbidden addresses', () => {
  // If port 80 can be bound, the canary listens at the addresses below.
  let canary: Awaited<ReturnType<typeof listen>>;
  const strict = downloadsWith({ allow: [], secondsMax: 5, lookup: lookupReturning(['127.0.0.1', '::1']) });
  before(async () => {
    canary = await listen(createServer(), '::', 80).catch(() => listen(createServer(), '::'));
  });

  // biome-ignore format: a table
  const hosts = [
    // Loopback, in every notation of a URL.
    '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.0.0.1',
    '0x7f.1', '017700000001', '0177.0.0.1', '0177.1', '127.0.0.0x1', '１２７.０.０.１', '127。0。0。1', '%31%32%37.0.0.1',
    '0', '0.0.0.0', '0x0', '0.1.2.3',
    // Private, shared, link-local with cloud metadata, and Azure's host.
    '10.0.0.1', '10.255.255.255', '167772161', '172.16.0.1', '172.31.255.255', '192.168.0.1', '0xc0a80001',
    '100.64.0.1', '100.100.100.200', '169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376',
    '169.254.170.2', '168.63.129.16',
    // Special, for documentation, multicast, reserved, broadcast.
    '192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1',
    '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255',
    // IPv6: loopback, unspecified, local, multicast, documentation, discarded, tunnels.
    '[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]',
    '[fdff::1]', '[ff02::1]', '[ff0e::1]', '[2001:db8::1]', '[3fff::1]', '[100::1]', '[2001::1]',
    '[2001:0:7f00:1::]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]', '[5f00::1]', '[4000::1]', '[1::1]',
    // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4.
    '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]', '[::ffff:0.0.0.0]',
    '[::127.0.0.1]', '[::a00:1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::a00:1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2002:c0a8:1::1]',
    // Names that resolve there.
    'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'public.example',
  ];
  for (const host of hosts) {
    test(`include http://${host}/`, async () => {
      await refuses(`http://${host}:${canary.port}/`, NOT_ALLOWED, strict);
      await refuses(`https://${host}:${canary.port}/`, NOT_ALLOWED, strict);
      const literal = new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');
      if (isIP(literal)) assert.equal(createAddressPolicy([])(literal, 80), false);
      assert.equal(canary.connections(), 0);
    });
  }

  const unreadable = 'The address is invalid; it must be like https://example.com/image.jpg.';
  const scheme = 'The address must start with http:// or https://.';
  const userinfo = 'The address must not contain a user name or a password.';
  // biome-ignore format: a table
  const addresses: [address: string, message: string][] = [
    ['', unreadable], ['127.0.0.1', unreadable], ['//127.0.0.1/', unreadable], ['/etc/passwd', unreadable],
    ['http://', unreadable], ['http:///', unreadable], ['http://256.256.256.256/', unreadable],
    ['http://1.2.3.4.5/', unreadable], ['http://127.0.0.1:99999/', unreadable], ['http://[::1/', unreadable],
    ['http://[fe80::1%25eth0]/', unreadable], ['http://127.0.0.1%00.example/', unreadable],
    ['http://ex ample/', unreadable], ['not an address', unreadable],
    ['file:///etc/passwd', scheme], ['ftp://127.0.0.1/', scheme], ['gopher://127.0.0.1:6379/_INFO', scheme],
    ['data:image/png;base64,AAAA', scheme], ['javascript:alert(1)', scheme], ['dict://127.0.0.1:11211/', scheme],
    ['ws://127.0.0.1/', scheme], ['blob:http://127.0.0.1/x', scheme], ['localhost:80/', scheme],
    ['unix:/var/run/docker.sock', scheme],
    ['http://user@127.0.0.1/', userinfo], ['http://user:word@8.8.8.8/', userinfo], ['http://:word@8.8.8.8/', userinfo],
    ['http://8.8.8.8@127.0.0.1/', userinfo], ['http://8.8.8.8:80@127.0.0.1/', userinfo],
    ['http://127.0.0.1\\@8.8.8.8/', NOT_ALLOWED], ['http://127.0.0.1#@8.8.8.8/', NOT_ALLOWED],
    ['http://127.0.0.1?@8.8.8.8/', NOT_ALLOWED], ['http:127.0.0.1/', NOT_ALLOWED], ['http:\\\\127.0.0.1\\', NOT_ALLOWED],
    ['\t http://127.0.0.1/', NOT_ALLOWED], ['ht\ntp://127.0.0.1/', NOT_ALLOWED], ['HTTP://127.0.0.1/', NOT_ALLOWED],
    ['http://8.8.8.8:22/', NOT_ALLOWED], ['http://8.8.8.8:6379/', NOT_ALLOWED], ['http://8.8.8.8:8080/', NOT_ALLOWED],
    ['https://8.8.8.8:8443/', NOT_ALLOWED], ['http://[2606:4700::1111]:25/', NOT_ALLOWED],
    ['http://8.8.8.8:0/', NOT_ALLOWED],
  ];
  for (const [address, message] of addresses) {
    test(`include ${JSON.stringify(address)}`, async () => {
      await refuses(address, message, strict);
      assert.equal(canary.connections(), 0);
    });
  }

  test('include a name that resolves to a public and a private address', async () => {
    for (const responses of [
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['2606:4700::1111', '::ffff:10.0.0.1'],
      [],
    ]) {
      const mixed = downloadsWith({ allow: [], lookup: lookupReturning(responses) });
      await refuses(`http://mixed.example:${canary.port}/`, NOT_ALLOWED, mixed);
    }
    assert.equal(canary.connections(), 0);
  });

  test('include a name that resolves differently after the check', async () => {
    const target = await listen(
      createServer((_, response) => response.end(png)),
      '127.0.0.1',
    );
    const asked: string[] = [];
    const changing: Lookup = (name, options, callback) =>
      lookupReturning([asked.length === 0 ? '127.0.0.1' : '127.0.0.2'], asked)(name, options, callback);
    const rebound = downloadsWith({ lookup: changing });
    bytesOf(await rebound.fetch(`http://changing.example:${target.port}/`));
    await refuses(`http://changing.example:${target.port}/`, NOT_ALLOWED, rebound);
    assert.equal(asked.length, 2, 'asked once for each download');
    assert.equal(target.connections(), 1);
  });

  test('would reach the canary without the policy', async () => {
    const allowed = downloadsWith({ allow: ['127.0.0.0/8', '::1/128'], secondsMax: 5 });
    const quiet = canary.connections();
    const responses = ['127.0.0.1', '127.0.0.2', '2130706433', '[::1]', '[::ffff:127.0.0.1]'].map(
      (host) => `http://${host}:${canary.port}/`,
    );
    for (const address of responses) {
      assert.match(refusalOf(await allowed.fetch(address)).message, /status 404/, address);
    }
    assert.equal(canary.connections() - quiet, responses.length);
  });
});

describe('reachable addresses', () => {
  test('include the public internet on ports 80 and 443', () => {
    const mayReach = createAddressPolicy([]);
    const addresses = [
      '8.8.8.8',
      '93.184.216.34',
      '172.15.0.1',
      '172.32.0.1',
      '192.167.1.1',
      '100.63.0.1',
      '100.128.0.1',
    ];
    const newer = ['2606:4700:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'];
    for (const address of [...addresses, ...newer]) {
      assert.equal(mayReach(address, 80), true, address);
      assert.equal(mayReach(address, 443), true, address);
      assert.equal(mayReach(address, 8080), false, address);
    }
  });

  test('include allowed ranges on any port, and no others', () => {
    const mayReach = createAddressPolicy(['10.1.0.0/16', 'fd00:1::/32']);
    for (const address of ['10.1.0.0', '10.1.255.255', '::ffff:10.1.2.3', 'fd00:1::5']) {
      assert.equal(mayReach(address, 9000), true, address);
    }
    for (const address of ['10.0.255.255', '10.2.0.0', '::ffff:10.2.0.0', 'fd00:2::5', '127.0.0.1']) {
      assert.equal(mayReach(address, 80), false, address);
    }
  });

  test('accept a single address as a range', () => {
    const mayReach = createAddressPolicy(['10.0.0.1', '::1']);
    assert.deepEqual(
      ['10.0.0.1', '10.0.0.2', '::1', '::2'].map((address) => mayReach(address, 9)),
      [true, false, true, false],
    );
  });

  test('reject an invalid range at the start', () => {
    for (const range of ['', '10.0.0.256', '10.0.0.0/33', 'localhost/8', '10.0.0.0/8 ']) {
      assert.throws(
        () => createAddressPolicy([range]),
        /is not a range of addresses; write it like 10\.0\.0\.0\/8/,
        range,
      );
    }
  });
});

describe('concurrent downloads', () => {
  test('run eight at a time, queue 64, and reject the next', async () => {
    const held: ServerResponse[] = [];
    let peak = 0;
    let open = false;
    const address = await serve((_, response) => {
      if (open) return response.end(png);
      held.push(response);
      peak = Math.max(peak, held.length);
    });
    const busy = downloadsWith({ secondsMax: 60 });
    const running = Array.from({ length: 72 }, () => busy.fetch(address));
    await assert.rejects(busy.fetch(address), Overloaded);
    while (held.length < 8) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(peak, 8);
    open = true;
    for (const response of held) response.end(png);
    for (const response of await Promise.all(running)) assert.ok(png.equals(bytesOf(response)));
    assert.ok(png.equals(bytesOf(await busy.fetch(address))), 'and then there is room again');
  });

  test('are rejected if they wait too long for a slot', async () => {
    const address = await serveRaw(() => {});
    const busy = downloadsWith({ secondsMax: 1, waitingSecondsMax: 0.3 });
    let ended = 0;
    const running = Array.from({ length: 8 }, () =>
      busy.fetch(address).finally(() => {
        ended += 1;
      }),
    );
    await assert.rejects(busy.fetch(address), Overloaded);
    assert.equal(ended, 0, 'it did not wait for one of them to end');
    for (const response of await Promise.all(running)) assert.match(refusalOf(response).message, /longer than 1 s/);
    assert.match(refusalOf(await busy.fetch(address)).message, /longer than 1 s/, 'and then there is room again');
  });

  test('end when the downloads are closed', async () => {
    const address = await serveRaw(() => {});
    const closing = createDownloads({ ...settings, secondsMax: 60 });
    const response = closing.fetch(address);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await closing.close();
    assert.equal(refusalOf(await response).refused, 'download');
  });
});

function downloadsWith(options: Partial<DownloadOptions>) {
  const made = createDownloads({ ...settings, ...options });
  closers.push(() => made.close());
  return made;
}

async function refuses(address: string, message: string, by = downloads): Promise<void> {
  assert.deepEqual(await by.fetch(address), { refused: 'download', message });
}

function refusalOf(response: Uint8Array | FileRejection): FileRejection {
  assert.ok(!(response instanceof Uint8Array), 'downloaded');
  return response;
}

function bytesOf(response: Uint8Array | FileRejection): Uint8Array {
  assert.ok(response instanceof Uint8Array, JSON.stringify(response));
  return response;
}

function lookupReturning(addresses: string[], asked: string[] = []): Lookup {
  return (name, _, callback) => {
    asked.push(name);
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  };
}

async function serve(handler: RequestListener): Promise<string> {
  const { port } = await listen(createServer(handler), '127.0.0.1');
  return `http://127.0.0.1:${port}`;
}

async function serveRaw(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createSocketServer((socket) => socket.once('data', () => onConnection(socket)));
  const { port } = await listen(server, '127.0.0.1');
  return `http://127.0.0.1:${port}`;
}

async function listen(server: Server, host: string, port = 0) {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  if (host === '::') server.on('request', (_, response: ServerResponse) => response.writeHead(404).end());
  server.listen(port, host);
  await once(server, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  closers.push(close);
  return { port: (server.address() as AddressInfo).port, connections: () => connections, close };
}

/** Writes until the remote side stops reading. @returns number of bytes */
function flood(response: ServerResponse): number {
  const piece = Buffer.alloc(65_536);
  let written = 0;
  do written += piece.length;
  while (response.write(piece) && !response.destroyed);
  return written;
}

function drip(socket: Socket, beginning: string): void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write('x'), 100);
  socket.on('close', () => clearInterval(timer));
}
