import { z } from 'zod'
import type { Filter } from '../../../contract/projects/table-fields.ts'
import { FILTER_OPS, TABLE_LIMITS } from '../../../contract/projects/table-options.ts'

/** Flat, because nested conditions cost tokens in every prompt. */
export const whereInput = z
  .array(z.strictObject({ column: z.string(), op: z.enum(FILTER_OPS), value: z.unknown().optional() }))
  .max(TABLE_LIMITS.conditions)

export const matchInput = z.enum(['all', 'any']).default('all').describe('Of where')

export const toFilter = (where: z.output<typeof whereInput>, match: z.output<typeof matchInput>): Filter =>
  match === 'all' ? { all: where } : { any: where }
