/** Starts OpenStack Swift with its S3 API, from Debian packages (swift-proxy, swift-account, swift-container, swift-object). */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { freePort } from './postgres-server.ts';
import { BUCKET, ended, type S3Server, waitUntilReady } from './s3-server.ts';

const KINDS = ['account', 'container', 'object'];
const PROGRAMS = ['swift-proxy-server', ...KINDS.map((kind) => `swift-${kind}-server`), 'memcached'];
const NEEDED = [...PROGRAMS.map((name) => `/usr/bin/${name}`), '/etc/swift/swift.conf'];

/** The reason for skipping tests with Swift; undefined if it is installed. */
export const noSwift = NEEDED.every((path) => existsSync(path))
  ? undefined
  : 'Swift is not installed (Debian: swift-proxy swift-account swift-container swift-object memcached)';

const CREDENTIALS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };

/** Creates rings of one device each. Arguments: the folder, then pairs of kind and port. */
const MAKE_RINGS = `
import sys
from swift.common.ring import RingBuilder
folder = sys.argv[1]
for kind, port in zip(sys.argv[2::2], sys.argv[3::2]):
    ring = RingBuilder(2, 1, 1)
    ring.add_dev(dict(region=1, zone=1, ip='127.0.0.1', port=int(port), device='disk', weight=1))
    ring.rebalance()
    ring.get_ring().save('%s/%s.ring.gz' % (folder, kind))
`;

/** Starts a cluster of one machine with one replica and an empty bucket. */
export async function startSwift(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'purveyor-swift-'));
  const children: ChildProcess[] = [];
  const run = (program: string, ...args: string[]): ChildProcess => {
    const child = spawn(`/usr/bin/${program}`, args, { stdio: 'ignore' });
    process.once('exit', () => child.kill());
    children.push(child);
    return child;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(ended));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await mkdir(join(folder, 'devices', 'disk'), { recursive: true });
    const [memory, port, ...ports] = await Promise.all(['memcached', 'proxy', ...KINDS].map(freePort));
    run('memcached', '-l', '127.0.0.1', '-p', String(memory), '-u', 'root');
    const kindsAndPorts = KINDS.flatMap((kind, index) => [kind, String(ports[index])]);
    execFileSync('/usr/bin/python3', ['-c', MAKE_RINGS, folder, ...kindsAndPorts]);
    const endpoint = `http://127.0.0.1:${port}`;
    await writeFile(join(folder, 'proxy.conf'), proxyConfig(folder, port!, memory!));
    await Promise.all([
      waitUntilReady(`${endpoint}/healthcheck`, run('swift-proxy-server', join(folder, 'proxy.conf'))),
      ...KINDS.map(async (kind, index) => {
        const file = join(folder, `${kind}.conf`);
        await writeFile(file, backendConfig(folder, kind, ports[index]!));
        await waitUntilReady(`http://127.0.0.1:${ports[index]}/healthcheck`, run(`swift-${kind}-server`, file));
      }),
    ]);
    const client = new AwsClient({ ...CREDENTIALS, service: 's3', region: 'us-east-1', retries: 0 });
    const made = await client.fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' });
    if (!made.ok) throw new Error(`Swift did not create the bucket: ${made.status} ${await made.text()}`);
    return { endpoint, credentials: CREDENTIALS, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Options for no files outside of the folder, no log and no other processes. */
function commonConfig(folder: string, port: number, pipeline: string): string[] {
  return [
    ...[
      '[DEFAULT]',
      'bind_ip = 127.0.0.1',
      `bind_port = ${port}`,
      'workers = 0',
      'user = root',
      `swift_dir = ${folder}`,
    ],
    ...[
      `devices = ${join(folder, 'devices')}`,
      'mount_check = false',
      `lock_path = ${folder}`,
      'log_address = /nowhere',
    ],
    ...['[pipeline:main]', `pipeline = ${pipeline}`, '[filter:healthcheck]', 'use = egg:swift#healthcheck'],
  ];
}

function backendConfig(folder: string, kind: string, port: number): string {
  const app = `${kind}-server`;
  return [...commonConfig(folder, port, `healthcheck ${app}`), `[app:${app}]`, `use = egg:swift#${kind}`].join('\n');
}

function proxyConfig(folder: string, port: number, memoryPort: number): string {
  return [
    ...commonConfig(folder, port, 'healthcheck cache s3api tempauth proxy-server'),
    ...['[app:proxy-server]', 'use = egg:swift#proxy', 'account_autocreate = true'],
    ...['[filter:cache]', 'use = egg:swift#memcache', `memcache_servers = 127.0.0.1:${memoryPort}`],
    ...['[filter:tempauth]', 'use = egg:swift#tempauth', 'user_test_tester = testing .admin'],
    ...['[filter:s3api]', 'use = egg:swift#s3api', 'location = us-east-1'],
  ].join('\n');
}
