/** The error for invalid declarations, which prevents the start. It names the resource, the fault and the remedy. */

/** A declaration that contradicts itself or another. */
class ContradictoryDeclaration extends Error {
  override readonly name = 'ContradictoryDeclaration';
}

/**
 * @param fault continues the resource's name, e.g. `field name is required and nullable`
 * @param remedy an imperative, without full stop
 * @throws {ContradictoryDeclaration}
 */
export function contradict(resource: string, fault: string, remedy: string): never {
  const advice = remedy.charAt(0).toUpperCase() + remedy.slice(1);
  throw new ContradictoryDeclaration(`${resource}: ${fault}. ${advice}.`);
}
