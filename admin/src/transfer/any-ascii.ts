/** `any-ascii` for this page: the same results, with a table that `loadTransliteration` reads first. */
import tableUrl from 'virtual:transliteration-url';

let table: Readonly<Record<string, string>> | undefined;

/** Must be done before a file is read. @throws {TypeError} if the store does not respond */
export async function loadTransliteration(): Promise<void> {
  table ??= await (await fetch(tableUrl)).json();
}

/** Transliterates a text into ASCII. */
export default function anyAscii(text: string): string {
  let result = '';
  for (const character of text) {
    const codePoint = character.codePointAt(0)!;
    result += codePoint <= 0x7f ? character : (table![codePoint >>> 8]?.split('\t')[codePoint & 0xff] ?? '');
  }
  return result;
}
