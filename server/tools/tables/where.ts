import { z } from 'zod'
import type { Filter } from '../../../contract/projects/table-fields.ts'
import { FILTER_OPS, TABLE_LIMITS } from '../../../contract/projects/table-options.ts'

/** Flat, because nested conditions cost tokens in every prompt. */
const listOf = <Op extends z.ZodType<string>>(op: Op) =>
  z
    .array(z.strictObject({ column: z.string(), op, value: z.unknown().optional() }))
    .max(TABLE_LIMITS.conditions)

export const whereInput = listOf(z.enum(FILTER_OPS))
/** Operators are listed once, in `query_table`. The endpoint checks them. */
export const sameWhereInput = listOf(z.string().describe('As in query_table'))

export const matchInput = z.enum(['all', 'any']).default('all').describe('Of where')

export const toFilter = (
  where: z.output<typeof sameWhereInput>,
  match: z.output<typeof matchInput>,
): Filter => (match === 'all' ? { all: where } : { any: where }) as Filter
