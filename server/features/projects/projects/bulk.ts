import type { InputOf, OutputOf } from '../../../../contract/endpoint.ts'
import type { projectBulk } from '../../../../contract/projects/bulk.ts'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { addFavourite, removeFavourite } from './favourites/favourites.ts'
import { remove, undelete } from './remove.ts'
import { update } from './update.ts'

type Bulk = typeof projectBulk.apply
type Action = InputOf<Bulk>['action']

/** Each action is the single call, with its checks, events and audit entries. */
const ACTIONS: Record<Action, (ctx: Context<'quotas'>, id: string) => Promise<unknown>> = {
  activate: (ctx, id) => update(ctx, { id, status: 'active' }),
  complete: (ctx, id) => update(ctx, { id, status: 'completed' }),
  archive: (ctx, id) => update(ctx, { id, status: 'archived' }),
  delete: (ctx, id) => remove(ctx, { id, permanent: false }),
  undelete: (ctx, id) => undelete(ctx, { id }),
  favourite: (ctx, id) => addFavourite(ctx, { id }),
  unfavourite: (ctx, id) => removeFavourite(ctx, { id }),
}

/** One transaction per project, in sequence: a call occupies one connection and locks one project at a time. */
export async function applyToMany(
  ctx: Context<'quotas'>,
  { action, ids }: InputOf<Bulk>,
): Promise<OutputOf<Bulk>> {
  const items: OutputOf<Bulk>['items'] = []
  for (const id of ids) items.push({ id, ...(await attempt(() => ACTIONS[action](ctx, id))) })
  const done = items.filter((item) => item.done).length
  return { items, done, failed: items.length - done }
}

async function attempt(action: () => Promise<unknown>): Promise<Omit<OutputOf<Bulk>['items'][number], 'id'>> {
  try {
    await action()
    return { done: true, error: null }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'INTERNAL') throw error
    return { done: false, error: { code: error.code, message: error.message } }
  }
}
