import type { Context } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { canEditSomewhere } from './workspace-visibility.ts'

/** `records`, such as files, belong to the organization: members change them only if they can edit in a workspace. */
export async function requireEditor({ sql, caller }: Context, records: string): Promise<void> {
  const [row] = await sql<{ allowed: boolean }[]>`select ${canEditSomewhere(sql, caller)} as allowed`
  if (row!.allowed) return
  throw forbidden(
    `You have view-only access to the ${records} of this organization: you can edit in none of its workspaces`,
    { reason: 'view_only' },
  )
}
