import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listSchemaFields } from './fields.ts'
import type { JsonSchema } from './schema.ts'

describe('fields', () => {
  const rowsOf = (body: z.ZodType) =>
    listSchemaFields(z.toJSONSchema(body, { io: 'input' }) as JsonSchema).map(
      ({ path, type, required, notes }) => [path, type, required, notes.join('. ')],
    )

  test('have a path, a type and constraints', () => {
    const body = z.object({
      list: z.array(z.object({ id: z.uuid(), size: z.number().min(1).nullable() })).max(3),
      at: z.iso.datetime().optional(),
      kind: z.enum(['a', 'b']).default('a'),
      map: z.record(z.string(), z.object({ deep: z.boolean() })),
    })
    expect(rowsOf(body)).toEqual([
      ['list', 'list of objects', true, 'At most 3 items'],
      ['list[].id', 'UUID', true, ''],
      ['list[].size', 'number or null', true, 'At least 1'],
      ['at', 'timestamp', false, ''],
      ['kind', 'string', false, 'One of `a`, `b`. Default `"a"`'],
      ['map', 'object', true, ''],
      ['map.*.deep', 'boolean', true, ''],
    ])
  })

  test('name the union member they belong to', () => {
    const body = z.discriminatedUnion('method', [
      z.object({ method: z.literal('password'), password: z.string() }),
      z.object({ method: z.literal('totp'), code: z.string().length(6) }),
    ])
    expect(rowsOf(body)).toEqual([
      ['method', 'string', true, 'One of `password`, `totp`'],
      ['password', 'string', false, 'Required when `method` is `password`.'],
      ['code', 'string', false, 'Exactly 6 characters. Required when `method` is `totp`.'],
    ])
  })
})
