/**
 * Starts the interactive reference in the browser. Everything is addressed from where the page is, so that it works behind
 * any proxy; whatever would speak to another host is off.
 */
const here = `${location.origin}${location.pathname.replace(/(\/docs)?\/*$/, '')}`;

document.getElementById('loading').remove();
Scalar.createApiReference('#reference', {
  url: `${here}/openapi.json`,
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
