import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { anonymous, endpoint } from '../../contract/endpoint.ts'
import { createSerializer, listText } from './serialize.ts'

const declare = (output: z.ZodType, envelope?: true) =>
  endpoint({ method: 'GET', path: '/api/v1/test', summary: 'Test', access: anonymous(), output, envelope })

const write = (output: z.ZodType, value: unknown) =>
  JSON.parse(createSerializer(declare(output), false)(value))

const Person = z.object({
  name: z.string(),
  nickname: z.string().nullable(),
  boss: z.object({ name: z.string() }).nullable(),
  keys: z.array(z.object({ prefix: z.string() })),
  note: z.string().optional(),
})

describe('a serializer', () => {
  test('includes only declared fields, at every depth', () => {
    const secret = 'must not leak'
    const row = {
      name: 'Ada',
      nickname: null,
      boss: { name: 'Charles', passwordHash: secret },
      keys: [{ prefix: 'atrium_', hash: secret }],
      passwordHash: secret,
    }
    expect(write(Person, row)).toEqual({
      name: 'Ada',
      nickname: null,
      boss: { name: 'Charles' },
      keys: [{ prefix: 'atrium_' }],
    })
  })

  test('includes every field if an object allows further fields', () => {
    const Part = z.object({ type: z.string() }).catchall(z.unknown())
    const parts = [
      { type: 'text', text: 'Hello' },
      { type: 'tool-call', input: { ids: [1] } },
    ]
    expect(write(z.object({ parts: z.array(Part) }), { parts, other: 1 })).toEqual({ parts })
    expect(write(z.looseObject({ reason: z.string() }), { reason: 'a', limit: 2 })).toEqual({
      reason: 'a',
      limit: 2,
    })
  })

  test('includes null and omits undefined fields', () => {
    const row = { name: 'Ada', nickname: 'A', boss: null, keys: [], note: undefined }
    expect(write(Person, row)).toEqual({ name: 'Ada', nickname: 'A', boss: null, keys: [] })
  })

  test('wraps the response if the endpoint declares an envelope', () => {
    const wrap = createSerializer(declare(z.object({ id: z.string() }), true), false)
    expect(JSON.parse(wrap({ id: '1', secret: 2 }))).toEqual({ success: true, data: { id: '1' } })
  })

  test('sends serialized text unchanged, and in tests refuses an undeclared field', () => {
    const Page = z.object({ items: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() })
    const text = (item: string) => listText(item, { nextCursor: null })
    const [send, check] = [createSerializer(declare(Page), false), createSerializer(declare(Page), true)]
    const page = '{"items":[{"id":"1"},{"id":"2"}],"nextCursor":null}'
    expect([send(text('{"id":"1"},{"id":"2"}')), check(text('{"id":"1"},{"id":"2"}'))]).toEqual([page, page])
    expect(() => check(text('{"id":"1","secret":2}'))).toThrow('fields that its endpoint does not declare')
    expect(() => check(text('{}'))).toThrow('Invalid input')
  })

  test('preserves free-form JSON', () => {
    const Metadata = z.object({ metadata: z.record(z.string(), z.unknown()) })
    const key = fc.string({ unit: 'grapheme' }).filter((name) => name !== '__proto__')
    const json = fc.dictionary(key, fc.jsonValue({ noUnicodeString: false }))
    fc.assert(
      fc.property(json, (metadata) => {
        expect(write(Metadata, { metadata })).toEqual(JSON.parse(JSON.stringify({ metadata })))
      }),
    )
  })

  test('preserves any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(write(z.object({ name: z.string() }), { name })).toEqual({ name })
      }),
    )
  })

  test("includes only the matching union member's fields", () => {
    const secret = 'must not leak'
    const Kinds = z.union([
      z.object({ kind: z.literal('text'), text: z.string() }),
      z.object({ kind: z.literal('image'), url: z.string() }),
    ])
    expect(write(Kinds, { kind: 'image', url: '/x', text: secret })).toEqual({ kind: 'image', url: '/x' })
    const Started = z.object({ file: z.object({ id: z.string() }), url: z.string().optional() })
    const Either = z.union([Started, z.object({ id: z.string() })])
    expect(write(Either, { file: { id: '1', secret } })).toEqual({ file: { id: '1' } })
    expect(write(Either, { id: '1', secret })).toEqual({ id: '1' })
    expect(() => write(Kinds, { kind: 'film' })).toThrow('matches no union member')
  })

  test("refuses a value that doesn't match the schema if checks are on", () => {
    const strict = createSerializer(declare(z.object({ count: z.int() })), true)
    expect(strict({ count: 1 })).toBe('{"count":1}')
    expect(() => strict({ count: 'one' })).toThrow('expected number')
  })
})
