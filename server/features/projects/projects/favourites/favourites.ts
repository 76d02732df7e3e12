import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { favourites } from '../../../../../contract/projects/favourites.ts'
import { FAVOURITES_MAX } from '../../../../../contract/projects/list-options.ts'
import type { Context } from '../../../../context.ts'
import { conflict } from '../../../../errors.ts'
import { projectAccess } from '../../access/access.ts'
import { findProject } from '../find.ts'
import * as queries from './personal-queries.ts'

export async function listFavourites({ sql, caller }: Context) {
  const rows = await queries.listFavourites(sql, caller.orgId, caller.userId, projectAccess(sql, caller))
  return { items: [...rows] }
}

export async function reorderFavourites(ctx: Context, { ids }: InputOf<typeof favourites.reorder>) {
  const { orgId, userId } = ctx.caller
  await queries.updateFavouriteOrder(ctx.sql, orgId, userId, ids)
  return listFavourites(ctx)
}

/** Idempotent. */
export const addFavourite = (ctx: Context, { id: ref }: InputOf<typeof favourites.add>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const { orgId, userId } = caller
    const { id } = await findProject(inside, ref)
    const count = await queries.insertFavourite(sql, orgId, userId, id, ctx.now())
    if (count > FAVOURITES_MAX && (await pruneAndCount(inside)) > FAVOURITES_MAX)
      throw conflict(`You can have ${FAVOURITES_MAX} favorites: remove one first`)
    return { favourite: true as const }
  })

/** Deletes favorites that the caller no longer sees and so couldn't remove. */
async function pruneAndCount({ sql, caller }: Context): Promise<number> {
  const { orgId, userId } = caller
  return queries.deleteInvisible(sql, orgId, userId, projectAccess(sql, caller))
}

/** Idempotent. */
export async function removeFavourite(ctx: Context, { id: ref }: InputOf<typeof favourites.remove>) {
  const { orgId, userId } = ctx.caller
  const { id } = await findProject(ctx, ref)
  await queries.deleteFavourite(ctx.sql, orgId, userId, id)
  return { favourite: false as const }
}
