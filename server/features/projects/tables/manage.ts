import type { InputOf } from '../../../../contract/endpoint.ts'
import { TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import type { tables } from '../../../../contract/projects/tables.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { toSearchKey } from '../../../database/name-keys.ts'
import { isUniqueViolation } from '../../../database/pg-errors.ts'
import { ApiError, badField } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { notifyProject } from '../../../streams/notify.ts'
import { findProject, lockProject } from '../projects/projects.ts'
import { findTable, listTableRows, lockTable } from './access.ts'
import {
  addColumns,
  changeColumn,
  type NewColumn,
  reorder,
  requireColumn,
  type StoredColumn,
  withoutWidth,
} from './columns.ts'
import { updateKey } from './key.ts'
import { requireLinkedTables } from './linked-tables.ts'
import * as queries from './queries.ts'
import { NO_ROWS, nextSeq, recordChange, writerOf } from './record-change.ts'
import { presentTable, type TableRow } from './records.ts'
import { type GivenRow, upsertRows } from './upsert.ts'

export async function listTables(ctx: Context, { projectId, deleted }: InputOf<typeof tables.list>) {
  const project = await findProject(ctx, projectId)
  if (deleted && ctx.caller.share) return { items: [] }
  const rows = await listTableRows(ctx, project.id, { isDeleted: deleted })
  return { items: rows.map(presentTable) }
}

export const getTable = async (ctx: Context, { id }: InputOf<typeof tables.get>) =>
  presentTable(await findTable(ctx, id))

export const createTable = (ctx: Context<'quotas'>, input: InputOf<typeof tables.create>) =>
  ctx.transaction(async (inside) => {
    // Concurrent calls can't exceed the limit together.
    const project = await lockProject(inside, input.projectId)
    const columns = addColumns([], input.columns, 'body.columns')
    await requireLinkedTables(inside, project.id, columns, 'body.columns')
    const key = input.key === null ? null : keyColumn(columns, input.key, 'body.key')
    return presentTable(
      await insertTable(inside, project.id, {
        name: input.name,
        description: input.description || null,
        columns,
        key,
      }),
    )
  })

/** As calls create them: a column's type must be given. */
export interface GivenTable {
  name: string
  key: string | null
  columns: NewColumn[]
  rows: GivenRow[]
}

export async function createFilledTable(
  ctx: Context<'quotas'>,
  projectId: string,
  { rows, ...fields }: GivenTable,
): Promise<{ id: string }> {
  const { id } = await createTable(ctx, { ...fields, projectId, description: '' })
  await upsertRows(ctx, { id, rows, mode: 'insert' })
  return { id }
}

export interface NewTable {
  name: string
  description: string | null
  columns: StoredColumn[]
  key: string | null
}

/** The caller must be able to edit the project. */
export async function insertTable(
  ctx: Context<'quotas'>,
  projectId: string,
  fields: NewTable,
): Promise<TableRow> {
  const { orgId } = ctx.caller
  await requireFree(ctx, projectId, fields.name, null)
  const id = newId()
  await unlessTaken(fields.name, () =>
    queries.insertTable(ctx.sql, orgId, { ...fields, id, projectId, ...writerOf(ctx), now: ctx.now() }),
  )
  const table = await lockTable(ctx, id)
  const after = { name: fields.name, columns: fields.columns }
  await recordChange(ctx, table, { seq: table.seq, kind: 'created', rows: NO_ROWS, after })
  return findTable(ctx, id)
}

export const updateTable = (ctx: Context<'quotas'>, input: InputOf<typeof tables.update>) =>
  ctx.transaction(async (inside) => {
    const table = await lockTable(inside, input.id)
    const columns = planColumns(table, input, ctx.now())
    await requireLinkedTables(inside, table.projectId, columns, 'body.add')
    const { name = table.name } = input
    const description = input.description === undefined ? table.description : input.description || null
    const key =
      input.key === undefined
        ? table.key
        : input.key === null
          ? null
          : keyColumn(columns, input.key, 'body.key')
    if (name !== table.name) await requireFree(inside, table.projectId, name, table.id)
    await changeSettings(inside, table, { name, description, columns, key })
    return presentTable(await findTable(inside, table.id))
  })

function planColumns(table: TableRow, input: InputOf<typeof tables.update>, now: Date): StoredColumn[] {
  const { add = [], change = [], remove = [], order } = input
  let { columns } = table
  for (const [index, changed] of change.entries())
    columns = changeColumn(columns, changed, `body.change.${index}`)
  for (const [index, ref] of remove.entries()) {
    const { id } = requireColumn(columns, ref, `body.remove.${index}`)
    if (id === table.key && (input.key === undefined || input.key === ref))
      throw new ApiError('CONFLICT', `The column ${id} is the key: choose another key first`, {
        details: { reason: 'key_column' },
      })
    const removedAt = now.toISOString()
    columns = columns.map((column) => (column.id === id ? { ...column, removedAt } : column))
  }
  columns = addColumns(columns, add, 'body.add')
  return order ? reorder(columns, order, 'body.order') : columns
}

/** The table must be locked. Records only what differs. */
export async function changeSettings(
  ctx: Context<'quotas'>,
  table: TableRow,
  fields: NewTable,
  { undoes, runId }: { undoes?: number; runId?: string } = {},
): Promise<void> {
  const { orgId, id } = table
  const [was, becomes] = [recorded(table), recorded(fields)]
  const names = (['name', 'description', 'columns', 'key'] as const).filter(
    (name) => JSON.stringify(was[name]) !== JSON.stringify(becomes[name]),
  )
  if (names.length === 0) return updateWidths(ctx, table, fields.columns)
  if (names.includes('key')) await updateKey(ctx, table, fields)
  await unlessTaken(fields.name, () => queries.updateTable(ctx.sql, orgId, id, { ...fields, now: ctx.now() }))
  const seq = nextSeq(table)
  const pick = (from: NewTable) => Object.fromEntries(names.map((name) => [name, from[name]]))
  const kind = undoes || runId ? 'undone' : names.includes('columns') ? 'columns' : 'updated'
  await recordChange(ctx, table, {
    ...{ seq, kind, rows: NO_ROWS, before: pick(was), after: pick(becomes) },
    ...(undoes !== undefined && { undoes }),
    ...(runId !== undefined && { runId }),
  })
}

const recorded = (fields: NewTable): NewTable => ({ ...fields, columns: fields.columns.map(withoutWidth) })

/** Resizing a column is no change that anybody would undo or follow. */
async function updateWidths(
  { sql }: Context,
  { orgId, id, projectId, seq, columns: before }: TableRow,
  columns: StoredColumn[],
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(columns)) return
  await queries.updateColumns(sql, orgId, id, columns)
  notifyProject(sql, orgId, projectId, { kind: 'table', tableId: id, seq })
}

export const removeTable = (ctx: Context<'quotas'>, { id }: InputOf<typeof tables.remove>) =>
  ctx.transaction(async (inside) => {
    const table = await lockTable(inside, id)
    await setDeleted(inside, table, true)
    return { id, deleted: true as const }
  })

export const undeleteTable = (ctx: Context<'quotas'>, { id }: InputOf<typeof tables.undelete>) =>
  ctx.transaction(async (inside) => {
    const table = await lockTable(inside, id, { isDeleted: true })
    await setDeleted(inside, table, false)
    return presentTable(await findTable(inside, id))
  })

/** The table must be locked. */
export async function setDeleted(
  ctx: Context<'quotas'>,
  table: TableRow,
  isDeleted: boolean,
  { undoes, runId }: { undoes?: number; runId?: string } = {},
): Promise<void> {
  const { orgId, id, projectId, name } = table
  if (!isDeleted) await requireFree(ctx, projectId, name, id)
  await unlessTaken(name, () => queries.updateDeleted(ctx.sql, orgId, id, isDeleted ? ctx.now() : null))
  await recordChange(ctx, table, {
    ...{ seq: nextSeq(table), kind: isDeleted ? 'deleted' : 'restored', rows: NO_ROWS },
    ...(undoes !== undefined && { undoes }),
    ...(runId !== undefined && { runId }),
  })
  await recordAudit(ctx, {
    action: isDeleted ? 'table.deleted' : 'table.restored',
    by: ctx.caller,
    target: id,
    details: { projectId },
  })
}

function keyColumn(columns: readonly StoredColumn[], ref: string, path: string): string {
  const { id, type } = requireColumn(columns, ref, path)
  if (type === 'boolean' || type === 'link') throw badField(path, `must not be a ${type} column`)
  return id
}

export const nameTaken = (name: string, id?: string) =>
  new ApiError('CONFLICT', textWithNames`The project has a table named ${name}`, {
    details: { reason: 'name_taken', ...(id && { id }) },
  })

/** Another call may take the name after `requireFree`. */
async function unlessTaken(name: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw isUniqueViolation(error, 'project_tables_name') ? nameTaken(name) : error
  }
}

async function requireFree(
  { sql, caller: { orgId } }: Context,
  projectId: string,
  name: string,
  except: string | null,
): Promise<void> {
  const { taken, count } = await queries.countTables(sql, orgId, projectId, toSearchKey(name), except)
  if (taken !== null) throw nameTaken(name, taken)
  if (count >= TABLE_LIMITS.tables) throw tooManyTables()
}

export const tooManyTables = () =>
  new ApiError('CONFLICT', `A project can have ${TABLE_LIMITS.tables} tables: delete one first`, {
    details: { reason: 'too_many_tables' },
  })
