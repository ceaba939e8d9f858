/** Malicious image addresses. `pub.test` is the only public host. */

export const PUBLIC = '93.184.215.14';
export const PUBLIC_V6 = '2606:2800:21f::14';

export interface Payload {
  readonly address: string;
  /** Expected number of connections to the public host before the download is rejected. */
  readonly hops: number;
}

/** DNS records by name and type: one entry per query, the last one repeats. */
export const NAMES: Readonly<Record<string, { A?: readonly string[][]; AAAA?: readonly string[][] }>> = {
  'pub.test': { A: [[PUBLIC]] },
  'pub6.test': { AAAA: [[PUBLIC_V6]] },
  'both.test': { A: [[PUBLIC]], AAAA: [[PUBLIC_V6]] },
  'loop.test': { A: [['127.0.0.1']] },
  'meta.test': { A: [['169.254.169.254']] },
  'lan.test': { A: [['192.168.1.10']] },
  'cgnat.test': { A: [['100.64.0.1']] },
  'zero.test': { A: [['0.0.0.0']] },
  'azure.test': { A: [['168.63.129.16']] },
  'v6loop.test': { AAAA: [['::1']] },
  'v6ula.test': { AAAA: [['fd00:ec2::254']] },
  'v6mapped.test': { AAAA: [['::ffff:169.254.169.254']] },
  'v6nat64.test': { AAAA: [['64:ff9b::7f00:1']] },
  'v6sixtofour.test': { AAAA: [['2002:7f00:1::1']] },
  'mixed.test': { A: [[PUBLIC, '127.0.0.1']] },
  'mixed2.test': { A: [['10.0.0.1', PUBLIC]] },
  'mixed6.test': { A: [[PUBLIC]], AAAA: [['::1']] },
  'mixedula.test': { A: [['127.0.0.1']], AAAA: [[PUBLIC_V6]] },
  'rebind.test': { A: [[PUBLIC], ['127.0.0.1']] },
  'rebind6.test': { AAAA: [[PUBLIC_V6], ['::1']] },
  'rebind-twice.test': { A: [['127.0.0.1'], [PUBLIC], ['127.0.0.1']] },
};

const loopback = ['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1'];
// biome-ignore format: a table
const literals = [
  ...loopback, '127.255.255.254', '0', '0.0.0.0', '１２７.０.０.１', '127。0。0。1', '127.0.0.1.', '%31%32%37.0.0.1',
  '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '0xc0a80001', '100.64.0.1', '100.100.100.200',
  '169.254.169.254', '0xa9fea9fe', '2852039166', '168.63.129.16', '192.0.0.192', '198.18.0.1', '203.0.113.1', '240.0.0.1',
  '[::1]', '[::]', '[fc00::1]', '[fd00:ec2::254]', '[fec0::1]', '[2001:db8::1]', '[2001:0:7f00:1::]', '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]',
];

const names = Object.keys(NAMES).filter((name) => !/^(pub6?|both|rebind.*)\.test$/.test(name));
const sent = (to: string, status = 302) => `/to/${status}/${encodeURIComponent(to)}`;

export const PAYLOADS: readonly Payload[] = [
  ...literals.map((host) => ({ address: `http://${host}/`, hops: 0 })),
  ...[...names, 'localhost', 'localhost.', 'a.localhost'].map((host) => ({ address: `http://${host}/`, hops: 0 })),
  // DNS rebinding: the name is public when it is checked and private later. The downloader must connect to the address that
  // it checked.
  ...['rebind.test', 'rebind6.test', 'rebind-twice.test'].map((host) => ({
    address: `http://${host}/status/404`,
    hops: 1,
  })),
  ...[301, 302, 303, 307, 308].map((status) => ({
    address: `http://pub.test${sent('http://127.0.0.1/', status)}`,
    hops: 1,
  })),
  { address: `http://pub.test${sent('http://meta.test/latest/meta-data')}`, hops: 1 },
  { address: `http://pub.test${sent(`http://${PUBLIC}${sent('http://[::1]/')}`)}`, hops: 2 },
  {
    address: `http://pub.test${sent(`http://pub.test${sent(`http://pub.test${sent('http://10.0.0.1/')}`)}`)}`,
    hops: 3,
  },
  { address: `http://pub.test${sent('//127.0.0.1/')}`, hops: 1 },
  { address: `http://pub.test${sent('https://127.0.0.1/')}`, hops: 1 },
  { address: `http://pub.test${sent('gopher://127.0.0.1:6379/_INFO')}`, hops: 1 },
  { address: `http://pub.test${sent('file:///etc/passwd')}`, hops: 1 },
  { address: `http://pub.test${sent('http://pub.test:6379/')}`, hops: 1 },
  { address: `http://pub.test${sent('http://user:word@127.0.0.1/')}`, hops: 1 },
  { address: 'http://pub.test@127.0.0.1/', hops: 0 },
  { address: 'http://127.0.0.1\\@pub.test/', hops: 0 },
  { address: 'http://127.0.0.1#@pub.test/', hops: 0 },
  { address: 'http://pub.test%2f@127.0.0.1/', hops: 0 },
  { address: 'http:127.0.0.1/', hops: 0 },
  { address: 'ht\ntp://127.0.0.1/', hops: 0 },
  { address: 'https://127.0.0.1/', hops: 0 },
  ...[22, 25, 6379, 8080].map((port) => ({ address: `http://pub.test:${port}/`, hops: 0 })),
  { address: 'ftp://127.0.0.1/', hops: 0 },
  { address: 'gopher://127.0.0.1:6379/_INFO', hops: 0 },
];

/** Addresses from which an image must be downloaded, with the number of connections. */
export const GOOD: readonly Payload[] = [
  { address: 'http://pub.test/picture', hops: 1 },
  { address: `http://${PUBLIC}/picture`, hops: 1 },
  { address: `http://[${PUBLIC_V6}]/picture`, hops: 1 },
  { address: 'http://pub6.test/picture', hops: 1 },
  { address: 'http://both.test/picture', hops: 1 },
  { address: `http://pub.test${sent('http://pub6.test/picture', 301)}`, hops: 2 },
];
