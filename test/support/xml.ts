/** XML documents of the shop: schemas to validate them, and the items of a product feed. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ofSitemap = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../node_modules/sitemap/schema/${name}`, import.meta.url)), 'utf8');

/** The elements of other namespaces in a sitemap, as search engines define them. */
const IMAGES = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.google.com/schemas/sitemap-image/1.1" elementFormDefault="qualified">
  <xsd:element name="image"><xsd:complexType><xsd:sequence><xsd:element name="loc" type="xsd:anyURI"/></xsd:sequence></xsd:complexType></xsd:element>
</xsd:schema>`;

const LINKS = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/1999/xhtml" elementFormDefault="qualified">
  <xsd:element name="link"><xsd:complexType>
    <xsd:attribute name="rel" type="xsd:string" fixed="alternate" use="required"/>
    <xsd:attribute name="hreflang" type="xsd:language" use="required"/>
    <xsd:attribute name="href" type="xsd:anyURI" use="required"/>
  </xsd:complexType></xsd:element>
</xsd:schema>`;

/** The schema of sitemaps.org for an index of sitemaps, siteindex.xsd. */
const INDEX = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" elementFormDefault="qualified">
  <xsd:element name="sitemapindex"><xsd:complexType><xsd:sequence>
    <xsd:element name="sitemap" maxOccurs="50000"><xsd:complexType><xsd:sequence>
      <xsd:element name="loc"><xsd:simpleType><xsd:restriction base="xsd:anyURI"><xsd:minLength value="12"/><xsd:maxLength value="2048"/></xsd:restriction></xsd:simpleType></xsd:element>
      <xsd:element name="lastmod" type="xsd:dateTime" minOccurs="0"/>
    </xsd:sequence></xsd:complexType></xsd:element>
  </xsd:sequence></xsd:complexType></xsd:element>
</xsd:schema>`;

const ALL = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <xsd:import namespace="http://www.sitemaps.org/schemas/sitemap/0.9" schemaLocation="sitemap.xsd"/>
  <xsd:import namespace="http://www.google.com/schemas/sitemap-image/1.1" schemaLocation="images.xsd"/>
  <xsd:import namespace="http://www.w3.org/1999/xhtml" schemaLocation="links.xsd"/>
</xsd:schema>`;

/** The schemas of a sitemap or an index, as options of `validateXML`. */
export function sitemapSchemas(text: string) {
  if (text.includes('<sitemapindex')) return { schema: [{ fileName: 'index.xsd', contents: INDEX }] };
  return {
    schema: [{ fileName: 'all.xsd', contents: ALL }],
    preload: [
      { fileName: 'sitemap.xsd', contents: ofSitemap('sitemap.xsd') },
      { fileName: 'images.xsd', contents: IMAGES },
      { fileName: 'links.xsd', contents: LINKS },
    ],
  };
}

/** The elements of each item by name; several of a name are joined by a space. */
export function itemsIn(feed: string): Record<string, string>[] {
  return [...feed.matchAll(/<item>(.*?)<\/item>/gs)].map(([, item]) => {
    const elements: Record<string, string> = {};
    for (const [, name, value] of item!.matchAll(/<g:(\w+)>([^<]*)<\/g:\1>/g))
      elements[name!] = [elements[name!], decoded(value!)].filter((one) => one !== undefined).join(' ');
    return elements;
  });
}

function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
