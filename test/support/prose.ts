/** The sentences and table cells of pages and comments, for the checks of how they are written. */
import type { Source } from './citations.ts';

/** A piece of prose (a paragraph, an item of a list, a table's cell, a comment) and where it begins. */
export interface Prose {
  readonly where: string;
  readonly text: string;
}

/** @returns the cells of a page's tables, without the lines between head and body */
export function cellsOf({ file, text }: Source): Prose[] {
  return linesOutsideCode(text).flatMap(({ line, number }) =>
    isOfTable(line) && !/^\|[\s|:-]+$/.test(line)
      ? line
          .replace(/^\||\|\s*$/g, '')
          .split(/(?<!\\)\|/)
          .map((cell) => ({ where: `${file}:${number}`, text: cell.trim() }))
      : [],
  );
}

/** @returns how many words the text has; signs such as `÷` are none */
export function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** @returns all prose of a page, or of the comments of a file of code */
export function proseOf(source: Source): Prose[] {
  return source.file.endsWith('.md') ? [...cellsOf(source), ...paragraphsOf(source)] : commentsOf(source);
}

/** @returns each sentence that begins with “Who …” or “What …” and asks nothing */
export function freeRelativesIn({ where, text }: Prose): Prose[] {
  return sentencesOf(text)
    .filter((sentence) => /^(?:Who|What) /.test(sentence) && !/\?[)”"*_]*$/.test(sentence))
    .map((sentence) => ({ where, text: sentence }));
}

/** Marks such as `**` and `“` before a sentence are left out; a tag such as `@returns` begins one. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?:][)”"*_]*) (?=[“"(*_]*[A-Z])|@(?:returns|throws)(?: \{[^}]*\})? /)
    .map((sentence) => sentence.trim().replace(/^[“"(*_]+/, ''));
}

function paragraphsOf({ file, text }: Source): Prose[] {
  const paragraphs: { where: string; text: string }[] = [];
  let isOpen = false;
  for (const { line, number } of linesOutsideCode(text)) {
    if (line.trim() === '' || isOfTable(line)) {
      isOpen = false;
      continue;
    }
    const [, mark = '', words = ''] = /^\s*((?:#{1,6}|[-*]|\d+\.) )?(.*)$/.exec(line)!;
    if (isOpen && mark === '') paragraphs.at(-1)!.text += ` ${words}`;
    else paragraphs.push({ where: `${file}:${number}`, text: words });
    isOpen = !mark.startsWith('#');
  }
  return paragraphs;
}

function linesOutsideCode(text: string): { readonly line: string; readonly number: number }[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? [] : [{ line, number: index + 1 }];
  });
}

function isOfTable(line: string): boolean {
  return line.startsWith('|');
}

const COMMENT = /(?<=^|\s)(?:\/\*\*?\s[\s\S]*?\*\/|\/\/ [^\n]*(?:\n[ \t]*\/\/ [^\n]*)*)/g;

function commentsOf({ file, text }: Source): Prose[] {
  return [...text.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const first = text.slice(0, index).split('\n').length;
    // A blank line in a comment ends a sentence.
    return comment
      .replace(/\*\/$/, '')
      .split('\n')
      .map((line) => line.replace(/^\s*(?:\/\*\*?|\*|\/\/)\s?/, ''))
      .join('\n')
      .split(/\n\s*\n/)
      .map((words) => ({ where: `${file}:${first}`, text: words }));
  });
}
