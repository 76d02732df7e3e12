/** A feature declares and calls a hook, and features above fill it. */
export interface Hook<T> {
  readonly name: string
  readonly filledBy: 'one' | 'any'
  /** Never set, only carries the type. */
  readonly value?: T
}

export interface Fill {
  hook: Hook<unknown>
  value: unknown
}

export interface HookUser {
  /** Where features above this one take part in its behavior. */
  hooks?: Hook<unknown>[]
  fills?: Fill[]
}

export const defineHook = <T>(name: string, filledBy: Hook<T>['filledBy'] = 'any'): Hook<T> => ({
  name,
  filledBy,
})

export const fill = <T>(hook: Hook<T>, value: T): Fill => ({ hook, value })

export interface Hooks {
  all: <T>(hook: Hook<T>) => readonly T[]
  one: <T>(hook: Hook<T>) => T
}

/** Throws if no feature declares a filled hook, or a single-feature hook has none or several. */
export function createHooks(features: readonly HookUser[]): Hooks {
  const values = new Map<Hook<unknown>, unknown[]>()
  for (const { hooks = [] } of features) for (const hook of hooks) values.set(hook, [])
  for (const { hook, value } of features.flatMap(({ fills = [] }) => fills)) valuesOf(hook).push(value)
  for (const [{ name, filledBy }, filled] of values) {
    if (filledBy === 'one' && filled.length !== 1)
      throw new Error(`The hook ${name} needs exactly one feature, and ${filled.length} fill it`)
  }
  return {
    all: <T>(hook: Hook<T>) => valuesOf(hook) as T[],
    one: <T>(hook: Hook<T>) => valuesOf(hook)[0] as T,
  }

  function valuesOf(hook: Hook<unknown>): unknown[] {
    const filled = values.get(hook)
    if (!filled) throw new Error(`No feature declares the hook ${hook.name}`)
    return filled
  }
}
