/** Facts about the machine that runs the benchmark. */
import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';

export function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}

export function describeMachine(): string {
  return `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, Node ${process.versions.node}`;
}

/** @returns the resident memory of a process in bytes, including shared pages */
export function residentBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}
