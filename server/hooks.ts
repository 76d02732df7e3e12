/**
 * A place where a feature lets the features above it take part, without knowing them: the owner declares it and calls
 * what fills it. Features list the hooks that they own and those that they fill.
 */
export interface Hook<T> {
  readonly name: string
  /** How many features take part. */
  readonly filledBy: 'one' | 'any'
  /** Never set: it carries the type. */
  readonly value?: T
}

export interface Fill {
  hook: Hook<unknown>
  value: unknown
}

/** The part of a feature that concerns hooks. */
export interface HookUser {
  /** Where features above this one take part in its behavior. */
  hooks?: Hook<unknown>[]
  /** What this feature adds to hooks of features below it. */
  fills?: Fill[]
}

export const defineHook = <T>(name: string, filledBy: Hook<T>['filledBy'] = 'any'): Hook<T> => ({
  name,
  filledBy,
})

export const fill = <T>(hook: Hook<T>, value: T): Fill => ({ hook, value })

export interface Hooks {
  /** What every feature added, in the order of the features. */
  all: <T>(hook: Hook<T>) => readonly T[]
  /** What the only feature added that fills the hook. */
  one: <T>(hook: Hook<T>) => T
}

/** Throws if a hook is filled that no feature declares, or if one that needs a single feature has none or several. */
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
