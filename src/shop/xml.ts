/** Texts of records as text in XML. */
import { Parser } from 'htmlparser2';

/** Characters that XML 1.0 cannot contain, not even escaped. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export function xmlText(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>]/g, (character) => ESCAPES[character]!);
}

/** Elements without visible text. */
const INVISIBLE = new Set(['script', 'style', 'template', 'head', 'noscript']);

/** Longer texts are cut before they are parsed. Far more than a feed shows. */
const HTML_LENGTH_MAX = 100_000;

/** Returns the visible text of HTML on one line, with at most so many characters. */
export function plainText(html: string, lengthMax: number): string {
  let text = '';
  let invisible = 0;
  const source = html.slice(0, HTML_LENGTH_MAX);
  if (/[<&]/.test(source)) {
    const parser = new Parser({
      onopentagname: (name) => {
        if (INVISIBLE.has(name)) invisible += 1;
        text += ' ';
      },
      onclosetag: (name) => {
        if (INVISIBLE.has(name)) invisible = Math.max(0, invisible - 1);
        text += ' ';
      },
      ontext: (part) => {
        if (invisible === 0) text += part;
      },
    });
    parser.end(source);
  } else text = source;
  return shortened(text.replace(/\s+/g, ' ').trim(), lengthMax);
}

/** @param lengthMax in code points */
export function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return [...text.slice(0, lengthMax * 2)].slice(0, lengthMax).join('').trimEnd();
}
