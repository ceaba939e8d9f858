/** Simulates a bad network on loopback, in a separate network namespace: drops or resets packets of one port. */
import { execFileSync, spawnSync } from 'node:child_process';
import { needRoot, needTools } from './disk.ts';

const RULES = {
  clear: 'accept',
  lossy: 'numgen random mod 100 < 30 drop',
  resetting: 'numgen random mod 100 < 5 reject with tcp reset',
  gone: 'drop',
};
export type Way = keyof typeof RULES;

const INSIDE = 'TORTURE_NETWORK';

export function hasOwnNetwork(): boolean {
  return process.env[INSIDE] !== undefined;
}

/** Runs the same command with the same seed in a new network namespace, which disappears with its last process. */
export function rerunInOwnNetwork(seed: number): void {
  needRoot('A network namespace');
  needTools({ nft: 'nftables', ip: 'iproute2', unshare: 'util-linux' });
  const again = [process.execPath, ...process.argv.slice(1), '--seed', String(seed)];
  const { status } = spawnSync('unshare', ['-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...again], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: 'own' },
  });
  if (status !== 0) throw new Error(`The run in the network namespace exited with ${status}.`);
}

/** Changes the treatment of all packets to and from a port. */
export function setNetwork(port: number, way: Way): void {
  const rules = ['dport', 'sport'].map((end) => `tcp ${end} ${port} ${RULES[way]}`).join('; ');
  const chain = `chain out { type filter hook output priority 0; ${rules}; }`;
  // The table is added first so that the delete cannot fail.
  const input = `add table inet torture\ndelete table inet torture\ntable inet torture { ${chain}; }\n`;
  execFileSync('nft', ['-f', '-'], { input, stdio: ['pipe', 'ignore', 'inherit'] });
}
