import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { ATRIUM_SERVER = 'http://127.0.0.1:3000', ATRIUM_EMAIL, ATRIUM_PASSWORD } = process.env
let cookie = ''

await call('POST', '/auth/sign-in/email', { email: ATRIUM_EMAIL, password: ATRIUM_PASSWORD })
const connector = JSON.parse(readFileSync(join(import.meta.dirname, 'connector.json'), 'utf8'))
const { slug } = await call('POST', '/connectors/custom', connector)
const { tools } = await call('GET', `/connectors/${slug}`)
for (const { name, effect, risk } of tools) console.log(`${name}  effect: ${effect}  risk: ${risk}`)

// biome-ignore lint/suspicious/noExplicitAny: the API reference at /docs describes each response
async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${ATRIUM_SERVER}/api/v1${path}`, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const result = await response.json()
  if (!response.ok) throw new Error(result.error.message)
  cookie ||= response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return result
}
