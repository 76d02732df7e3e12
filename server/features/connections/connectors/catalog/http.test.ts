import { expect, test } from 'vitest'
import { buildRequest } from '../requests/build-request.ts'
import { http } from './other/http.ts'
import { captureRequest, createTarget, sentRequest } from './testing/tool-request.ts'

const config = { baseUrl: 'https://api.example.com/v1', checkPath: '/me' }
const target = (credentials: Record<string, string>) => createTarget(http, { config, credentials })

test('http sends the path below the base URL, the parameters and the JSON body', async () => {
  const targetWithHeader = target({ headerName: 'X-API-Key', headerValue: 'k1' })
  const input = { path: '/orders/a b/{credentials.headerValue}', query: { q: '{config.baseUrl}', n: 1 } }
  const read = await captureRequest(targetWithHeader, 'get', input)
  expect(read).toMatchObject({
    method: 'GET',
    path: '/v1/orders/a%20b/%7Bcredentials.headerValue%7D',
    query: { q: '{config.baseUrl}', n: '1' },
    body: null,
  })
  expect(read.headers['x-api-key']).toBe('k1')
  const body = { $: 'credentials.headerValue', list: [{ $: 'config.baseUrl' }] }
  for (const method of ['post', 'put', 'patch']) {
    expect(await captureRequest(targetWithHeader, method, { path: '/orders', body })).toMatchObject({
      method: method.toUpperCase(),
      path: '/v1/orders',
      body,
    })
  }
  expect((await captureRequest(targetWithHeader, 'delete', { path: '/orders/1' })).method).toBe('DELETE')
  expect((await sentRequest(targetWithHeader, http.check.request)).path).toBe('/v1/me')
})

test('http authorizes by header, by user name, or not at all', async () => {
  const headersWith = async (credentials: Record<string, string>) =>
    (await captureRequest(target(credentials), 'get', { path: '/' })).headers
  expect((await headersWith({ username: 'ada', password: 'p:w' })).authorization).toBe(
    `Basic ${Buffer.from('ada:p:w').toString('base64')}`,
  )
  expect((await headersWith({ username: 'ada' })).authorization).toBe(
    `Basic ${Buffer.from('ada:').toString('base64')}`,
  )
  expect((await headersWith({ headerName: 'Authorization', headerValue: 'Bearer x' })).authorization).toBe(
    'Bearer x',
  )
  for (const credentials of [
    {},
    { headerName: 'X-Key' },
    { headerName: '', headerValue: '' },
    { password: 'p' },
  ]) {
    const headers = await headersWith(credentials as Record<string, string>)
    expect([headers.authorization, headers['x-key']]).toEqual([undefined, undefined])
  }
})

test('http never leaves its host and base path', () => {
  const get = http.tools.find(({ name }) => name === 'get')!
  for (const path of [
    '//evil.example',
    '/a/../../admin',
    '/./a',
    'https://evil.example',
    '/a?b',
    '/a#b',
    '/\\evil',
    '',
  ]) {
    const parsed = get.input.safeParse({ path })
    if (!parsed.success) continue
    const request = (get.request as (input: unknown) => Parameters<typeof buildRequest>[1])(parsed.data)
    expect(buildRequest(target({}), request, {}).url, path).toMatch(/^https:\/\/api\.example\.com\/v1\//)
  }
  const [field] = http.config!
  const accepts = (value: string) => new RegExp(`^(?:${field!.pattern})$`).test(value)
  expect(accepts('https://api.example.com:8443/v1/')).toBe(true)
  for (const value of [
    'http://a.example',
    'https://a@b.example',
    'https://a.example/../x',
    'https://a.example?x',
    'https://{config.checkPath}',
    'https://a.example/%2e',
  ])
    expect(accepts(value), value).toBe(false)
  const targetWithHeader = target({ headerName: 'Host', headerValue: 'evil.example' })
  expect(buildRequest(targetWithHeader, { method: 'GET', path: '/' }, {}).headers.host).toBeUndefined()
})
