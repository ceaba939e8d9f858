/** The text that people read: documentation, comments, and strings of at least four words. */
import { globSync, readFileSync } from 'node:fs';

export interface Prose {
  readonly kind: 'documentation' | 'comments' | 'messages';
  readonly file: string;
  /** The file with everything else blanked out, so that line numbers stay. */
  readonly text: string;
}

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const PAGES = ['*.md', '{bench,clients,docs,packages,src,test,torture}/**/*.md'];
const CODE = ['{admin/src,bench,clients,packages,renew,src,test,torture}/**/*.{ts,tsx}', 'admin/*.ts'];
const FOREIGN = /(^|\/)(node_modules|dist|generated|snapshots|data|\.vitepress)(\/|$)/;
const GENERATED = 'src/client/types.ts';

const TOKEN = /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const FOUR_WORDS = /[A-Za-z]{2,} [a-z]+ [a-z'’]+ [a-z]/;

export function readProse(): Prose[] {
  return [...pathsOf(PAGES).map(readPage), ...pathsOf(CODE).flatMap(readCode)];
}

function pathsOf(patterns: readonly string[]): string[] {
  return patterns
    .flatMap((pattern) => globSync(pattern, { exclude: (path) => FOREIGN.test(path) }))
    .filter((file) => file !== GENERATED);
}

function readPage(file: string): Prose {
  const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, blank);
  return { kind: 'documentation', file, text };
}

function readCode(file: string): Prose[] {
  return proseOfCode(file, readFileSync(file, 'utf8'));
}

/** @returns the comments and the messages of a source file */
export function proseOfCode(file: string, source: string): Prose[] {
  let comments = '';
  let messages = '';
  let last = 0;
  for (const match of source.matchAll(TOKEN)) {
    const [part] = match;
    const between = blank(source.slice(last, match.index));
    const isComment = part.startsWith('/');
    const isMessage = !isComment && FOUR_WORDS.test(part);
    comments += between + (isComment ? part.replace(/`[^`\n]*`/g, blank) : blank(part));
    messages += between + (isMessage ? part.replace(/\$\{[^}]*\}/g, blank) : blank(part));
    last = match.index + part.length;
  }
  const isProgram = /^(?:admin\/)?src\//.test(file);
  return [
    { kind: 'comments', file, text: comments },
    ...(isProgram ? [{ kind: 'messages', file, text: messages } as const] : []),
  ];
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

export function countWords(text: string): number {
  return (text.match(/[A-Za-z’']+/g) ?? []).length;
}

/** @returns every match of the pattern, with its line */
export function find({ file, text }: Pick<Prose, 'file' | 'text'>, pattern: RegExp): Finding[] {
  const lines = text.split('\n');
  return [...text.matchAll(pattern)].map(({ index }) => {
    const line = text.slice(0, index).split('\n').length;
    return { file, line, text: lines[line - 1]!.trim() };
  });
}
