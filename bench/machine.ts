/** The benchmark's questions to the machine that it runs on. */
import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';

export function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}

export function describeMachine(): string {
  return `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, Node ${process.versions.node}`;
}

/** Bytes of memory that a process holds, shared pages included. */
export function residentBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}
