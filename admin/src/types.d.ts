declare module '@blackbox-vision/ra-language-spanish' {
  const messages: Readonly<Record<string, unknown>>;
  export default messages;
}
