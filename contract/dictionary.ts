/** For untrusted keys: with a prototype, `constructor` and `toString` would be found. */
export const dictionary = <Value>(entries: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.assign(Object.create(null), entries)
