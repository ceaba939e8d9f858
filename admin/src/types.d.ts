declare module '@blackbox-vision/ra-language-spanish' {
  const messages: Readonly<Record<string, unknown>>;
  export default messages;
}

/** The guide to this page as HTML; `vite.config.ts` renders it. */
declare module 'virtual:guide' {
  const html: string;
  export default html;
}

/** The URL of the table of `any-ascii`; `transliteration-plugin.ts` provides it. */
declare module 'virtual:transliteration-url' {
  const url: string;
  export default url;
}
