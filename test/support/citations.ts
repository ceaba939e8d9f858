/** Finds the citations of pages and sections in comments and in Markdown, and checks that their targets exist. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

/** The repository's Markdown pages, as paths from its root. */
const PAGES = globSync('**/*.md', { exclude: isForeign });

/** A file that may contain citations; its path is relative to the root. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

/** Code, tests and pages. */
export function sources(): Source[] {
  return globSync('{*.md,{bench,bin,clients,docs,src,test,torture}/**/*.{css,html,js,md,ts,tsx}}', {
    exclude: isForeign,
  }).map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

/** @returns each citation and whether its target exists */
export function citationsOf(source: Source): { readonly citation: string; readonly resolves: boolean }[] {
  const text = unwrapped(source.text);
  const links = source.file.endsWith('.md') ? linksIn(text) : [];
  return [
    ...links.map((link) => ({ citation: link, resolves: linkResolves(source.file, link) })),
    ...mentionsIn(text).map(({ page, sections }) => ({
      citation: [page, ...sections.map((section) => `§${section}`)].join(' '),
      resolves: mentionResolves(source.file, page, sections),
    })),
  ];
}

function isForeign(path: string): boolean {
  return /(^|\/)(node_modules|\.git|data|backups|generated|dist|coverage)$/.test(path);
}

/** Joins lines, because a citation may continue on the next line of its comment or paragraph. */
function unwrapped(text: string): string {
  return text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, ' ');
}

/** The targets of links into the repository: a path from the page, an anchor, or both. */
function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function linkResolves(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), path));
  if (!existsSync(target)) return false;
  return anchor === undefined || (statSync(target).isFile() && anchorsOf(target).has(anchor));
}

const MENTION = /(?<![\w./-])((?:[\w.-]+\/)*[\w-]+\.md)\b(?: §§?([\d.]*\d(?:(?:, | and |–)§?[\d.]*\d)*))?/g;

function mentionsIn(text: string): { page: string; sections: string[] }[] {
  return [...text.matchAll(MENTION)].map(([, page, numbers]) => ({ page: page!, sections: sectionsIn(numbers ?? '') }));
}

/** `2, 6 and 8` or `1–4` as single numbers. */
function sectionsIn(numbers: string): string[] {
  return numbers.split(/, | and /).flatMap((part) => {
    const [first = '', last] = part.replaceAll('§', '').split('–');
    if (last === undefined) return first === '' ? [] : [first];
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => String(Number(first) + index));
  });
}

/** A bare name matches any page of that name; a path is relative to the root or to the citing file. */
function mentionResolves(file: string, page: string, sections: readonly string[]): boolean {
  const paths = page.includes('/') ? [normalize(page), normalize(join(dirname(file), page))] : undefined;
  const candidates = PAGES.filter((path) => (paths ? paths.includes(path) : basename(path) === page));
  return candidates.some((path) => sections.every((section) => numbersOf(path).has(section)));
}

function numbersOf(page: string): Set<string> {
  return new Set(headingsOf(page).flatMap((heading) => /^(\d+(?:\.\d+)*)\.? /.exec(heading)?.[1] ?? []));
}

/** The anchors that GitHub gives the headings. */
function anchorsOf(page: string): Set<string> {
  return new Set(
    headingsOf(page).map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function headingsOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading!.trim());
}
