import type { Capability, Context } from './context.ts'

/** Carries a result out of a transaction whose changes must not stay. */
class DryRunEnded extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super('dry run')
    this.result = result
  }
}

/** Does the work and takes it back, so that it finds what the work would. */
export async function dryRun<K extends Capability, T>(
  ctx: Context<K>,
  work: (inside: Context<K>) => Promise<T>,
): Promise<T> {
  try {
    return await ctx.transaction(async (inside): Promise<never> => {
      throw new DryRunEnded(await work(inside))
    })
  } catch (error) {
    if (error instanceof DryRunEnded) return error.result as T
    throw error
  }
}
