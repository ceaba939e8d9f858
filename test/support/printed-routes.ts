/** Reads the routes of a server from the tree that Fastify prints. */

/** A path as it was registered, such as `/api/products/:id`, and its methods. */
export interface PrintedRoute {
  readonly path: string;
  readonly methods: readonly string[];
}

/** @param tree the result of `printRoutes()` */
export function* routesOf(tree: string): Iterable<PrintedRoute> {
  const path: string[] = [];
  for (const line of tree.split('\n')) {
    const [, indent, part, methods] = /^([│ ]*(?:├── |└── )?)(\S*) ?(?:\((.*)\))?$/.exec(line) ?? [];
    if (indent === undefined || part === undefined) continue;
    path.length = indent.length / 4;
    path.push(part.split('|')[0]!);
    if (methods !== undefined) yield { path: path.join(''), methods: methods.split(', ') };
  }
}
