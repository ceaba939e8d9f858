/** Loopback as a bad network: packets to and from one port are lost or answered with a reset, in a network of its own. */
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

/** The same command with the same seed, where rules for packets touch nobody else and go with the last process. */
export function rerunInOwnNetwork(seed: number): void {
  needRoot('A network of its own');
  needTools({ nft: 'nftables', ip: 'iproute2', unshare: 'util-linux' });
  const again = [process.execPath, ...process.argv.slice(1), '--seed', String(seed)];
  const { status } = spawnSync('unshare', ['-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...again], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: 'own' },
  });
  if (status !== 0) throw new Error(`In its own network the run ended with ${status}.`);
}

/** From now on, for every packet to and from the port. */
export function setNetwork(port: number, way: Way): void {
  const rules = ['dport', 'sport'].map((end) => `tcp ${end} ${port} ${RULES[way]}`).join('; ');
  const chain = `chain out { type filter hook output priority 0; ${rules}; }`;
  // Added first, so that there is one to delete.
  const input = `add table inet torture\ndelete table inet torture\ntable inet torture { ${chain}; }\n`;
  execFileSync('nft', ['-f', '-'], { input, stdio: ['pipe', 'ignore', 'inherit'] });
}
