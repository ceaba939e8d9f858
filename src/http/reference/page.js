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
 * Scalar takes `application/ld+json` for another spelling of `application/json`, and shows the example of whichever stands
 * last. Types are the same in capitals (RFC 9110 §8.3.1), which it tells apart: so it shows plain JSON until the other is chosen.
 */
async function documentForScalar() {
  const described = await (await fetch(`${here}/openapi.json`)).json();
  const operations = Object.values(described.paths).flatMap(Object.values);
  const answers = [...operations, described.components].flatMap(({ responses }) => Object.values(responses));
  for (const answer of answers)
    if (answer.content)
      answer.content = Object.fromEntries(
        Object.entries(answer.content).map(([type, media]) => [type.replace('ld+json', 'ld+JSON'), media]),
      );
  return described;
}
