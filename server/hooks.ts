// biome-ignore lint/suspicious/noExplicitAny: a hook can have any parameters
type AnyFunction = (...args: any[]) => unknown

/** A place where a feature lets features above it add behaviour, without knowing them. */
export interface Hook<F extends AnyFunction> {
  readonly name: string
  /** Never set: it carries the type. */
  readonly signature?: F
}

/** A behaviour that a feature adds to a hook of a feature below it. */
export interface Fill {
  hook: Hook<AnyFunction>
  run: AnyFunction
}

export const defineHook = <F extends AnyFunction>(name: string): Hook<F> => ({ name })

export const fill = <F extends AnyFunction>(hook: Hook<F>, run: F): Fill => ({ hook: hook as never, run })

export type Hooks = ReturnType<typeof createHooks>

/** The behaviours of the features of one app by hook. */
export function createHooks() {
  const fills = new Map<Hook<AnyFunction>, AnyFunction[]>()
  /** All behaviours, in the order of the features. */
  const of = <F extends AnyFunction>(hook: Hook<F>): readonly F[] => (fills.get(hook as never) ?? []) as F[]
  return {
    add(added: readonly Fill[]): void {
      for (const { hook, run } of added) fills.set(hook, [...of(hook), run])
    },
    of,
    /** The behaviour of a hook that exactly one feature fills. */
    one<F extends AnyFunction>(hook: Hook<F>): F {
      const [first, ...others] = of(hook)
      if (!first || others.length > 0)
        throw new Error(
          `The hook "${hook.name}" needs exactly one feature, and ${others.length + (first ? 1 : 0)} fill it`,
        )
      return first
    },
  }
}
