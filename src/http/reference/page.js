/**
 * Starts the interactive reference in the browser. All addresses are relative to the page, so that it works behind any proxy.
 * Features of Scalar that would send requests to other hosts are disabled.
 */
const here = `${location.origin}${location.pathname.replace(/(\/docs)?\/*$/, '')}`;

documentForScalar().then((content) => {
  onFirstChild(document.getElementById('reference'), () => document.getElementById('loading').remove());
  if (location.hash === '') openFirstTag();
  Scalar.createApiReference('#reference', {
    content,
    servers: [{ url: here, description: 'This store' }],
    authentication: { preferredSecurityScheme: Object.keys(content.components.securitySchemes)[0] },
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

/** Calls a function when the element gets content, before the browser paints it. */
function onFirstChild(element, act) {
  const observer = new MutationObserver(() => {
    observer.disconnect();
    act();
  });
  observer.observe(element, { childList: true });
}

/** Shows the operations of the first tag in the sidebar. Scalar's own setting opens only the group of tags. */
function openFirstTag() {
  const observer = new MutationObserver(() => {
    const button = document.querySelector('[data-sidebar-id*="/tag/"] button[aria-expanded="false"]');
    if (!button) return;
    observer.disconnect();
    button.click();
  });
  observer.observe(document.getElementById('reference'), { childList: true, subtree: true });
}

async function documentForScalar() {
  const described = await (await fetch(`${here}/openapi.json`)).json();
  const { components } = described;
  const paths = Object.values(described.paths);
  const operations = paths.flatMap(({ parameters: _, ...methods }) => Object.values(methods));
  for (const { parameters } of [...paths, ...operations, { parameters: Object.values(components.parameters) }])
    for (const parameter of parameters ?? []) suggestExample(parameter);
  for (const { responses } of [...operations, components])
    for (const response of Object.values(responses)) distinguishLinkedData(response);
  return described;
}

/** Shows the example of an optional parameter, but sends it only if the user enables the parameter. */
function suggestExample(parameter) {
  if (parameter.required || !('example' in parameter)) return;
  parameter.examples = { default: { value: parameter.example, 'x-disabled': true } };
  delete parameter.example;
}

/**
 * Scalar treats `application/ld+json` as another spelling of `application/json`, and shows the example of the last one. It does
 * not know that media types are case-insensitive (RFC 9110 §8.3.1), so capitals make it show plain JSON until the user chooses.
 */
function distinguishLinkedData(response) {
  if (!response.content) return;
  const types = Object.entries(response.content).map(([type, media]) => [type.replace('ld+json', 'ld+JSON'), media]);
  response.content = Object.fromEntries(types);
}
