import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../contract/canonical-json.ts'
import { endpoints } from '../../contract/index.ts'
import { buildOpenApi } from '../../server/http/openapi.ts'
import { sha256 } from '../../server/security/digest.ts'

const STORED = join(import.meta.dirname, 'openapi.json')

/**
 * A hash of each operation and of each shared part: a change of the API is a change of this file, which a reviewer sees.
 * `UPDATE_OPENAPI=1 npx vitest run test/architecture/openapi.test.ts` writes it.
 */
function hashes(): Record<string, string> {
  const { info: _info, paths, ...shared } = JSON.parse(JSON.stringify(buildOpenApi(endpoints)))
  const parts: [string, unknown][] = []
  for (const [path, item] of Object.entries<Record<string, unknown>>(paths))
    for (const [method, operation] of Object.entries(item))
      parts.push([`${method.toUpperCase()} ${path}`, operation])
  for (const [kind, entries] of Object.entries<Record<string, unknown>>(shared.components))
    for (const [name, entry] of Object.entries(entries)) parts.push([`${kind} ${name}`, entry])
  return Object.fromEntries(
    parts
      .map(([name, part]) => [name, sha256(canonicalJson(part)).toString('base64url').slice(0, 16)])
      .toSorted(([left], [right]) => (left! < right! ? -1 : 1)),
  )
}

test('the API matches the stored one', () => {
  if (process.env.UPDATE_OPENAPI) writeFileSync(STORED, `${JSON.stringify(hashes(), null, 2)}\n`)
  expect(hashes()).toEqual(JSON.parse(readFileSync(STORED, 'utf8')))
})
