/** Minimal XML parser for S3 responses: texts of elements without attributes. */

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Yields the raw content of each element with this name. */
export function* elementsOf(xml: string, name: string): Generator<string> {
  const [startTag, endTag] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(startTag); at >= 0; at = xml.indexOf(startTag, at)) {
    const from = at + startTag.length;
    const to = xml.indexOf(endTag, from);
    if (to < 0) return;
    yield xml.slice(from, to);
    at = to;
  }
}

/** Returns the decoded text of the first element with this name. */
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
