import type { Context } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canEditSomewhere } from './workspace-visibility.ts'

/** `what` belongs to the whole organization: members change it only if they can edit in a workspace. */
export async function requireEditor({ sql, caller }: Context, what: string): Promise<void> {
  const [row] = await sql<{ allowed: boolean }[]>`select ${canEditSomewhere(sql, caller)} as allowed`
  if (row!.allowed) return
  throw forbidden(
    `You have view-only access to the ${what} of this organization: you can edit in none of its workspaces`,
    { reason: 'view_only' },
  )
}
