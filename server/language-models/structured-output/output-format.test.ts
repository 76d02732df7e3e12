import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSchemaProblem } from '../../../contract/agents/output-rules.ts'
import { outputFormat } from './output-format.ts'
import { requireSchema } from './require-schema.ts'

const objectOf = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})
const problemOf = (properties: object, more: object = {}) => {
  const problem = findSchemaProblem({ ...objectOf(properties), ...more })
  return problem && `${problem.path.join('.')} ${problem.rule}`
}
const read = (properties: object, value: unknown, required?: string[]) =>
  outputFormat(objectOf(properties, required)).read(typeof value === 'string' ? value : JSON.stringify(value))

describe('a schema', () => {
  test('is refused with the place and the rule', () => {
    const refused: [properties: object, more: object, problem: string][] = [
      [{ a: {} }, {}, 'properties.a must have a type, an enum, a const, anyOf or a $ref'],
      [{ a: { type: 'object' } }, {}, 'properties.a.properties must name at least one property: open'],
      [{ a: { type: 'string', format: 'ipv4' } }, {}, 'properties.a.format must be one of date,'],
      [{ a: { type: 'string', minimum: 1 } }, {}, 'properties.a.minimum does not apply to the type string'],
      [{ a: { type: 'string', default: 'x' } }, {}, 'properties.a.default is not supported'],
      [{ a: { type: ['string', 'number'] } }, {}, 'properties.a.type must be one type, or one type and null'],
      [{ a: { enum: ['x', 1] } }, {}, 'properties.a.enum.1 must be of the type string'],
      [{ a: { type: 'array' } }, {}, 'properties.a.items is required for a list'],
      [
        { a: { type: 'array', items: { type: 'integer' }, minItems: 3, maxItems: 2 } },
        {},
        'minItems must be at most maxItems',
      ],
      [{ a: { $ref: 'https://example.com/schema' } }, {}, 'properties.a.$ref must be #/$defs/ and a name'],
      [{ a: { $ref: '#/$defs/b' } }, {}, 'properties.a.$ref refers to b, which $defs does not have'],
      [{ a: { type: 'string' } }, { additionalProperties: true }, 'additionalProperties must be false'],
      [{ a: { type: 'string' } }, { required: ['b'] }, 'required.0 must be one of the properties'],
      [
        { a: { type: 'string' } },
        { $schema: 'http://json-schema.org/draft-07/schema#' },
        '$schema must be https',
      ],
      [{ constructor: { type: 'string' } }, {}, 'properties.constructor must have a name'],
      [{ a: { type: 'string' } }, { type: 'array' }, 'type must be object'],
    ]
    for (const [properties, more, problem] of refused) expect(problemOf(properties, more)).toContain(problem)
    expect(problemOf(JSON.parse('{"__proto__":{"type":"string"}}'))).toContain('must have a name')
    expect(problemOf({ a: { type: 'string' } }, { allOf: [] })).toContain('allOf is not supported')
  })

  test('is bounded: recursion, copies by reference, depth, parts and values', () => {
    const loop = { next: { $ref: '#/$defs/node' } }
    expect(problemOf(loop, { $defs: { node: objectOf(loop) } })).toContain('refers to itself')
    const doubled = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `d${n}`,
        { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    )
    const $defs = { ...doubled, d30: { type: 'string' } }
    expect(problemOf({ a: { $ref: '#/$defs/d0' } }, { $defs })).toMatch(/levels deep|too large/)
    const nested = Array.from({ length: 10 }).reduce<object>((items) => ({ type: 'array', items }), {
      type: 'string',
    })
    expect(problemOf({ a: nested })).toContain('nested at most 10 levels deep')
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`p${n}`, { type: 'string' }]))
    expect(problemOf(many)).toContain('too large')
    expect(problemOf({ a: { enum: Array.from({ length: 251 }, (_, n) => n) } })).toContain('1 to 250 values')
  })

  test('has patterns that RE2 accepts, and no others', () => {
    const requirePattern = (pattern: string) =>
      requireSchema('body.outputSchema', objectOf({ a: { type: 'string', pattern } }))
    expect(() => requirePattern('^[A-Z]{2}-\\d+$')).not.toThrow()
    for (const pattern of ['(', '(?<=a)b', '(a)\\1', '((x{1,500}){1,500})'])
      expect(() => requirePattern(pattern)).toThrow('body.outputSchema.properties.a.pattern')
  })

  test('never throws or hangs, whatever it is', () => {
    const keys = [
      'type',
      'properties',
      'items',
      'anyOf',
      '$ref',
      '$defs',
      'enum',
      'required',
      'pattern',
      'const',
    ]
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('object', 'array', 'string', '#/$defs/a', null, 1, true),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys, 'a', '__proto__'), tie('tree'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(tree, tree, fc.json(), (a, defs, json) => {
        const schema = { ...objectOf({ a }), $defs: { a: defs } }
        if (findSchemaProblem(schema) === null) outputFormat(schema).read(`{"a":${json}}`)
        expect(() => findSchemaProblem(a)).not.toThrow()
      }),
      { numRuns: 1000 },
    )
  })
})

describe('an answer', () => {
  test('is read from JSON, a code fence or a sentence around it', () => {
    const properties = { a: { type: 'integer' } }
    for (const text of ['{"a":1}', ' {"a":1}\n', '```json\n{"a":1}\n```', 'Here it is: {"a":1}. Done.'])
      expect(read(properties, text)).toEqual({ output: { a: 1 }, problems: null })
    for (const text of ['', 'no', '[1]', '{"a":1', '{"a":1}{"a":2}', '{"__proto__":{}}'])
      expect(read(properties, text).problems).not.toBeNull()
  })

  test('is refused with each place that does not match', () => {
    const properties = {
      name: { type: 'string', minLength: 2, pattern: '^[a-z]+$' },
      on: { type: 'string', format: 'date' },
      grade: { enum: ['good', 'bad'] },
      score: { type: 'number', minimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 },
      items: { type: 'array', maxItems: 2, items: objectOf({ n: { type: 'integer' } }) },
    }
    const good = { name: 'ab', on: '2026-11-19', grade: 'good', score: 0.3, items: [{ n: 1 }] }
    expect(read(properties, good)).toEqual({ output: good, problems: null })
    const bad = { name: 'A', on: '2026-02-30', grade: 'ok', score: 1, items: [{ n: 1.5 }, { n: 1, m: 2 }] }
    expect(read(properties, bad).problems).toEqual([
      'name must have at least 2 characters',
      'on must be a valid date',
      'grade must be one of "good", "bad"',
      'score must be less than 1',
      'items[0].n must be a whole number',
      'items[1].m is not part of the format',
    ])
    expect(read(properties, {}).problems).toContain('name is missing')
  })

  test('may have null for an absent optional property, which it then lacks', () => {
    const properties = {
      a: { type: 'string' },
      b: { type: ['string', 'null'] },
      c: { anyOf: [{ type: 'null' }, { type: 'integer' }] },
    }
    expect(read(properties, { a: null, b: null, c: null }, []).output).toEqual({ b: null, c: null })
    expect(read(properties, { a: null, b: null, c: null }).problems).toEqual(['a must be a text'])
  })

  test('matches one alternative, or gets the errors of the closest', () => {
    const properties = { a: { anyOf: [objectOf({ x: { type: 'integer' } }), { type: 'string' }] } }
    expect(read(properties, { a: 'text' }).output).toEqual({ a: 'text' })
    expect(read(properties, { a: { x: '1' } }).problems).toEqual(['a.x must be a whole number'])
    expect(read(properties, { a: 5 }).problems).toEqual(['a matches none of the alternatives'])
  })

  test('has a bounded size and a bounded number of checks', () => {
    const list = { a: { type: 'array', items: { enum: Array.from({ length: 250 }, (_, n) => `v${n}`) } } }
    expect(read(list, { a: Array(40_000).fill('v249') }).problems).toEqual([
      'The result is larger than 256 KB',
    ])
    const short = { a: { type: 'array', items: { enum: Array.from({ length: 250 }, (_, n) => n) } } }
    expect(read(short, { a: Array(60_000).fill(249) }).problems![0]).toContain('too many parts to check')
    const pattern = { a: { type: 'array', items: { type: 'string', pattern: '(x{1,900})y' } } }
    expect(read(pattern, { a: Array(250).fill('x'.repeat(999)) }).problems).not.toBeNull()
    expect(read({ a: { type: 'string', pattern: '^x+$' } }, { a: 'x'.repeat(1001) }).problems).toEqual([
      'a must have at most 1000 characters, because it has a pattern',
    ])
  })

  test('keeps numbers that JSON and the database can store', () => {
    for (const text of ['{"a":1e400}', '{"a":-1e999}'])
      expect(read({ a: { type: 'number' } }, text).problems).toEqual(['a must be a number'])
    expect(read({ a: { type: 'integer' } }, '{"a":9007199254740993}').problems).not.toBeNull()
  })
})
