import type { InputOf } from '../../../../contract/endpoint.ts'
import type { tables } from '../../../../contract/projects/tables.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError, notFound, raise } from '../../../errors.ts'
import { lockTable } from './access.ts'
import { changeSettings, setDeleted } from './manage.ts'
import { NO_ROWS, nextSeq, recordChange, writerOf } from './record-change.ts'
import { countEditedSince, revertRows } from './revert-rows.ts'
import { revertSettings, type SettingsChange } from './revert-settings.ts'

/** Reverts one call's change. */
export const undoChange = (ctx: Context<'quotas'>, { id, seq, force }: InputOf<typeof tables.undo>) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const table = await lockTable(inside, id)
    const { orgId } = table
    const change = (await findChange(sql, orgId, id, seq)) ?? raise(notFound('Change'))
    if (change.undoneBy !== null)
      throw new ApiError('CONFLICT', `This change was undone by change ${change.undoneBy}`, {
        details: { reason: 'already_undone', seq: change.undoneBy },
      })
    if (change.kind === 'created' || change.kind === 'restored') {
      await setDeleted(inside, table, true, { undoes: seq })
      return { seq: table.seq, created: 0, updated: 0, deleted: 0 }
    }
    const { fields, isEdited } = revertSettings(table, [change], ctx.now())
    if (!force && (isEdited || (await countEditedSince(sql, orgId, id, [seq])) > 0))
      throw new ApiError(
        'CONFLICT',
        'Others have changed the same since: send force=true to undo it anyway',
        {
          details: { reason: 'edited_since' },
        },
      )
    await changeSettings(inside, table, fields, { undoes: seq })
    const undoSeq = nextSeq(table)
    const rows = await revertRows(sql, orgId, id, [seq], {
      ...{ seq: undoSeq, key: fields.key, now: ctx.now() },
      ...writerOf(ctx),
    })
    const { created, updated, deleted } = rows
    if (created + updated + deleted > 0)
      await recordChange(inside, table, { seq: undoSeq, kind: 'undone', rows, undoes: seq })
    else if (!(await isMarked(sql, orgId, id, seq)))
      await recordChange(inside, table, { seq: undoSeq, kind: 'undone', rows: NO_ROWS, undoes: seq })
    if (change.undoes !== null) await clearUndone(sql, orgId, id, change.undoes)
    return { seq: table.seq, created, updated, deleted }
  })

interface FoundChange extends SettingsChange {
  kind: string
  undoes: number | null
  undoneBy: number | null
}

async function findChange(sql: Sql, orgId: string, tableId: string, seq: number) {
  const [row] = await sql<FoundChange[]>`
    select kind, before, after, undoes, undone_by as "undoneBy" from table_changes
    where org_id = ${orgId} and table_id = ${tableId} and seq = ${seq}`
  return row ?? null
}

/** Changing the settings may have marked it. */
async function isMarked(sql: Sql, orgId: string, tableId: string, seq: number): Promise<boolean> {
  const change = await findChange(sql, orgId, tableId, seq)
  return change !== null && change.undoneBy !== null
}

/** Undoing an undo makes the first change count again. */
const clearUndone = (sql: Sql, orgId: string, tableId: string, seq: number) => sql`
  update table_changes set undone_by = null where org_id = ${orgId} and table_id = ${tableId} and seq = ${seq}`
