import type { Context } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { canEditSomewhere } from '../../organizations/membership/membership.ts'

/** Skills belong to the whole organization: members change them only if they can edit in a workspace. */
export async function requireEditor({ sql, caller }: Context): Promise<void> {
  const [row] = await sql<{ allowed: boolean }[]>`select ${canEditSomewhere(sql, caller)} as allowed`
  if (row!.allowed) return
  throw forbidden(
    'You have view-only access to the skills of this organization: you can edit in none of its workspaces',
    { reason: 'view_only' },
  )
}
