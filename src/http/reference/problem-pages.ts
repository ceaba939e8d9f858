/** A page for each problem type, at the URL in a problem's `type`. */
import { escapeHtml, type Problem, type ProblemType, problemTypes } from '../../engine/index.ts';

export function problemListPage(): string {
  const rows = Object.entries(problemTypes).map(
    ([type, { status, title }]) =>
      `<tr><td class="status">${status}</td><td><a href="problems/${type}">${escapeHtml(title)}</a></td></tr>`,
  );
  return page({
    title: 'Problems',
    assets: '',
    body: `<nav><a href="../../api">Store REST API</a></nav>
<h1>Problems</h1>
<p>Every error answers with <code>application/problem+json</code> (RFC 9457). Its <code>type</code> leads to one of these pages.</p>
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Problem</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`,
  });
}

export function problemPage(type: ProblemType): string {
  const { status, title, explanation } = problemTypes[type];
  return page({
    title: `${status} ${title}`,
    assets: '../',
    body: `<nav><a href="../../../api">Store REST API</a> / <a href="../problems">Problems</a></nav>
<h1>${escapeHtml(title)}</h1>
<p class="status">HTTP status ${status} · <code>${type}</code></p>
<p>${escapeHtml(explanation)}</p>`,
  });
}

/** Renders a problem for people who open the admin page. @param assets URL of the reference's files */
export function rejectionPage({ problem: type, detail }: Problem, assets: string): string {
  const { status, title } = problemTypes[type];
  return page({
    title,
    assets,
    body: `<nav><a href="/api">Store REST API</a></nav>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(detail)}</p>
<p class="status">HTTP status ${status} · <a href="${assets}problems/${type}">${type}</a></p>`,
  });
}

/** @param page.assets URL of the reference's files, relative to the page */
function page({ title, assets, body }: { title: string; assets: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} – Store REST API</title>
<link rel="icon" href="${assets}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}pages.css">
</head>
<body>
<main class="document">
${body}
</main>
</body>
</html>
`;
}
