/**
 * Starts the interactive reference in the browser. Everything is addressed from where the page is, so that it works behind
 * any proxy; whatever would speak to another host is off.
 */
const here = `${location.origin}${location.pathname.replace(/(\/docs)?\/*$/, '')}`;

documentForScalar().then((content) => {
  document.getElementById('loading').remove();
  Scalar.createApiReference('#reference', {
    content,
    servers: [{ url: here, description: 'This store' }],
    authentication: { preferredSecurityScheme: 'apiKey' },
    persistAuth: false,
    layout: 'modern',
    theme: 'default',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'json',
    defaultOpenFirstTag: false,
    modelsSectionLabel: 'Schemas',
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
});

/**
 * Scalar takes `application/ld+json` for another spelling of `application/json` and shows the example of whichever stands
 * last. So the first type stands once more behind them, spelled with its charset.
 */
async function documentForScalar() {
  const described = await (await fetch(`${here}/openapi.json`)).json();
  const operations = Object.values(described.paths).flatMap(Object.values);
  const answers = [...operations, described.components].flatMap(({ responses }) => Object.values(responses));
  for (const { content } of answers) {
    const [first] = Object.entries(content ?? {});
    if (first) content[`${first[0]}; charset=utf-8`] = first[1];
  }
  return described;
}
