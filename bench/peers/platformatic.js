/** Serves one SQLite file with Platformatic DB, in this process: `platformatic.js FILE PORT SECRET`. */
import { create } from '@platformatic/db';

const [file, port, adminSecret] = process.argv.slice(2);

const server = await create(import.meta.dirname, {
  module: '@platformatic/db',
  server: { hostname: '127.0.0.1', port: Number(port), logger: { level: 'error' } },
  db: { connectionString: `sqlite://${file}`, openapi: true, graphql: false },
  // Rejects requests without the secret.
  authorization: { adminSecret },
});
await server.start({ listen: true });
