import type { z } from 'zod'
import { BLOCK_FIELDS, POSITION_FIELDS } from '../../../../contract/canvas/block-fields.ts'
import type { Block, Edge } from '../../../../contract/canvas/blocks.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isoTime, jsonRow } from '../../../database/json.ts'

/** Rows have the API's shape, so they need no conversion. */
export type BlockRow = z.output<typeof Block>
export type EdgeRow = z.output<typeof Edge>

export type BlockFields = Pick<BlockRow, (typeof BLOCK_FIELDS)[number]>

export const EDGE_FIELDS = ['fromBlockId', 'toBlockId', 'label', 'condition', 'style'] as const
export type EdgeFields = Pick<EdgeRow, (typeof EDGE_FIELDS)[number]>

const positionFields = new Set<string>(POSITION_FIELDS)
export const isMove = (change: Partial<BlockFields>) =>
  Object.keys(change).every((field) => positionFields.has(field))

const FIELD_TYPES: Record<keyof BlockFields, string> = {
  type: 'text',
  x: 'float8',
  y: 'float8',
  width: 'float8',
  height: 'float8',
  rotation: 'float8',
  zIndex: 'integer',
  parentId: 'uuid',
  title: 'text',
  content: 'text',
  fileId: 'uuid',
  color: 'text',
  locked: 'boolean',
  metadata: 'jsonb',
}

const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const eachField = (text: (field: keyof BlockFields, column: string) => string) =>
  BLOCK_FIELDS.map((field) => text(field, columnOf(field))).join(', ')

/** For the block `b` or the row `new`. */
export const FIELD_SQL = {
  columns: eachField((_field, column) => column),
  names: eachField((field) => `"${field}"`),
  selected: eachField((field, column) => `b.${column} as "${field}"`),
  declared: eachField((field) => `"${field}" ${FIELD_TYPES[field]}`),
  assigned: eachField((field, column) => `${column} = new."${field}"`),
  json: `jsonb_build_object(${eachField((field, column) => `'${field}', b.${column}`)})`,
}

/** The version is the last change's number, so it never repeats, even after a restore. */
const columnsBeforeTimes = (sql: Sql): Fragment => sql`
  b.id, b.project_id as "projectId", ${sql.unsafe(FIELD_SQL.selected)}, b.version, b.created_by as "createdBy",
  b.run_id as "runId"`

export const blockColumns = (sql: Sql): Fragment =>
  sql`${columnsBeforeTimes(sql)}, b.created_at as "createdAt", b.updated_at as "updatedAt"`

/** The block `b` in the API's shape. */
export const blockJson = (sql: Sql): Fragment =>
  jsonRow(
    sql,
    sql`${columnsBeforeTimes(sql)}, ${isoTime(sql, sql`b.created_at`)} as "createdAt",
      ${isoTime(sql, sql`b.updated_at`)} as "updatedAt"`,
  )

export const edgeColumns = (sql: Sql): Fragment => sql`
  e.id, e.from_block_id as "fromBlockId", e.to_block_id as "toBlockId", e.label, e.condition,
  e.style`

export const pickBlockFields = (block: BlockFields): BlockFields => ({
  type: block.type,
  x: block.x,
  y: block.y,
  width: block.width,
  height: block.height,
  rotation: block.rotation,
  zIndex: block.zIndex,
  parentId: block.parentId,
  title: block.title,
  content: block.content,
  fileId: block.fileId,
  color: block.color,
  locked: block.locked,
  metadata: block.metadata,
})
