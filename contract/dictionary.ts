/**
 * A table without a prototype, for keys that come from outside: with an ordinary object, `constructor` and `toString`
 * would find the members of `Object.prototype`.
 */
export const dictionary = <Value>(entries: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.assign(Object.create(null), entries)
