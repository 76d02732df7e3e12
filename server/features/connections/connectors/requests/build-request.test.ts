import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testTarget } from '../../../../testing/fakes/test-connector.ts'
import type { RequestTemplate } from '../definition/template.ts'
import { buildRequest } from './build-request.ts'

const template: RequestTemplate = {
  method: 'POST',
  path: '/items/{a}/parts/{b}{c}',
  query: { q: { $: 'a' }, fixed: 'yes' },
  headers: { 'x-name': 'name {b}' },
  json: { title: { $: 'a' }, nested: { list: [{ $: 'b' }, 'literal {a}'] } },
}
const target = testTarget(null)

/** Texts with special characters of URLs, headers, JSON and templates. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '..',
    '.',
    '%2e%2e',
    '/../../',
    '\\..\\',
    '//evil.example.com',
    'https://evil.example.com/',
    '@evil.example.com',
    '?x=1',
    '#x',
    '{credentials.token}',
    '{config.host}',
    '$&',
    'a\r\nhost: evil.example.com',
    '"},"admin":true,{"',
    '__proto__',
  ),
)

describe('an input', () => {
  test('changes neither host, path structure, parameters, headers nor JSON structure', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (a, b, c) => {
        let built: ReturnType<typeof buildRequest>
        try {
          built = buildRequest(target, template, { a, b, c })
        } catch (error) {
          // The only inputs that are refused are segments that no encoding protects.
          expect((error as Error).message).toContain('must not be "." or ".."')
          expect(['.', '..'].includes(a) || /^\.{1,2}$/.test(b + c)).toBe(true)
          return
        }
        const url = new URL(built.url)
        expect(url.origin).toBe('https://api.desk.example.com')
        const segments = url.pathname.split('/')
        expect(segments.map((each, index) => ([3, 5].includes(index) ? '*' : each)).join('/')).toBe(
          '/v1/items/*/parts/*',
        )
        expect(decodeURIComponent(segments[3]!)).toBe(a.toWellFormed())
        expect([...url.searchParams.keys()]).toEqual(['q', 'fixed'])
        expect(Object.keys(built.headers).toSorted()).toEqual(['accept', 'content-type', 'x-name', 'x-token'])
        expect(built.headers['x-name']).not.toMatch(/[\r\n\0]/)
        expect(JSON.parse(built.body as string)).toEqual({
          title: a.toWellFormed() === a ? a : expect.any(String),
          nested: { list: [b.toWellFormed() === b ? b : expect.any(String), 'literal {a}'] },
        })
      }),
      { numRuns: 500, seed: 7 },
    )
  })

  test("doesn't replace a connection value with the same name", () => {
    const input = { credentials: { token: 'mine' }, config: { host: 'evil' }, a: 'a', b: 'b', c: 'c' }
    const { headers } = buildRequest(target, template, input)
    expect(headers['x-token']).toBe(target.credentials.token)
  })
})

describe('an entered host value', () => {
  const targetWithHost = (value: string) => ({
    ...testTarget(null, { baseUrl: 'https://{config.site}.desk.example.com' }),
    config: { site: value },
  })

  test.each([
    'evil.example.com/',
    'evil.example.com#',
    'evil.example.com?',
    'x@evil.example.com',
    'evil.example.com:443',
    'evil.example.com\\',
    'https://evil.example.com',
    '',
  ])('never leads to another host: %s', (value) => {
    const build = () => buildRequest(targetWithHost(value), { method: 'GET', path: '/me' }, {})
    let url: string | null = null
    try {
      ;({ url } = build())
    } catch (error) {
      expect((error as Error).message).toContain('is not one of this connector’s hosts')
    }
    if (url !== null) expect(new URL(url).host).toMatch(/^[\w.-]*\.desk\.example\.com$/)
  })

  test.each([
    'https://evil.example.com/x',
    'http://api.desk.example.com/v1/x',
    'https://u@api.desk.example.com/',
  ])('is not replaced by a full URL with another host: %s', (path) => {
    expect(() => buildRequest(target, { method: 'GET', path }, {})).toThrow(
      'is not one of this connector’s hosts',
    )
  })
})
