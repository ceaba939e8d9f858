/**
 * Server-side request forgery through image downloads. Runs in a network namespace where every IPv4 and IPv6 address is local,
 * so that every connection arrives. `inside.ts` contains the canaries, a DNS server and the downloader.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Broken } from '../ledger.ts';
import { DoesNotApply, type Run } from '../report.ts';

/** Makes all addresses local, and resolves names only with the DNS server of the test. */
const SETUP = `
  set -e
  ip link set lo up
  ip route add local 0.0.0.0/1 dev lo
  ip route add local 128.0.0.0/1 dev lo
  ip -6 route add local ::/1 dev lo
  ip -6 route add local 8000::/1 dev lo
  mount --bind "$FOLDER/resolv.conf" /etc/resolv.conf
  mount --bind "$FOLDER/hosts" /etc/hosts
  exec "$@"
`;

export interface Figures {
  readonly payloads: number;
  readonly arrivals: number;
  readonly attempts: number;
  readonly unguarded: number;
  readonly passed: number;
  readonly good: number;
}

export function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces are of Linux';
  const { status } = spawnSync('unshare', [
    '-n',
    '-m',
    'sh',
    '-c',
    'ip link set lo up && ip route add local 0.0.0.0/1 dev lo',
  ]);
  return status === 0 ? undefined : 'it needs root, and unshare and ip (Debian: util-linux, iproute2)';
}

export async function ssrf({ folder, say }: Run): Promise<Figures> {
  const reason = whyNot();
  if (reason) throw new DoesNotApply(reason);
  writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.53\noptions timeout:1 attempts:1\n');
  writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost\n::1 localhost ip6-localhost\n');
  const inside = [process.execPath, new URL('./inside.ts', import.meta.url).pathname];
  // The downloader must ignore these: a connection to the proxy would be an arrival.
  const proxy = 'http://127.0.0.1:3128';
  const child = spawn('unshare', ['-n', '-m', 'sh', '-c', SETUP, 'sh', ...inside], {
    env: {
      PATH: process.env.PATH,
      FOLDER: folder,
      HTTP_PROXY: proxy,
      http_proxy: proxy,
      https_proxy: proxy,
      ALL_PROXY: proxy,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  const [code] = await ended;
  const last = lines.pop() ?? '';
  for (const line of lines) say(line);
  if (code !== 0) throw new Error(`The process in the namespace exited with ${code}.`);
  const figures = JSON.parse(last) as Figures;
  say(
    `${figures.payloads} payloads: ${figures.arrivals} arrivals, ${figures.attempts} unexpected connection attempts; ` +
      `${figures.passed} of ${figures.good} valid addresses accepted. Without protection ${figures.unguarded} arrive.`,
  );
  if (figures.arrivals + figures.attempts > 0) throw new Broken('A download connected to a forbidden address.', []);
  if (figures.passed < figures.good) throw new Broken('A valid address was rejected.', []);
  return figures;
}
