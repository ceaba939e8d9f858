/**
 * File systems that a test may break: ext4 in a file, for power cuts, and a tmpfs of a fixed size. They require root and Linux;
 * otherwise the run is skipped.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { DoesNotApply } from './report.ts';

const execute = promisify(execFile);

/** @throws {DoesNotApply} unless this process is root on Linux */
export function needRoot(what: string): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new DoesNotApply(`${what} needs Linux and root.`);
}

/** @param tools Debian packages by program @throws {DoesNotApply} with the package to install */
export function needTools(tools: Readonly<Record<string, string>>): void {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  for (const [tool, debianPackage] of Object.entries(tools))
    if (!folders.some((folder) => isProgram(join(folder, tool))))
      throw new DoesNotApply(`${tool} is missing: apt-get install ${debianPackage}`);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The programs that `Ext4` requires, with their Debian packages. */
export const EXT4_TOOLS = { perl: 'perl', 'mkfs.ext4': 'e2fsprogs', losetup: 'mount', mount: 'mount', umount: 'mount' };

/** Folders to unmount when this process exits. */
const mounted = new Set<string>();
process.once('exit', () => {
  for (const folder of mounted) spawnSync('umount', ['-l', folder]);
});

/** An ext4 file system in a file, mounted through a loop device. */
export class Ext4 {
  readonly folder: string;
  readonly #file: string;
  #isMounted = false;

  private constructor(file: string, folder: string) {
    this.#file = file;
    this.folder = folder;
  }

  static async make(below: string, megabytes: number): Promise<Ext4> {
    const disk = new Ext4(join(below, 'disk.ext4'), join(below, 'mounted'));
    writeFileSync(disk.#file, '');
    truncateSync(disk.#file, megabytes * 2 ** 20);
    mkdirSync(disk.folder);
    await execute('mkfs.ext4', ['-q', '-F', disk.#file]);
    try {
      await disk.mount();
    } catch (error) {
      throw new DoesNotApply(`a file cannot be mounted here: ${(error as Error).message}`);
    }
    return disk;
  }

  async mount(): Promise<void> {
    await execute('mount', ['-o', 'loop', this.#file, this.folder]);
    this.#isMounted = true;
    mounted.add(this.folder);
  }

  /** Retries, because a process that was just killed may still use the file system. */
  async unmount(): Promise<void> {
    for (let attempt = 1; this.#isMounted; attempt += 1)
      try {
        await execute('umount', [this.folder]);
        this.#isMounted = false;
        mounted.delete(this.folder);
      } catch (error) {
        if (attempt === UNMOUNT_ATTEMPTS_MAX) throw error;
        await new Promise((resolve) => setTimeout(resolve, UNMOUNT_PAUSE_MS));
      }
  }

  /** Starts a process that performs the cut without delay when it is triggered. */
  async armCut(): Promise<Cut> {
    const child = spawn('perl', ['-e', CUT, this.folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ended = once(child, 'exit');
    await lines.next();
    return {
      async cut() {
        child.stdin.end('cut\n');
        const { value } = await lines.next();
        await ended;
        const [, seconds, nanoseconds] = /^cut at (\d+)\.(\d{9})$/.exec(value ?? '') ?? [];
        if (seconds === undefined) throw new DoesNotApply(`this kernel's ext4 cannot be shut down: ${value}`);
        return BigInt(seconds + nanoseconds);
      },
      async disarm() {
        child.stdin.end();
        await ended;
      },
    };
  }
}

export interface Cut {
  /** Prevents all further writes to the disk. @returns the time just before, on the clock of `process.hrtime` */
  cut(): Promise<bigint>;
  disarm(): Promise<void>;
}

const UNMOUNT_ATTEMPTS_MAX = 100;
const UNMOUNT_PAUSE_MS = 50;

/**
 * Sends `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`, as `xfs_io -x -c shutdown` does: the file system stops
 * immediately, and data that was not synced is lost at the next mount.
 */
const CUT = `
  use strict; use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
  $| = 1;
  open(my $folder, '<', $ARGV[0]) or die "open: $!";
  print "armed\\n";
  my $line = <STDIN>;
  exit 0 unless defined $line;
  my $flags = pack('L', 2);
  my $now = clock_gettime(CLOCK_MONOTONIC);
  my $done = ioctl($folder, 0x8004587d, $flags);
  if ($done) { printf "cut at %.9f\\n", $now } else { print "ioctl: $!\\n" }
`;

/** A tmpfs of a fixed size. */
export class SmallDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(below: string, options: string, name = 'small'): Promise<SmallDisk> {
    const disk = new SmallDisk(join(below, name));
    mkdirSync(disk.folder, { recursive: true });
    try {
      await execute('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk.folder]);
    } catch (error) {
      throw new DoesNotApply(`a tmpfs cannot be mounted here: ${(error as Error).message}`);
    }
    mounted.add(disk.folder);
    return disk;
  }

  async unmount(): Promise<void> {
    await execute('umount', [this.folder]);
    mounted.delete(this.folder);
  }
}
