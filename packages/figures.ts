/**
 * `npm run figures`: measures the figures of the README and the guides and writes them into the pages. It installs the packed
 * server, so it takes a while. `test/packages/installed.test.ts` checks the same figures.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A number in pages: what is measured, and where it is. */
export interface Figure {
  readonly name: string;
  /** Deviation that other platforms and updates of dependencies may cause; 0 for counts. */
  readonly tolerance: number;
  readonly measure: (project: string) => number;
  /** Pages, each with an expression whose group is the number. */
  readonly pages: readonly (readonly [page: string, pattern: RegExp])[];
}

const GUIDE = 'docs/guides/getting-started.md';
const MEGABYTE = 1e6;
const SIZE_TOLERANCE = 0.05;

export const FIGURES: readonly Figure[] = [
  {
    name: 'faults in the reliability matrix',
    tolerance: 0,
    measure: countFaults,
    pages: [
      ['README.md', /(?<=\[)(\d+)(?= faults and invalid inputs)/],
      ['docs/index.md', /(?<=under )(\d+)(?= faults and invalid inputs)/],
      ['docs/reliability.md', /(?<=They list )(\d+)(?= faults)/],
      ['docs/glossary.md', /(?<=numbered list of )(\d+)(?= faults)/],
    ],
  },
  {
    name: 'megabytes of a clone',
    tolerance: SIZE_TOLERANCE,
    measure: cloneMegabytes,
    pages: [[GUIDE, /(?<=clone needs about\s+)(\d+)(?= MB)/]],
  },
  {
    name: 'megabytes of the packed server',
    tolerance: SIZE_TOLERANCE,
    measure: (project) => megabytesIn(join(project, 'node_modules')),
    pages: [[GUIDE, /(?<=packed server\S* needs about\s+)(\d+)(?= MB)/]],
  },
];

/** Returns the figure that each page states. @throws {Error} if a page states none */
export function statedIn({ name, pages }: Figure): number[] {
  return pages.map(([page, pattern]) => {
    const [, stated] = pattern.exec(readFileSync(page, 'utf8')) ?? [];
    if (stated === undefined) throw new Error(`${page} does not state the number of ${name}.`);
    return Number(stated);
  });
}

/** Counts the ids of the reliability matrix. Several rows may have one id, and one row several. */
function countFaults(): number {
  const rows = globSync('docs/reliability/[a-l]-*.md').flatMap((page) => readFileSync(page, 'utf8').split('\n'));
  const ids = rows.flatMap((row) => /^\| ((?:[A-L]\d+(?:, )?)+) \|/.exec(row)?.[1]?.split(', ') ?? []);
  return new Set(ids).size;
}

function cloneMegabytes(): number {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
  const sources = files.filter((file) => existsSync(file)).reduce((sum, file) => sum + diskSpace(file), 0);
  return Math.round(sources / MEGABYTE) + megabytesIn(realpathSync('node_modules'));
}

/** The space of all files on disk below a folder, except caches. */
function megabytesIn(folder: string): number {
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.parentPath.includes('/.cache'))
    .reduce((sum, { parentPath, name }) => sum + diskSpace(join(parentPath, name)), 0);
  return Math.round(bytes / MEGABYTE);
}

/** In blocks of 512 bytes (POSIX `st_blocks`). */
function diskSpace(file: string): number {
  return lstatSync(file).blocks * 512;
}

if (import.meta.main) {
  const { installedProject } = await import('../test/packages/project.ts');
  const project = await installedProject();
  for (const { name, measure, pages } of FIGURES) {
    const measured = String(measure(project));
    for (const [page, pattern] of pages) writeFileSync(page, readFileSync(page, 'utf8').replace(pattern, measured));
    console.log(`${measured} ${name}`);
  }
  rmSync(dirname(project), { recursive: true });
}
