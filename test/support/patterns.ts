/** Collects the regular expressions of the program and proves, with automata, that each matches in linear time. */
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { checkSync } from 'recheck';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/** No subprocess, no thread and no timeouts, so that the verdict is the same on every machine. */
process.env.RECHECK_SYNC_BACKEND = 'pure';
const WITHOUT_CLOCK = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/** The checker and its version. */
export const CHECKER = `recheck ${createRequire(import.meta.url)('recheck/package.json').version}`;

export type Verdict = 'linear' | 'slow';

/** Runs the checker, which can take seconds. @param text the literal */
export function provenVerdict(text: string): Verdict {
  const end = text.lastIndexOf('/');
  const { status } = checkSync(text.slice(1, end), text.slice(end + 1), WITHOUT_CLOCK);
  return status === 'safe' ? 'linear' : 'slow';
}

export interface Pattern {
  readonly file: string;
  readonly text: string;
}

/** All literals of the sources, and all expressions that construct a `RegExp` from text. */
export function collectPatterns(): { literals: readonly Pattern[]; constructed: readonly Pattern[] } {
  const compiler = new API();
  const [project] = compiler.updateSnapshot({ openProjects: ['tsconfig.json'] }).getProjects();
  const literals: Pattern[] = [];
  const constructed: Pattern[] = [];
  for (const path of project!.rootFiles) {
    const file = relative('.', path);
    if (!file.startsWith('src/')) continue;
    const visit = (node: Node): void => {
      if (node.kind === SyntaxKind.RegularExpressionLiteral) literals.push({ file, text: node.getText() });
      if (node.kind === SyntaxKind.Identifier && node.getText() === 'RegExp')
        constructed.push({ file, text: node.parent.getText() });
      node.forEachChild(visit);
    };
    visit(project!.program.getSourceFile(path)!);
  }
  compiler.close();
  return { literals, constructed };
}
