/** As much XML as the answers of S3 need: the texts of elements that have no attributes. */

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The content of each such element, as it is written. */
export function* elementsOf(xml: string, name: string): Generator<string> {
  const [begin, end] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(begin); at >= 0; at = xml.indexOf(begin, at)) {
    const from = at + begin.length;
    const to = xml.indexOf(end, from);
    if (to < 0) return;
    yield xml.slice(from, to);
    at = to;
  }
}

/** The text of the first such element. */
export function textOf(xml: string, name: string): string | undefined {
  const [content] = elementsOf(xml, name);
  return content?.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (_, decimal, hex, named) =>
    named === undefined
      ? characterOf(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
      : ENTITIES[named.toLowerCase()]!,
  );
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
