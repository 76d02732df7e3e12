import { expect, test } from 'vitest'
import { dictionary } from '../../contract/dictionary.ts'
import { fence } from './fence.ts'
import { sources, textOf } from './imports.ts'

const LITERAL = /^(?:export )?const (\w+): (?:Readonly<|Partial<)*Record<string,(?:[^=]|=>)*? = \{\s*\S/gm

test('a table that any text may be looked up in has no prototype', () => {
  fence(
    "OBJECT['constructor'] finds a function in an ordinary object, and the text may come from outside; use dictionary({ … })",
    sources
      .filter((file) => /^(server|contract|cli|client)\//.test(file) && !file.includes('.test.'))
      // Read by the checksums of this server's own files.
      .filter((file) => !file.startsWith('server/testing/') && file !== 'server/database/migrate.ts')
      .flatMap((file) => [...textOf(file).matchAll(LITERAL)].map(([, name]) => `${file}: ${name}`)),
  )
})

test('a dictionary contains only its entries', () => {
  const table = dictionary({ a: 1 })
  const found = ['a', 'constructor', '__proto__', 'toString', 'hasOwnProperty'].map((key) => table[key])
  expect(found).toEqual([1, undefined, undefined, undefined, undefined])
  expect('valueOf' in table).toBe(false)
})
